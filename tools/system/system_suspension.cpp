// Reads the members of a system file that describe friction, leaf springs, air springs, dampers on
// mounts, anti-roll bars, the Maxwell arms of bushings, and rolling wheels.
#include <fmt/format.h>

#include "femflex/tyres/tyre.h"

#include "document/placed_at.h"
#include "system/force_input.h"
#include "system/system_road.h"
#include "system/wheel_files.h"
#include "system/wheels.h"

namespace femflex::tools {
namespace {

using namespace mbd_solver;  // the names below are types of the solver

laws::FrictionModel friction_model(ObjectReader& reader) {
  const Json* model = reader.find("model");
  if (model == nullptr) return laws::FrictionModel::regularised;
  const std::string name = choice(*model, {"regularised", "set-valued", "lugre", "dahl"});
  return name == "lugre"        ? laws::FrictionModel::lugre
         : name == "dahl"       ? laws::FrictionModel::dahl
         : name == "set-valued" ? laws::FrictionModel::set_valued
                                : laws::FrictionModel::regularised;
}

/// Reads "enveloping": true for the cams `usual`, an object for other cams, false for none.
std::optional<Cams> read_cams(const Json& value, const Cams& usual, const SystemReader& in) {
  if (!value.is_object())
    return value.boolean() ? std::optional<Cams>(usual) : std::optional<Cams>();
  ObjectReader reader(value, "enveloping");
  const auto size = [&](const char* key, double fallback) {
    const double number = in.maybe(reader, key, in.length()).value_or(fallback);
    if (!(number > 0.0)) value.fail("enveloping", fmt::format("{} is not above 0", key));
    return number;
  };
  Cams out;
  out.length = size("length", usual.length);
  out.height = size("height", usual.height);
  out.shift = size("shift", usual.shift);
  out.order = in.number(reader, "order", usual.order);
  if (!(out.order > 1.0)) value.fail("enveloping", "order is not above 1: a cam is convex");
  reader.finish();
  return out;
}

}  // namespace

bool is_angle(const System& system, const std::string& joint, bool about) {
  for (const Joint& each : system.joints)
    if (each.name == joint)
      return each.type == JointType::revolute || (each.type == JointType::cylindrical && about);
  return false;
}

ForceLaw read_friction(const ForceInput& input) {
  const auto& [reader, value, road, system, in] = input;
  Friction out;
  out.joint = reader.text("joint", "");
  out.about = reader.boolean("about", false);
  if (out.joint.empty()) {
    out.a = reader.need("a").text();
    out.b = reader.need("b").text();
  }
  const bool turns = is_angle(system, out.joint, out.about);
  const double length = turns ? 1.0 : in.length();
  const double force = turns ? in.torque() : in.force();
  const double rate = length / in.time();
  out.model = friction_model(reader);
  const Json& sliding = reader.need("sliding");
  out.sliding = in.value(sliding, force);
  if (const Json* sticking = reader.find("sticking"); sticking != nullptr) {
    if (!out.sliding.is_number() || !(out.sliding.number() > 0.0))
      sticking->fail("sticking",
                     "beside a level of sliding that changes, or is 0, it has no meaning",
                     "give \"sticking_ratio\" instead");
    out.sticking_ratio = in.number(*sticking, force) / out.sliding.number();
  }
  out.sticking_ratio = in.number(reader, "sticking_ratio", out.sticking_ratio);
  out.stribeck_velocity = in.number(reader, "stribeck_velocity", 0.0, rate);
  out.viscous = in.number(reader, "viscous", 0.0, force / rate);
  if (const auto v0 = in.maybe(reader, "transition_velocity", rate); v0)
    out.transition_velocity = *v0;
  out.bristles.stiffness = in.number(reader, "stiffness", 0.0, force / length);
  out.bristles.damping = in.number(reader, "damping", 0.0, force / rate);
  out.bristles.exponent = in.number(reader, "exponent", 1.0);
  return out;
}

ContactFriction read_contact_friction(const Json& value, const SystemReader& in) {
  ObjectReader reader(value, "friction");
  ContactFriction out;
  out.model = friction_model(reader);
  out.level.sliding = in.number(reader.need("sliding"));
  out.level.sticking = in.number(reader, "sticking", out.level.sliding);
  out.level.stribeck_velocity = in.number(reader, "stribeck_velocity", 0.0, in.velocity());
  out.level.viscous = in.number(reader, "viscous", 0.0, 1.0 / in.velocity());
  if (const auto v0 = in.maybe(reader, "transition_velocity", in.velocity()); v0)
    out.transition_velocity = *v0;
  out.bristles.stiffness = in.number(reader, "stiffness", 0.0, 1.0 / in.length());
  out.bristles.damping = in.number(reader, "damping", 0.0, 1.0 / in.velocity());
  reader.finish();
  return out;
}

ForceLaw read_leaf_spring(const ForceInput& input) {
  const auto& [reader, value, road, system, in] = input;
  LeafSpring out;
  out.a = reader.need("a").text();
  out.b = reader.need("b").text();
  out.loading = in.table(reader.need("loading"), in.length(), in.force());
  out.unloading = in.table(reader.need("unloading"), in.length(), in.force());
  out.decay = in.number(reader.need("decay"), in.length());
  out.length = in.maybe(reader, "length", in.length());
  out.first_force = in.maybe(reader, "first_force", in.force());
  return out;
}

ForceLaw read_air_spring(const ForceInput& input) {
  const auto& [reader, value, road, system, in] = input;
  AirSpring out;
  const double pressure = in.force() / (in.length() * in.length());
  out.a = reader.need("a").text();
  out.b = reader.need("b").text();
  out.area = in.number(reader.need("area"), in.length() * in.length());
  out.volume = in.number(reader.need("volume"), in.length() * in.length() * in.length());
  out.pressure = in.number(reader.need("pressure"), pressure);
  out.exponent = in.number(reader, "exponent", out.exponent);
  if (const auto ambient = in.maybe(reader, "ambient", pressure); ambient) out.ambient = *ambient;
  out.length = in.maybe(reader, "length", in.length());
  return out;
}

ForceLaw read_mounted_damper(const ForceInput& input) {
  const auto& [reader, value, road, system, in] = input;
  MountedDamper out;
  out.a = reader.need("a").text();
  out.b = reader.need("b").text();
  out.stiffness = in.number(reader.need("mount_stiffness"), in.stiffness());
  if (const Json* curve = reader.find("curve"); curve != nullptr)
    out.curve = in.table(*curve, in.velocity(), in.force());
  else
    out.damping = in.number(reader.need("damping"), in.damping());
  out.length = in.maybe(reader, "length", in.length());
  return out;
}

ForceLaw read_anti_roll_bar(const ForceInput& input) {
  const auto& [reader, value, road, system, in] = input;
  AntiRollBar out;
  std::size_t k = 0;
  for (const char* side : {"left", "right"}) {
    const Json& line = reader.need(side);
    if (line.items().size() != 2)
      line.fail("wrong-size", fmt::format("{} places; expected two", line.items().size()));
    for (const Json& end : line.items())
      out.ends[k++] = end.text();
  }
  out.stiffness = in.number(reader.need("stiffness"), in.stiffness());
  out.damping = in.number(reader, "damping", 0.0, in.damping());
  return out;
}

ForceLaw read_rolling_tyre(const ForceInput& input) {
  const auto& [reader, value, road, system, in] = input;
  RollingTyre out;
  out.on = reader.need("on").text();
  out.axis = in.maybe_vector(reader, "axis");
  const Json& file = reader.need("file");
  const std::filesystem::path path = in.file(file);
  const auto held = read_once<tyres::ReadTyre>(in.cache(), "tyre " + path.string(), [&]() {
    return read_tyre_file(path, input.in.diagnostics());
  });
  const tyres::ReadTyre& read = *held;
  WheelOptions options;
  if (const Json* side = reader.find("side"); side != nullptr)
    options.side =
        choice(*side, {"left", "right"}) == "right" ? tyres::Side::right : tyres::Side::left;
  options.vertical_stiffness = in.number(reader, "vertical_stiffness", 0.0, in.stiffness());
  options.vertical_damping =
      in.maybe(reader, "vertical_damping", in.damping()).value_or(read.tyre.vertical_damping);
  if (const Json* given = value.find("vertical_stiffness");
      given != nullptr && !(options.vertical_stiffness > 0.0))
    given->fail("tyre", "vertical_stiffness is not above 0", "leave it out for that of the file");
  if (!(options.vertical_damping >= 0.0))
    value.find("vertical_damping")
        ->fail("tyre", "vertical_damping is below 0: it would drive the wheel");
  out.tyre = placed_at(file, [&] { return wheel_tyre(read.tyre, options); });
  std::optional<Cams> cams;
  if (const Json* enveloping = reader.find("enveloping"); enveloping != nullptr)
    cams = read_cams(*enveloping, cams_of(*out.tyre, tyres::nominal_load(read.tyre)), in);
  if (const Json* own = reader.find("road"); own != nullptr)
    out.road = shared_wheel_road(read_wheel_road(*own, in), cams);
  else if (road.is_given())
    out.road = shared_wheel_road(road.rolling(in), cams);
  else
    value.fail("missing-key", "tyre: no road, and the system has none", "add \"road\"");
  return out;
}

std::vector<MaxwellArm> read_arms(const Json& value, const SystemReader& in) {
  std::vector<MaxwellArm> arms;
  for (const Json& item : value.items()) {
    ObjectReader reader(item, "arm");
    MaxwellArm arm;
    const Json& stiffness = reader.need("stiffness");
    const std::vector<double> numbers = in.numbers(stiffness);
    if (numbers.size() != 6)
      stiffness.fail("wrong-size", fmt::format("{} numbers; expected 6", numbers.size()));
    for (int c = 0; c < 6; ++c)
      arm.stiffness(c) =
          numbers[static_cast<std::size_t>(c)] * (c < 3 ? in.stiffness() : in.torque());
    arm.time = in.number(reader.need("time"), in.time());
    reader.finish();
    arms.push_back(arm);
  }
  return arms;
}

}  // namespace femflex::tools
