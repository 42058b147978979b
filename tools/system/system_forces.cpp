// Reads "joints", "motions" and "forces" of a system file.
#include <array>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/mbd_solver/road.h"

#include "document/placed_at.h"
#include "system/force_input.h"
#include "system/system_reader.h"

namespace femflex::tools {
namespace {

using namespace mbd_solver;  // the names below are types of the solver

Eigen::Matrix<double, 6, 6> six_by_six(const Json& value,
                                       double translation,
                                       double rotation,
                                       const SystemReader& in) {
  const std::vector<Json>& rows = value.items();
  if (rows.size() != 6)
    value.fail("wrong-size",
               fmt::format("{} entries where 6 (diagonal) or 6 rows were expected", rows.size()));
  Eigen::Matrix<double, 6, 6> out = Eigen::Matrix<double, 6, 6>::Zero();
  // rows are force and torque, columns are displacement and rotation
  for (Eigen::Index r = 0; r < 6; ++r) {
    const Json& row = rows[static_cast<std::size_t>(r)];
    if (!row.is_list()) {
      out(r, r) = in.number(row, r < 3 ? translation : rotation);
      continue;
    }
    const std::vector<double> numbers = in.numbers(row);
    if (numbers.size() != 6)
      row.fail("wrong-size", fmt::format("{} numbers in a row of 6", numbers.size()));
    for (Eigen::Index c = 0; c < 6; ++c) {
      const double factor = r < 3 && c < 3     ? translation
                            : r >= 3 && c >= 3 ? rotation
                                               : translation * in.length();
      out(r, c) = numbers[static_cast<std::size_t>(c)] * factor;
    }
  }
  return out;
}

/// Calls read(axis, value) for each axis of a bushing that an object contains.
template <typename Read>
void read_bushing_axes(const Json& value, const char* what, const Read& read) {
  ObjectReader reader(value, what);
  for (std::size_t axis = 0; axis < kBushingAxes.size(); ++axis)
    if (const Json* item = reader.find(kBushingAxes[axis]); item != nullptr) read(axis, *item);
  reader.finish();
}

void read_curves(const Json& value, const SystemReader& in, Bushing& out) {
  read_bushing_axes(value, "curves", [&](std::size_t axis, const Json& table) {
    out.curves[axis] =
        axis < 3 ? in.table(table, in.length(), in.force()) : in.table(table, 1.0, in.torque());
  });
}

void read_rubber(const Json& value, const SystemReader& in, Bushing& out) {
  read_bushing_axes(value, "friction", [&](std::size_t axis, const Json& item) {
    ObjectReader reader(item, "friction");
    laws::RubberFriction& friction = out.friction[axis];
    friction.level = in.number(reader.need("level"), axis < 3 ? in.force() : in.torque());
    friction.half_way = in.number(reader.need("half_way"), axis < 3 ? in.length() : 1.0);
    reader.finish();
  });
}

ForceLaw read_bushing(const ForceInput& input) {
  const auto& [reader, value, road, system, in] = input;
  Bushing out;
  out.a = reader.need("a").text();
  out.b = reader.need("b").text();
  out.at = in.maybe_vector(reader, "at", in.length());
  const double turn_stiffness = in.torque();
  const Json* curves = reader.find("curves");
  if (const Json* stiffness = reader.find("stiffness"); stiffness != nullptr)
    out.stiffness = six_by_six(*stiffness, in.stiffness(), turn_stiffness, in);
  else if (curves == nullptr)
    static_cast<void>(reader.need("stiffness"));
  if (const Json* damping = reader.find("damping"); damping != nullptr)
    out.damping = six_by_six(*damping, in.damping(), in.torque() * in.time(), in);
  if (const Json* preload = reader.find("preload"); preload != nullptr) {
    const std::vector<double> six = in.numbers(*preload);
    if (six.size() != 6) preload->fail("wrong-size", "preload is 3 forces and 3 torques");
    for (Eigen::Index i = 0; i < 6; ++i)
      out.preload(i) = six[static_cast<std::size_t>(i)] * (i < 3 ? in.force() : in.torque());
  }
  if (const Json* arms = reader.find("arms"); arms != nullptr) out.arms = read_arms(*arms, in);
  if (curves != nullptr) read_curves(*curves, in, out);
  if (const Json* friction = reader.find("friction"); friction != nullptr)
    read_rubber(*friction, in, out);
  if (const Json* axes = reader.find("axes"); axes != nullptr) out.axes = in.orientation(*axes);
  return out;
}

ForceLaw read_spring(const ForceInput& input) {
  const auto& [reader, value, road, system, in] = input;
  SpringDamper out;
  out.a = reader.need("a").text();
  out.b = reader.need("b").text();
  out.stiffness = in.value(reader, "stiffness", 0.0, in.stiffness());
  out.damping = in.value(reader, "damping", 0.0, in.damping());
  out.length = in.maybe(reader, "length", in.length());
  out.force = in.value(reader, "force", 0.0, in.force());
  if (const Json* curve = reader.find("curve"); curve != nullptr)
    out.curve = in.table(*curve, in.length(), in.force());
  if (const Json* curve = reader.find("damper_curve"); curve != nullptr)
    out.damper_curve = in.table(*curve, in.velocity(), in.force());
  out.tension_only = reader.boolean("tension_only", false);
  if (const auto limit = in.maybe(reader, "break_force", in.force()); limit)
    out.break_force = *limit;
  if (const auto limit = in.maybe(reader, "break_elongation", in.length()); limit)
    out.break_elongation = *limit;
  return out;
}

/// Makes a random road once for the systems of many runs.
void share_road(Road& road, const Json& value, ReadCache& cache) {
  placed_at(value, [&] {
    road.profile = *cache.recently_made<Table>(
        fmt::format("road {} {} {}", road.iso_class, road.seed, road.length),
        [&]() { return iso8608_profile(road.iso_class, road.seed, road.length); });
  });
}

ForceLaw read_tyre(const ForceInput& input) {
  const auto& [reader, value, road, system, in] = input;
  if (value.find("file") != nullptr) return read_rolling_tyre(input);
  Tyre out;
  out.on = reader.need("on").text();
  out.radius = in.number(reader.need("radius"), in.length());
  out.stiffness = in.number(reader.need("stiffness"), in.stiffness());
  out.damping = in.number(reader, "damping", 0.0, in.damping());
  out.lifts_off = reader.boolean("lifts_off", true);
  out.speed = in.number(reader, "speed", 0.0, in.velocity());
  const Json* own = reader.find("road");
  if (own != nullptr)
    out.road = read_road(*own, in);
  else if (road.is_given())
    out.road = road.vertical();
  else
    value.fail("missing-key", "tyre: no road, and the system has none", "add \"road\"");
  if (out.road.kind == Road::Kind::iso8608 && in.cache() != nullptr)
    share_road(out.road, own != nullptr ? *own : value, *in.cache());
  return out;
}

ForceLaw read_modal(const ForceInput& input) {
  const auto& [reader, value, road, system, in] = input;
  ModalForce out;
  const Json& body = reader.need("body");
  out.body = body.text();
  if (system.find_body(out.body) == nullptr)
    body.fail("no-such-body", fmt::format("no body '{}'", out.body));
  const std::vector<double> load = in.numbers(reader.need("load"));
  out.load = Eigen::Map<const Eigen::VectorXd>(load.data(), static_cast<Eigen::Index>(load.size()));
  out.value = in.value(reader, "value", 1.0);
  return out;
}

template <typename Law>
ForceLaw read_point_load(const ForceInput& input, double factor) {
  const auto& [reader, value, road, system, in] = input;
  Law out;
  out.on = reader.need("on").text();
  out.value = in.value3(reader.need("value"), factor);
  out.in_body_frame = reader.boolean("in_body_frame", false);
  out.reaction_on = reader.text("reaction_on", "");
  return out;
}

ForceLaw read_torsional_spring(const ForceInput& input) {
  const auto& [reader, value, road, system, in] = input;
  TorsionalSpring out;
  out.joint = reader.need("joint").text();
  out.stiffness = in.value(reader, "stiffness", 0.0, in.torque());
  out.damping = in.value(reader, "damping", 0.0, in.torque() * in.time());
  out.free_angle = in.number(reader, "free_angle", 0.0);
  out.torque = in.value(reader, "torque", 0.0, in.torque());
  return out;
}

ForceLaw read_bump_stop(const ForceInput& input) {
  const auto& [reader, value, road, system, in] = input;
  BumpStop out;
  out.joint = reader.text("joint", "");
  out.about = reader.boolean("about", false);
  if (out.joint.empty()) {
    out.a = reader.need("a").text();
    out.b = reader.need("b").text();
  } else {
    out.min = -out.max;
  }
  if (value.find("min") == nullptr && value.find("max") == nullptr)
    value.fail("missing-key",
               "bump-stop: neither 'min' nor 'max' is given, so it would never act",
               "add the limits of the distance, angle or displacement");
  const bool turns = is_angle(system, out.joint, out.about);
  const double length = turns ? 1.0 : in.length(), force = turns ? in.torque() : in.force();
  out.min = in.number(reader, "min", out.min, length);
  out.max = in.number(reader, "max", out.max, length);
  if (const Json* curve = reader.find("curve"); curve != nullptr)
    out.curve = in.table(*curve, length, force);
  out.stiffness = out.curve ? in.number(reader, "stiffness", 0.0, force / length)
                            : in.number(reader.need("stiffness"), force / length);
  out.damping = in.number(reader, "damping", 0.0, force * in.time() / length);
  return out;
}

struct ForceType {
  const char* name;
  ForceLaw (*read)(const ForceInput&);
};

/// The values of "type" of a force, each with the function that reads it.
constexpr ForceType kForceTypes[] = {
    {"force", [](const ForceInput& f) { return read_point_load<PointForce>(f, f.in.force()); }},
    {"torque", [](const ForceInput& f) { return read_point_load<PointTorque>(f, f.in.torque()); }},
    {"spring-damper", read_spring},
    {"torsional-spring", read_torsional_spring},
    {"bushing", read_bushing},
    {"bump-stop", read_bump_stop},
    {"contact", read_contact},
    {"friction", read_friction},
    {"leaf-spring", read_leaf_spring},
    {"air-spring", read_air_spring},
    {"tyre", read_tyre},
    {"modal", read_modal},
    {"moving-load", read_moving_load},
    {"damper", read_mounted_damper},
    {"anti-roll-bar", read_anti_roll_bar},
};

}  // namespace

namespace {

JointStart read_joint_start(const Json& value, const std::string& joint, const SystemReader& in) {
  ObjectReader reader(value, fmt::format("joint '{}': initial", joint));
  JointStart out;
  out.angle = in.maybe(reader, "angle");
  out.angle_rate = in.maybe(reader, "angle_rate", 1.0 / in.time());
  out.displacement = in.maybe(reader, "displacement", in.length());
  out.displacement_rate = in.maybe(reader, "displacement_rate", in.velocity());
  reader.finish();
  return out;
}

}  // namespace

Joint read_joint(const std::string& name, const Json& value, const SystemReader& in) {
  ObjectReader reader(value, fmt::format("joint '{}'", name));
  Joint out;
  out.name = name;
  const Json& type = reader.need("type");
  try {
    out.type = parse_joint_type(type.text());
  } catch (const Error& error) {
    type.fail("unknown-choice", error.message(), error.fix());
  }
  if (out.type == JointType::gear) {
    out.joint_a = reader.need("joint_a").text();
    out.joint_b = reader.need("joint_b").text();
    out.ratio = in.number(reader, "ratio", 1.0);
    out.joint_c = reader.text("joint_c", "");
    if (!out.joint_c.empty()) out.ratio_c = in.number(reader.need("ratio_c"));
  } else {
    out.a = reader.need("a").text();
    out.b = reader.need("b").text();
  }
  out.at = in.maybe_vector(reader, "at", in.length());
  out.axis = in.maybe_vector(reader, "axis");
  out.axis_b = in.maybe_vector(reader, "axis_b");
  out.length = in.maybe(reader, "length", in.length());
  if (out.type == JointType::screw) {
    const Json& pitch = reader.need("pitch");
    out.pitch = in.number(pitch, in.length());
    if (out.pitch == 0.0)
      pitch.fail("no-pitch",
                 fmt::format("joint '{}': a screw of pitch 0 does not move along its axis", name),
                 "give the displacement of one turn, or make it a revolute joint");
  } else if (const Json* pitch = value.find("pitch"); pitch != nullptr) {
    pitch->fail("unknown-key",
                fmt::format("joint '{}': a {} joint has no 'pitch'", name, name_of(out.type)),
                "leave it out, or make it a screw joint");
  }
  if (const Json* initial = reader.find("initial"); initial != nullptr)
    out.initial = read_joint_start(*initial, name, in);
  reader.finish();
  return out;
}

Motion read_motion(const std::string& name, const Json& value, const SystemReader& in) {
  ObjectReader reader(value, fmt::format("motion '{}'", name));
  Motion out;
  out.name = name;
  out.joint = reader.text("joint", "");
  out.on = reader.text("on", "");
  struct Coordinate {
    const char* key;
    Motion::Coordinate coordinate;
    bool of_joint;
  };
  constexpr Coordinate kCoordinates[] = {{"angle", Motion::Coordinate::angle, true},
                                         {"displacement", Motion::Coordinate::displacement, true},
                                         {"x", Motion::Coordinate::x, false},
                                         {"y", Motion::Coordinate::y, false},
                                         {"z", Motion::Coordinate::z, false}};
  int found = 0;
  for (const Coordinate& each : kCoordinates) {
    const Json* formula = reader.find(each.key);
    if (formula == nullptr) continue;
    ++found;
    out.coordinate = each.coordinate;
    out.value =
        in.value(*formula, each.coordinate == Motion::Coordinate::angle ? 1.0 : in.length());
    if ((each.of_joint ? out.joint : out.on).empty())
      formula->fail(
          "missing-key",
          fmt::format(
              "motion '{}': '{}' needs \"{}\"", name, each.key, each.of_joint ? "joint" : "on"));
  }
  reader.finish();
  if (found != 1)
    value.fail("missing-key",
               fmt::format("motion '{}': {} coordinates are given", name, found),
               "give one of angle, displacement, x, y, z");
  return out;
}

Road read_road(const Json& value, const SystemReader& in) {
  ObjectReader reader(value, "road");
  Road out;
  const Json* height = reader.find("height");
  const Json* profile = reader.find("profile");
  const Json* iso = reader.find("iso8608");
  const Json* seed = reader.find("seed");
  out.length = in.number(reader, "length", 1000.0, in.length());
  reader.finish();
  for (const Json* other : {profile, iso})
    if (other != nullptr && (height != nullptr || (other == iso && profile != nullptr)))
      other->fail("road",
                  "a road has one of \"height\", \"profile\" and \"iso8608\", here are two",
                  "keep one, or make them \"layers\", whose heights add");
  if (height != nullptr) {
    out.kind = Road::Kind::plane;
    out.height = in.value(*height, in.length());
  } else if (profile != nullptr) {
    out.kind = Road::Kind::profile;
    out.profile = in.table(*profile, in.length(), in.length());
  } else if (iso != nullptr) {
    out.kind = Road::Kind::iso8608;
    out.iso_class = choice(*iso, {"A", "B", "C", "D", "E", "F", "G", "H"}).front();
    if (seed != nullptr) out.seed = static_cast<std::uint64_t>(in.whole(*seed, 0));
  } else {
    value.fail("missing-key", "road: no height, profile or iso8608");
  }
  return out;
}

Force read_force(const std::string& name,
                 const Json& value,
                 const SystemRoad& road,
                 const System& system,
                 const SystemReader& in) {
  ObjectReader reader(value, fmt::format("force '{}'", name));
  std::vector<std::string> names;
  for (const ForceType& type : kForceTypes)
    names.emplace_back(type.name);
  const std::string type = choice(reader.need("type"), names);
  const Json* a = value.find("a");
  const Json* b = value.find("b");
  if (a != nullptr && b != nullptr && a->text() == b->text())
    b->fail("force-on-itself",
            fmt::format("force '{}': a and b are both '{}'", name, b->text()),
            "name two places");
  Force out;
  out.name = name;
  for (const ForceType& known : kForceTypes)
    if (type == known.name) out.law = known.read({reader, value, road, system, in});
  reader.finish();
  return out;
}

}  // namespace femflex::tools
