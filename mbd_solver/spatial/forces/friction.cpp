// Friction against the rate of an angle, a displacement or a distance: regularised or set-valued
// Coulomb friction with the Stribeck effect, LuGre and Dahl friction.
#include "spatial/forces/friction.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"

namespace femflex::mbd_solver {

namespace {

// [m], [rad] typical deflection of bristles, for tolerances
constexpr double kDeflectionUnit = 1e-5;
// [N], [N m] a level above this is zero with the round-off of a reaction
constexpr double kNegative = -1e-9;

/// The level of a formula, which an integrator may try below zero on its way to a step; a state
/// that is negative is reported by negative_friction().
double level_of(const Model& model, const Workspace& ws, const Signal& sliding) {
  return std::max(0.0, value_of(model, ws, sliding));
}

}  // namespace

PairLoad FrictionLaw::load(const Model& compiled,
                           const Workspace& ws,
                           const MarkerKinematics& a_now,
                           const MarkerKinematics& b_now,
                           const double* states,
                           double* rates) const {
  PairLoad load;
  const CoordinateNow now = coordinate_now(coordinate, a_now, b_now);
  const double level_now = level_of(compiled, ws, sliding);
  const laws::FrictionLevel level = {
      level_now, sticking_ratio * level_now, stribeck_velocity, viscous};
  double force = 0.0;
  switch (model) {
    case laws::FrictionModel::set_valued:
      if (ws.grips) {
        if (grip_of(ws.events, grip) == Grip::sticking) {  // the constraint rows of the grip carry
                                                           // the force
          const JointModel& joint = compiled.joints[static_cast<std::size_t>(grip_joint)];
          load.value = -ws.multipliers(joint.l0);
          return load;
        }
        force = level.at(now.rate) * ws.events(grip + 1) + viscous * now.rate;
        break;
      }
      [[fallthrough]];
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
  push_along(coordinate, now, a_now, b_now, -force, load);
  return load;
}

GripSense FrictionLaw::sense(const Model& compiled, const Workspace& ws) const {
  const MarkerKinematics& at_a = ws.markers[static_cast<std::size_t>(a)];
  const MarkerKinematics& at_b = ws.markers[static_cast<std::size_t>(b)];
  const CoordinateNow now = coordinate_now(coordinate, at_a, at_b);
  GripSense out;
  out.rate.x() = now.rate;
  out.held.x() = now.value;
  if (coordinate == ForceCoordinate::angle) {
    const JointModel& joint = compiled.joints[static_cast<std::size_t>(grip_joint)];
    out.held.x() = nearest_turn(now.value, ws.joint_angles(joint.rows[0].terms[0].turn));
  }
  out.limit = sticking_ratio * level_of(compiled, ws, sliding);
  return out;
}

std::string negative_friction(const Model& model, const Workspace& ws) {
  for (const ForceModel& force : model.forces) {
    const auto* friction = std::get_if<FrictionLaw>(&force.law);
    if (friction == nullptr || friction->sliding.is_constant()) continue;
    const double level = value_of(model, ws, friction->sliding);
    if (!(level < kNegative)) continue;
    return fmt::format("force {}: at t = {:.9g} s its friction level {} is {:.6g}",
                       force.name,
                       ws.t,
                       friction->sliding.function->text(),
                       level);
  }
  return {};
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
  if (model == laws::FrictionModel::regularised || model == laws::FrictionModel::set_valued) {
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
  FrictionLaw law;
  RowModel row;
  row.kind = RowModel::Kind::distance;
  if (friction.joint.empty()) {
    law.a = compiler.place(friction.a, user);
    law.b = compiler.place(friction.b, user);
  } else {
    int index = -1;
    law.coordinate = place_on_joint(law, friction.joint, friction.about, user, compiler, index);
    if (friction.model == laws::FrictionModel::set_valued)
      row = compiler.coordinate_row(index, law.is_rotational, user);
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
  if (law.model == laws::FrictionModel::regularised)
    compiler.note_velocity_scale(law.transition_velocity);
  const bool has_bristles =
      law.model == laws::FrictionModel::lugre || law.model == laws::FrictionModel::dahl;
  law.state_count = has_bristles ? 1 : 0;
  if (law.model == laws::FrictionModel::set_valued) compiler.add_grip(law, {row}, user);
  law.state_unit = kDeflectionUnit;
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
