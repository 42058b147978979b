// Evaluates Contact: normal force N = k depth^exponent (1 + c/k depth_rate) while two bodies
// overlap, N >= 0, and tangential friction, N times a coefficient that depends on the sliding
// velocity.
#include "spatial/forces/contact.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"
#include "spatial/forces/friction.h"

namespace femflex::mbd_solver {

using Eigen::Vector2d;
using Eigen::Vector3d;

namespace {

// [m] typical deflection of bristles, to which tolerances are relative
constexpr double kBristleUnit = 1e-5;
// speed / transition velocity below which tanh equals its argument to the last digit
constexpr double kSmallShare = 1e-8;
// share of the transition velocity: least velocity along the sliding direction at the start of a
// step with which the direction of friction is computed
constexpr double kLeastForward = 1e-3;

/// Geometry of a contact, in W: n points from a to b, the arms point from the markers to the
/// contact point, depth [m] is the overlap.
struct Touch {
  Vector3d n = Vector3d::UnitZ(), arm_a = Vector3d::Zero(), arm_b = Vector3d::Zero();
  double depth = 0.0;
};

Touch touch_of(const ContactLaw& law, const MarkerKinematics& a, const MarkerKinematics& b) {
  Touch out;
  const Vector3d d = b.p - a.p;
  if (law.is_sphere) {
    const double distance = d.norm();
    if (distance > 0.0) out.n = d / distance;
    out.depth = law.radius + law.sphere_radius - distance;
    out.arm_b = -(law.radius - 0.5 * out.depth) * out.n;
  } else {
    out.n = a.R.col(2);
    out.depth = law.radius - out.n.dot(d);
    out.arm_b = -law.radius * out.n;
  }
  out.arm_a = d + out.arm_b;
  return out;
}

/// Friction per unit of the normal force against the sliding velocity v, and the rates of the
/// bristles z along the first `count` axes.
Vector3d coefficients(const ContactFriction& friction,
                      const Vector3d& v,
                      const Vector3d& n,
                      const Eigen::Matrix3d& axes,
                      int count,
                      const double* z,
                      double* rates) {
  const double speed = v.norm();
  const laws::FrictionLevel& level = friction.level;
  if (friction.model != laws::FrictionModel::lugre) {
    // F / v is finite at rest
    const double v0 = friction.transition_velocity;
    const double slope = speed > kSmallShare * v0 ? std::tanh(speed / v0) / speed : 1.0 / v0;
    return (level.at(speed) * slope + level.viscous) * v;
  }
  Vector3d bend = Vector3d::Zero();
  for (int k = 0; k < count; ++k)
    bend += z[k] * axes.col(k);
  bend -= n.dot(bend) * n;
  const Vector3d rate = v - friction.bristles.stiffness * speed / level.at(speed) * bend;
  for (int k = 0; k < count; ++k)
    rates[k] = axes.col(k).dot(rate);
  return friction.bristles.stiffness * bend + friction.bristles.damping * rate + level.viscous * v;
}

/// Sliding friction per unit of the normal force. `along` is the direction of sliding at the start
/// of the step; if the velocity reverses within the step, friction still acts against `along`.
Vector2d sliding_coefficients(const ContactFriction& friction,
                              const Vector2d& v,
                              const Vector2d& along) {
  const double forward = along.dot(v);
  const double least = kLeastForward * friction.transition_velocity;
  const Vector2d direction = (v + (std::max(forward, least) - forward) * along).normalized();
  return friction.level.at(v.norm()) * direction + friction.level.viscous * v;
}

}  // namespace

PairLoad ContactLaw::load(const Model& /*model*/,
                          const Workspace& ws,
                          const MarkerKinematics& a_now,
                          const MarkerKinematics& b_now,
                          const double* states,
                          double* rates) const {
  PairLoad load;
  const Touch touch = touch_of(*this, a_now, b_now);
  const double depth = touch.depth;
  load.length = -depth;
  const Vector3d v = b_now.v + b_now.w.cross(touch.arm_b) - a_now.v - a_now.w.cross(touch.arm_a);
  const double rate = -touch.n.dot(v);
  const Vector3d sliding = v + rate * touch.n;
  Vector3d coefficient = Vector3d::Zero();
  if (friction && (grip < 0 || !ws.grips)) {  // bristles also deflect without contact
    coefficient =
        coefficients(*friction, sliding, touch.n, a_now.R, is_sphere ? 3 : 2, states, rates);
  } else if (friction && grip_of(ws.events, grip) == Grip::sliding) {
    // while it sticks, the rows of the grip carry the force
    coefficient =
        a_now.R.leftCols<2>() * sliding_coefficients(*friction,
                                                     a_now.R.leftCols<2>().transpose() * sliding,
                                                     ws.events.segment<2>(grip + 1));
  }
  if (depth <= 0.0) return load;
  const double elastic = stiffness * std::pow(depth, exponent);
  const double ratio = stiffness > 0.0 ? damping / stiffness : 0.0;
  const double force = std::max(0.0, elastic * (1.0 + ratio * rate));
  load.value = force;
  load.force_b = force * touch.n;
  load.potential = stiffness * std::pow(depth, exponent + 1.0) / (exponent + 1.0);
  load.power_input = -(force - elastic) * rate;
  if (friction) {
    load.force_b -= force * coefficient;
    load.power_input -= force * coefficient.dot(sliding);
  }
  load.force_a = -load.force_b;
  load.torque_b = touch.arm_b.cross(load.force_b);
  load.torque_a = touch.arm_a.cross(load.force_a);
  return load;
}

GripSense ContactLaw::sense(const Model& /*compiled*/, const Workspace& ws) const {
  const MarkerKinematics& plane = ws.markers[static_cast<std::size_t>(a)];
  const MarkerKinematics& point = ws.markers[static_cast<std::size_t>(b)];
  const Vector3d d = point.p - plane.p;
  const Vector3d v = point.v - plane.v - plane.w.cross(d);
  const double depth = radius - plane.R.col(2).dot(d);
  const double rate = -plane.R.col(2).dot(v);
  GripSense out;
  out.count = 2;
  out.rate = plane.R.leftCols<2>().transpose() * v;
  out.held = plane.R.leftCols<2>().transpose() * d;
  const double ratio = stiffness > 0.0 ? damping / stiffness : 0.0;
  out.normal = depth > 0.0 ? stiffness * std::pow(depth, exponent) * (1.0 + ratio * rate)
                           : stiffness * depth;
  out.limit = friction->level.sticking * out.normal;
  return out;
}

ContactLaw compile_law(const Contact& contact, const std::string& user, Compiler& compiler) {
  ContactLaw law;
  law.b = compiler.place(contact.on, user);
  law.is_sphere = !contact.sphere.empty();
  law.radius = contact.radius;
  law.sphere_radius = contact.sphere_radius;
  check_number(contact.radius + contact.sphere_radius, user, "a radius");
  if (contact.radius < 0.0 || contact.sphere_radius < 0.0 ||
      (law.is_sphere && !(contact.radius + contact.sphere_radius > 0.0)))
    throw ModelError("contact",
                     user + ": the radii are 0 or more, and of two spheres one is above 0");
  if (law.is_sphere) {
    law.a = compiler.place(contact.sphere, user);
  } else {
    const int plane = compiler.place(contact.plane, user);
    WorldFrame frame = compiler.initial_frame(plane);
    if (contact.normal) frame.R = frame_about(*contact.normal);
    law.a = compiler.marker_at(plane, frame);
  }
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
      throw ModelError("friction",
                       user + ": a contact takes regularised, set-valued or lugre friction");
    const bool is_set_valued = contact.friction->model == laws::FrictionModel::set_valued;
    if (is_set_valued && (law.is_sphere || law.radius > 0.0))
      throw ModelError("friction",
                       user + ": set-valued friction holds a point of a body, and spheres roll",
                       {},
                       "take regularised or lugre friction for spheres");
    law.friction = contact.friction;
    law.state_count =
        contact.friction->model == laws::FrictionModel::lugre ? (law.is_sphere ? 3 : 2) : 0;
    law.state_unit = kBristleUnit;
    if (is_set_valued) {
      std::vector<RowModel> rows(2);
      rows[0].ea = Vector3d::UnitX();
      rows[1].ea = Vector3d::UnitY();
      compiler.add_grip(law, std::move(rows), user);
    }
  }
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
