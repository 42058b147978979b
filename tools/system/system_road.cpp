// Reads surfaces, obstacles and friction patches of a road for rolling wheels. Every length is in
// the units of the file, every angle in radians.
#include "system/system_road.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "femflex/diagnostics.h"
#include "femflex/laws/curve.h"
#include "femflex/roads/iso8608.h"

#include "document/placed_at.h"
#include "system/wheel_files.h"
#include "system/wheels.h"

namespace femflex::tools {
namespace {

constexpr double kTrack = 2.0;  // [m] default distance between the tracks
constexpr double kRamp = 0.01;  // [m] default length of an obstacle's ramp
// smallest height, relative to the amplitude, at which a wave starts or ends with a step
constexpr double kWaveStep = 1e-6;

roads::Plane plane_of(ObjectReader& reader, const SystemReader& in) {
  roads::Plane plane;
  if (const Json* slope = reader.find("slope"); slope != nullptr) {
    const std::vector<double> slopes = in.numbers(*slope);
    if (slopes.size() != 2) slope->fail("wrong-size", "slope is [dz/dx, dz/dy]");
    plane.slope_x = slopes[0];
    plane.slope_y = slopes[1];
  }
  plane.height = in.number(reader, "height", 0.0, in.length());
  return plane;
}

roads::Layer file_of(ObjectReader& reader, const SystemReader& in) {
  const double track = in.number(reader, "track", kTrack, in.length());
  const std::filesystem::path path = in.file(reader.need("file"));
  return *read_once<roads::Layer>(in.cache(),
                                  fmt::format("road {} {}", path.string(), track),
                                  [&]() { return read_road_file(path, track, in.diagnostics()); });
}

roads::Tracks profile_of(const mbd_solver::Table& table) {
  return roads::Tracks(
      laws::Curve(table.x, table.y, table.interpolation, laws::Curve::Beyond::hold, "road"));
}

/// The road, made once for the systems of many runs.
/// @param decay  of the coherency, if there is one
roads::Tracks made_road(const roads::RandomRoad& road,
                        std::optional<double> decay,
                        double start,
                        const SystemReader& in) {
  const std::string key = fmt::format("random road {} {} {} {} {} {} {} {} {} {}",
                                      road.roughness,
                                      road.exponent,
                                      road.lowest,
                                      road.highest,
                                      road.length,
                                      road.spacing,
                                      road.track,
                                      road.seed,
                                      decay ? fmt::format("{}", *decay) : "-",
                                      start);
  return *recently_made<roads::Tracks>(
      in.cache(), key, [&]() { return roads::random_road(road, start); });
}

roads::Tracks random_of(ObjectReader& reader, const SystemReader& in) {
  roads::RandomRoad random;
  const Json& name = reader.need("class");
  random.roughness =
      roads::iso8608_roughness(choice(name, {"A", "B", "C", "D", "E", "F", "G", "H"}).front());
  if (const Json* seed = reader.find("seed"); seed != nullptr)
    random.seed = static_cast<std::uint64_t>(in.whole(*seed, 0));
  random.length = in.number(reader, "length", random.length, in.length());
  random.track = in.number(reader, "track", kTrack, in.length());
  random.exponent = in.number(reader, "exponent", random.exponent);
  random.lowest = in.number(reader, "lowest", random.lowest, 1.0 / in.length());
  random.highest = in.number(reader, "highest", random.highest, 1.0 / in.length());
  random.spacing = in.number(reader, "spacing", random.spacing, in.length());
  const auto decay = in.maybe(reader, "coherency_decay");
  if (decay) {
    if (!(*decay >= 0.0)) name.fail("road", "coherency_decay is below 0");
    random.coherency = roads::exponential_coherency(*decay, random.track);
  }
  const double start = in.number(reader, "start", 0.0, in.length());
  return made_road(random, decay, start, in);
}

roads::Placement placement_of(ObjectReader& reader, const SystemReader& in) {
  roads::Placement at;
  if (const Json* place = reader.find("at"); place != nullptr) {
    const std::vector<double> xy = in.numbers(*place, in.length());
    if (xy.size() != 2) place->fail("wrong-size", "\"at\" is [x, y]");
    at.x = xy[0];
    at.y = xy[1];
  }
  at.heading = in.number(reader, "heading", 0.0);
  return at;
}

/// Reads a cleat, pothole or kerb.
roads::Bump bump_of(ObjectReader& reader, const std::string& type, const SystemReader& in) {
  const roads::Placement at = placement_of(reader, in);
  const bool is_hole = type == "pothole";
  roads::Bump::Size size;
  size.height = in.number(reader.need(is_hole ? "depth" : "height"), in.length());
  if (is_hole) size.height = -size.height;
  size.length = type == "kerb" ? std::numeric_limits<double>::infinity()
                               : in.number(reader.need("length"), in.length());
  if (is_hole)
    size.width = in.number(reader.need("width"), in.length());
  else if (const auto width = in.maybe(reader, "width", in.length()); width)
    size.width = *width;
  size.ramp = in.number(reader, "ramp", kRamp, in.length());
  return {at, size};
}

/// Reads a sine, swept sine or twist track.
roads::Wave wave_of(ObjectReader& reader, const std::string& type, const SystemReader& in) {
  const roads::Placement at = placement_of(reader, in);
  roads::Wave::Shape shape;
  shape.amplitude = in.number(reader.need("amplitude"), in.length());
  const Json& wavelength = reader.need("wavelength");
  if (type == "swept-sine") {
    const std::vector<double> ends = in.numbers(wavelength, in.length());
    if (ends.size() != 2)
      wavelength.fail("wrong-size", "of a swept sine, \"wavelength\" is [first, last]");
    shape.first_wavelength = ends[0];
    shape.last_wavelength = ends[1];
  } else {
    shape.first_wavelength = shape.last_wavelength = in.number(wavelength, in.length());
  }
  shape.length = in.number(reader.need("length"), in.length());
  shape.track = in.number(reader, "track", kTrack, in.length());
  shape.shift = type == "twist" ? std::numbers::pi : in.number(reader, "shift", 0.0);
  const roads::Wave wave(at, shape);
  if (wave.jump() > kWaveStep * std::abs(shape.amplitude))
    in.diagnostics().warn(
        "road-step",
        fmt::format("{}: it begins or ends {:.3g} m above or below the flat road; "
                    "only waves of a whole number of half wavelengths join it",
                    reader.what(),
                    wave.jump()),
        reader.value().where());
  return wave;
}

roads::Layer layer_of(const Json& value, const SystemReader& in) {
  ObjectReader reader(value, "layer of a road");
  const std::string type = choice(reader.need("type"),
                                  {"plane",
                                   "file",
                                   "profile",
                                   "iso8608",
                                   "cleat",
                                   "pothole",
                                   "kerb",
                                   "sine",
                                   "swept-sine",
                                   "twist"});
  const auto read = [&]() -> roads::Layer {
    if (type == "plane") return plane_of(reader, in);
    if (type == "file") return file_of(reader, in);
    if (type == "profile")
      return profile_of(in.table(reader.need("profile"), in.length(), in.length()));
    if (type == "iso8608") return random_of(reader, in);
    if (type == "cleat" || type == "pothole" || type == "kerb") return bump_of(reader, type, in);
    return wave_of(reader, type, in);
  };
  roads::Layer layer = placed_at(value, read);
  reader.finish();
  return layer;
}

/// The members of a road that vertical tyres also support.
Json without_friction(const Json& value) {
  Json out = value;
  for (const char* key : {"friction", "patches"})
    out.erase(key);
  return out;
}

/// A single surface, without "layers" and with the members that vertical tyres also support.
roads::Layer surface_of(const Json& value, ObjectReader& reader, const SystemReader& in) {
  const bool is_file = value.find("file") != nullptr, is_plane = value.find("slope") != nullptr;
  if (is_file || is_plane)
    for (const char* key : {"slope", "height", "profile", "iso8608"}) {
      const std::string_view name = key;
      const Json* other = value.find(key);
      if (other == nullptr || (!is_file && (name == "slope" || name == "height"))) continue;
      other->fail("road",
                  fmt::format("\"{}\" beside \"{}\"", key, is_file ? "file" : "slope"),
                  "a road is one surface; keep one, or make them \"layers\", whose heights add");
    }
  if (is_file) return file_of(reader, in);
  if (is_plane) return plane_of(reader, in);
  for (const char* key : {"height", "profile", "iso8608", "seed", "length"})
    static_cast<void>(reader.find(key));
  const mbd_solver::Road road = read_road(without_friction(value), in);
  if (road.kind == mbd_solver::Road::Kind::plane && road.height.is_number())
    return roads::Plane{.height = road.height.number()};
  if (road.kind == mbd_solver::Road::Kind::profile) return profile_of(road.profile);
  if (road.kind == mbd_solver::Road::Kind::iso8608) {
    roads::RandomRoad random;
    random.roughness = roads::iso8608_roughness(road.iso_class);
    random.length = road.length;
    random.seed = road.seed;
    return made_road(random, std::nullopt, 0.0, in);
  }
  value.fail("road", "a rolling wheel needs a road whose height does not change with time");
}

std::vector<roads::FrictionPatch> patches_of(const Json& value, const SystemReader& in) {
  std::vector<roads::FrictionPatch> out;
  for (const Json& item : value.items()) {
    ObjectReader reader(item, "friction patch");
    roads::FrictionPatch patch;
    patch.at = placement_of(reader, in);
    patch.length = in.number(reader.need("length"), in.length());
    patch.width = in.number(reader.need("width"), in.length());
    patch.friction = in.number(reader.need("friction"));
    reader.finish();
    out.push_back(patch);
  }
  return out;
}

}  // namespace

std::shared_ptr<const roads::Road> read_wheel_road(const Json& value, const SystemReader& in) {
  ObjectReader reader(value, "road");
  reader.declare_keys({"layers", "file", "slope", "height", "profile", "iso8608"});
  const double friction = in.number(reader, "friction", 1.0);
  std::vector<roads::FrictionPatch> patches;
  if (const Json* given = reader.find("patches"); given != nullptr)
    patches = patches_of(*given, in);
  std::vector<roads::Layer> layers;
  if (const Json* list = reader.find("layers"); list != nullptr) {
    for (const char* key : {"file", "slope", "height", "profile", "iso8608"})
      if (const Json* other = value.find(key); other != nullptr)
        other->fail(
            "road", fmt::format("\"{}\" beside \"layers\"", key), "make it one of the layers");
    for (const Json& item : list->items())
      layers.push_back(layer_of(item, in));
  } else {
    layers.push_back(placed_at(value, [&]() { return surface_of(value, reader, in); }));
  }
  reader.finish();
  return placed_at(value, [&]() {
    return std::make_shared<const roads::Road>(std::move(layers), friction, patches);
  });
}

SystemRoad::SystemRoad(const Json& value, const SystemReader& in) : value_(&value) {
  for (const char* key : {"layers", "file", "slope"})
    if (value.find(key) != nullptr) return;  // only rolling wheels support this road
  vertical_ = read_road(without_friction(value), in);
}

void SystemRoad::tell_if_unused(const mbd_solver::System& system, Diagnostics& notes) const {
  if (!is_given() || is_used_) return;
  const auto is_tyre = [](const mbd_solver::Force& force) {
    return std::holds_alternative<mbd_solver::RollingTyre>(force.law) ||
           std::holds_alternative<mbd_solver::Tyre>(force.law);
  };
  if (std::none_of(system.forces.begin(), system.forces.end(), is_tyre)) return;
  notes.warn("road-unused",
             "no tyre takes the road of the system, because each has one of its own; give this one "
             "to them, or to the parts that have them: \"parts\": { NAME: { \"road\": ... } }",
             value_->where());
}

const mbd_solver::Road& SystemRoad::vertical() const {
  is_used_ = true;
  if (!vertical_)
    value_->fail("road",
                 "a vertical tyre takes \"height\", \"profile\" or \"iso8608\" alone",
                 "give the tyre a \"road\" of its own, or a \"file\" so that it rolls");
  return *vertical_;
}

std::shared_ptr<const roads::Road> SystemRoad::rolling(const SystemReader& in) const {
  is_used_ = true;
  if (rolling_ == nullptr) rolling_ = read_wheel_road(*value_, in);
  return rolling_;
}

}  // namespace femflex::tools
