// Normal force N = k depth^exponent (1 + c/k depth_rate) while the point is below the plane, N >=
// 0, and friction along the plane, N times a coefficient that follows the sliding velocity.
#include "spatial/forces/contact.h"

#include <algorithm>
#include <cmath>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"
#include "spatial/forces/friction.h"

namespace femflex::mbd_solver {

using Eigen::Vector2d;
using Eigen::Vector3d;

namespace {

// [m] deflection of bristles that tolerances refer to
constexpr double kBristleUnit = 1e-5;
// share of the transition velocity below which tanh is its argument to the last digit
constexpr double kSmallShare = 1e-8;

/// Friction coefficients along x and y of the plane, against the sliding velocity v, and the rates
/// of the bristles z.
Vector2d coefficients(const ContactFriction& friction,
                      const Vector2d& v,
                      const double* z,
                      double* rates) {
  const double speed = v.norm();
  const laws::FrictionLevel& level = friction.level;
  if (friction.model == laws::FrictionModel::regularised) {
    // F / v is finite at rest
    const double v0 = friction.transition_velocity;
    const double slope = speed > kSmallShare * v0 ? std::tanh(speed / v0) / speed : 1.0 / v0;
    return (level.at(speed) * slope + level.viscous) * v;
  }
  const Vector2d bend(z[0], z[1]);
  const double g = level.at(speed);
  const Vector2d rate = v - friction.bristles.stiffness * speed / g * bend;
  rates[0] = rate.x();
  rates[1] = rate.y();
  return friction.bristles.stiffness * bend + friction.bristles.damping * rate + level.viscous * v;
}

}  // namespace

PairLoad ContactLaw::load(const Model& /*model*/,
                          const Workspace& /*ws*/,
                          const MarkerKinematics& a_now,
                          const MarkerKinematics& b_now,
                          const double* states,
                          double* rates) const {
  PairLoad load;
  const Vector3d n = a_now.R.col(2);
  const Vector3d d = b_now.p - a_now.p;
  const double depth = -n.dot(d);
  load.length = -depth;
  const Vector3d v = b_now.v - a_now.v - a_now.w.cross(d);
  const double rate = -n.dot(v);
  Vector2d sliding, coefficient;
  if (friction) {  // bristles follow the motion in the air too
    sliding = a_now.R.leftCols<2>().transpose() * v;
    coefficient = coefficients(*friction, sliding, states, rates);
  }
  if (depth <= 0.0) return load;
  const double elastic = stiffness * std::pow(depth, exponent);
  const double ratio = stiffness > 0.0 ? damping / stiffness : 0.0;
  const double force = std::max(0.0, elastic * (1.0 + ratio * rate));
  load.value = force;
  load.force_b = force * n;
  load.force_a = -load.force_b;
  load.torque_a = -d.cross(load.force_b);
  load.potential = stiffness * std::pow(depth, exponent + 1.0) / (exponent + 1.0);
  load.power_input = -(force - elastic) * rate;
  if (friction) {
    const Vector3d drag = -(a_now.R.leftCols<2>() * (force * coefficient));
    load.force_b += drag;
    load.force_a -= drag;
    load.torque_a -= d.cross(drag);
    load.power_input -= force * coefficient.dot(sliding);
  }
  return load;
}

ContactLaw compile_law(const Contact& contact, const std::string& user, Compiler& compiler) {
  ContactLaw law;
  law.b = compiler.place(contact.on, user);
  const int plane = compiler.place(contact.plane, user);
  WorldFrame frame = compiler.initial_frame(plane);
  if (contact.normal) frame.R = frame_about(*contact.normal);
  law.a = compiler.marker_at(plane, frame);
  law.stiffness = contact.stiffness;
  law.damping = contact.damping;
  law.exponent = contact.exponent;
  check_number(contact.stiffness + contact.damping + contact.exponent, user, "a number");
  if (contact.friction) {
    check_friction(contact.friction->level,
                   contact.friction->bristles,
                   contact.friction->transition_velocity,
                   contact.friction->model,
                   user);
    if (contact.friction->model == laws::FrictionModel::dahl)
      throw ModelError("friction", user + ": a contact takes regularised or lugre friction");
    law.friction = contact.friction;
    law.state_count = contact.friction->model == laws::FrictionModel::lugre ? 2 : 0;
    law.state_unit = kBristleUnit;
  }
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
