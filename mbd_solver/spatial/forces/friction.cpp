// Friction against the rate of an angle, a displacement or a distance: regularised Coulomb with
// Stribeck's fall, LuGre, Dahl.
#include "spatial/forces/friction.h"

#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"

namespace femflex::mbd_solver {

using Eigen::Vector3d;

namespace {

// [m], [rad] deflection of bristles that tolerances refer to
constexpr double kDeflectionUnit = 1e-5;

/// Direction of the coordinate, and its rate.
struct Sliding {
  Vector3d e = Vector3d::Zero();
  double rate = 0.0;
};

Sliding sliding_of(FrictionLaw::Coordinate coordinate,
                   const MarkerKinematics& a,
                   const MarkerKinematics& b) {
  Sliding out;
  const Vector3d d = b.p - a.p;
  switch (coordinate) {
    case FrictionLaw::Coordinate::angle:
      out.e = a.R.col(2);
      out.rate = out.e.dot(b.w - a.w);
      break;
    case FrictionLaw::Coordinate::displacement:
      out.e = a.R.col(2);
      out.rate = out.e.dot(b.v - a.v - a.w.cross(d));
      break;
    case FrictionLaw::Coordinate::distance:
      if (const double length = d.norm(); length > 0.0) out.e = d / length;
      out.rate = out.e.dot(b.v - a.v);
      break;
  }
  return out;
}

}  // namespace

PairLoad FrictionLaw::load(const Model& compiled,
                           const Workspace& ws,
                           const MarkerKinematics& a_now,
                           const MarkerKinematics& b_now,
                           const double* states,
                           double* rates) const {
  PairLoad load;
  const Sliding now = sliding_of(coordinate, a_now, b_now);
  const double level_now = std::abs(value_of(compiled, ws, sliding));
  const laws::FrictionLevel level = {
      level_now, sticking_ratio * level_now, stribeck_velocity, viscous};
  double force = 0.0;
  switch (model) {
    case laws::FrictionModel::regularised:
      force = laws::regularised_friction(level, transition_velocity, now.rate);
      break;
    case laws::FrictionModel::lugre:
      rates[0] = laws::lugre_rate(bristles, level, now.rate, states[0]);
      force = laws::lugre_force(bristles, level, now.rate, states[0], rates[0]);
      load.length = states[0];
      break;
    case laws::FrictionModel::dahl:
      rates[0] = laws::dahl_rate(bristles, level, now.rate, states[0]);
      force = bristles.stiffness * states[0] + viscous * now.rate;
      load.length = states[0];
      break;
  }
  load.value = -force;
  load.power_input = -force * now.rate;
  if (coordinate == Coordinate::angle) {
    load.torque_b = -force * now.e;
    load.torque_a = -load.torque_b;
    return load;
  }
  load.force_b = -force * now.e;
  load.force_a = -load.force_b;
  if (coordinate == Coordinate::displacement)
    load.torque_a = -(b_now.p - a_now.p).cross(load.force_b);
  return load;
}

void check_friction(const laws::FrictionLevel& level,
                    const laws::Bristles& bristles,
                    double transition_velocity,
                    laws::FrictionModel model,
                    const std::string& user) {
  const auto need = [&](bool holds, const char* what, double value, const char* expected) {
    if (!holds)
      throw ModelError("friction",
                       fmt::format("{}: {} is {}; expected {}", user, what, value, expected));
  };
  const auto is_positive = [](double x) { return x > 0.0 && std::isfinite(x); };
  const auto is_not_negative = [](double x) { return x >= 0.0 && std::isfinite(x); };
  need(is_not_negative(level.sliding), "sliding", level.sliding, "0 or more");
  need(level.sticking >= level.sliding && std::isfinite(level.sticking),
       "sticking",
       level.sticking,
       "at least the level of sliding");
  need(is_not_negative(level.stribeck_velocity),
       "stribeck_velocity",
       level.stribeck_velocity,
       "0 or more");
  need(is_not_negative(level.viscous), "viscous", level.viscous, "0 or more");
  if (model == laws::FrictionModel::regularised) {
    need(is_positive(transition_velocity), "transition_velocity", transition_velocity, "above 0");
    return;
  }
  need(is_positive(bristles.stiffness), "stiffness", bristles.stiffness, "above 0");
  need(is_not_negative(bristles.damping), "damping", bristles.damping, "0 or more");
  need(is_positive(bristles.exponent), "exponent", bristles.exponent, "above 0");
  if (model == laws::FrictionModel::lugre)
    need(level.sliding > 0.0, "sliding", level.sliding, "above 0: bristles need a level");
}

FrictionLaw compile_law(const Friction& friction, const std::string& user, Compiler& compiler) {
  using Coordinate = FrictionLaw::Coordinate;
  FrictionLaw law;
  if (friction.joint.empty()) {
    law.a = compiler.place(friction.a, user);
    law.b = compiler.place(friction.b, user);
  } else {
    const int index = compiler.joint_index(friction.joint, user);
    const JointModel& joint = compiler.model().joints[static_cast<std::size_t>(index)];
    const bool turns = joint.type == JointType::revolute ||
                       (joint.type == JointType::cylindrical && friction.about);
    const bool slides = joint.type == JointType::prismatic || joint.type == JointType::cylindrical;
    if (!turns && !slides)
      throw ModelError(
          "friction",
          fmt::format("{}: joint {} is {}; expected a revolute, prismatic or cylindrical joint",
                      user,
                      joint.name,
                      name_of(joint.type)));
    law.coordinate = turns ? Coordinate::angle : Coordinate::displacement;
    law.a = joint.legs[0];
    law.b = joint.legs[1];
    law.is_rotational = turns;
  }
  law.model = friction.model;
  law.sliding = compiler.signal(friction.sliding, user);
  law.sticking_ratio = friction.sticking_ratio;
  law.stribeck_velocity = friction.stribeck_velocity;
  law.viscous = friction.viscous;
  law.transition_velocity = friction.transition_velocity;
  law.bristles = friction.bristles;
  const double level = law.sliding.is_constant() ? law.sliding.number : 1.0;
  check_friction({level, law.sticking_ratio * level, law.stribeck_velocity, law.viscous},
                 law.bristles,
                 law.transition_velocity,
                 law.model,
                 user);
  law.state_count = law.model == laws::FrictionModel::regularised ? 0 : 1;
  law.state_unit = kDeflectionUnit;
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
