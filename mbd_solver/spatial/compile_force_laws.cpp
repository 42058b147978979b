// The force laws of a system, each by a function of its own.
#include <cmath>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"

namespace femflex::mbd_solver {

void check_number(double value, const std::string& user, const char* what) {
  if (!std::isfinite(value))
    throw ModelError("not-finite", fmt::format("{}: {} is not finite", user, what));
}

void Compiler::add_force(const Force& force) {
  const std::string user = fmt::format("force {}", force.name);
  if (force.name.empty() || bodies_.contains(force.name) || joints_.contains(force.name) ||
      !forces_.emplace(force.name, static_cast<int>(model_.forces.size())).second)
    throw ModelError("name-twice",
                     fmt::format("'{}' cannot name a force, or names two things", force.name));
  ForceModel f;
  f.name = force.name;
  std::visit([&](const auto& law) { add_law(law, user, f); }, force.law);
  if (f.stiff) couple_modes(f);
  model_.forces.push_back(std::move(f));
}

// Stiffness on nodes couples the modes.
void Compiler::couple_modes(const ForceModel& f) {
  std::vector<int> held = f.ends;
  held.insert(held.end(), {f.a, f.b});
  for (const int m : held)
    if (m >= 0 && model_.markers[static_cast<std::size_t>(m)].on_node)
      model_.bodies[static_cast<std::size_t>(model_.markers[static_cast<std::size_t>(m)].body)]
          .dense_modes = true;
}

double Compiler::add_ends(const std::string& a,
                          const std::string& b,
                          const std::string& user,
                          ForceModel& f) {
  f.a = place(a, user);
  f.b = place(b, user);
  return (initial_frame(f.b).p - initial_frame(f.a).p).norm();
}

template <typename PointLoad>
void Compiler::add_point_load(const PointLoad& law, const std::string& user, ForceModel& f) {
  f.b = place(law.on, user);
  f.in_body_frame = law.in_body_frame;
  for (std::size_t c = 0; c < 3; ++c)
    f.vector[c] = signal(law.value[c], user);
  if (!law.reaction_on.empty()) f.a = marker_at(place(law.reaction_on, user), initial_frame(f.b));
  for (const Signal& s : f.vector)
    f.stiff = f.stiff || !s.only_time();
}

void Compiler::add_law(const PointForce& law, const std::string& user, ForceModel& f) {
  f.kind = ForceModel::Kind::point_force;
  add_point_load(law, user, f);
}

void Compiler::add_law(const PointTorque& law, const std::string& user, ForceModel& f) {
  f.kind = ForceModel::Kind::point_torque;
  add_point_load(law, user, f);
}

void Compiler::add_law(const SpringDamper& law, const std::string& user, ForceModel& f) {
  f.kind = ForceModel::Kind::spring_damper;
  const double initial = add_ends(law.a, law.b, user, f);
  f.length = law.length ? *law.length : initial;
  check_number(f.length, user, "the free length");
  f.stiffness = signal(law.stiffness, user);
  f.damping = signal(law.damping, user);
  f.value = signal(law.force, user);
  check_number(law.quartic, user, "the quartic stiffness");
  f.quartic = law.quartic;
  f.tension_only = law.tension_only;
  if (law.curve) f.curve = curve_of(*law.curve, user);
  if (!law.law.empty()) f.law.emplace(law.law, std::vector<std::string>{"e", "L", "d"});
  f.growth = law.growth;
  if (law.damper_curve) f.damper_curve = curve_of(*law.damper_curve, user);
  keep_limits(law, user, f);
  f.stiff = true;
}

void Compiler::keep_limits(const SpringDamper& law, const std::string& user, ForceModel& f) {
  if (!(law.break_force > 0.0) || std::isnan(law.break_elongation))
    throw ModelError("break", fmt::format("{}: a limit that no spring can meet", user));
  f.break_force = law.break_force;
  f.break_elongation = law.break_elongation;
  if (std::isfinite(f.break_force) || std::isfinite(f.break_elongation)) f.broken = model_.turns++;
}

void Compiler::add_law(const TorsionalSpring& law, const std::string& user, ForceModel& f) {
  f.kind = ForceModel::Kind::torsional;
  f.joint = joint_index(law.joint, user);
  track_angle(f.joint, user);
  f.a = model_.joints[static_cast<std::size_t>(f.joint)].legs[0];
  f.b = model_.joints[static_cast<std::size_t>(f.joint)].legs[1];
  f.stiffness = signal(law.stiffness, user);
  f.damping = signal(law.damping, user);
  f.value = signal(law.torque, user);
  f.length = law.free_angle;
  check_number(f.length, user, "the free angle");
  f.stiff = true;
}

void Compiler::add_law(const Bushing& law, const std::string& user, ForceModel& f) {
  f.kind = ForceModel::Kind::bushing;
  const int a = place(law.a, user), b = place(law.b, user);
  WorldFrame frame = initial_frame(b);
  if (law.at) frame.p = *law.at;
  frame.R = law.axes;
  f.a = marker_at(a, frame);
  f.b = marker_at(b, frame);
  f.K = law.stiffness;
  f.C = law.damping;
  f.preload = law.preload;
  check_finite(f.K, user + ": stiffness");
  check_finite(f.C, user + ": damping");
  check_finite(f.preload, user + ": preload");
  f.stiff = true;
}

void Compiler::add_law(const BumpStop& law, const std::string& user, ForceModel& f) {
  f.kind = ForceModel::Kind::bump_stop;
  add_ends(law.a, law.b, user, f);
  f.min = law.min;
  f.max = law.max;
  if (!(law.min <= law.max))
    throw ModelError("bump-stop",
                     fmt::format("{}: min {} m lies above max {} m", user, law.min, law.max));
  f.stiffness.number = law.stiffness;
  f.damping.number = law.damping;
  check_number(law.stiffness + law.damping, user, "stiffness or damping");
  f.stiff = true;
}

void Compiler::add_law(const Contact& law, const std::string& user, ForceModel& f) {
  f.kind = ForceModel::Kind::contact;
  f.b = place(law.on, user);
  const int plane = place(law.plane, user);
  WorldFrame frame = initial_frame(plane);
  if (law.normal) frame.R = frame_about(*law.normal);
  f.a = marker_at(plane, frame);
  f.stiffness.number = law.stiffness;
  f.damping.number = law.damping;
  f.exponent = law.exponent;
  check_number(law.stiffness + law.damping + law.exponent, user, "a number");
  f.stiff = true;
}

void Compiler::add_law(const Tyre& law, const std::string& user, ForceModel& f) {
  f.kind = ForceModel::Kind::tyre;
  f.b = place(law.on, user);
  f.radius = law.radius;
  f.stiffness.number = law.stiffness;
  f.damping.number = law.damping;
  f.lifts_off = law.lifts_off;
  f.speed = law.speed;
  check_number(law.radius + law.stiffness + law.damping + law.speed, user, "a number");
  if (law.road.kind == Road::Kind::plane)
    f.road_height = signal(law.road.height, user);
  else
    f.road = profile(law.road, user);
  f.stiff = true;
}

void Compiler::add_law(const ModalForce& law, const std::string& user, ForceModel& f) {
  f.kind = ForceModel::Kind::modal;
  f.body = body_index(law.body, user);
  const BodyModel& b = model_.bodies[static_cast<std::size_t>(f.body)];
  if (b.kind != BodyModel::Kind::flexible)
    throw ModelError("not-flexible", fmt::format("{}: {} has no modes", user, law.body));
  const FlexModel& flex = model_.flexes[static_cast<std::size_t>(b.flex)];
  if (law.load.size() != flex.X.rows())
    throw ModelError(
        "mode-count",
        fmt::format(
            "{}: a load on {} modes, {} has {}", user, law.load.size(), law.body, flex.X.rows()));
  check_finite(law.load, user + ": load");
  f.load = flex.X.transpose() * law.load;
  f.value = signal(law.value, user);
}

}  // namespace femflex::mbd_solver
