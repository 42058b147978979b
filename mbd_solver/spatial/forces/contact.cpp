// Evaluates Contact. Normal force while the bodies overlap: N = k depth^exponent (1 + c/k
// depth_rate), never below 0. Friction: N times a coefficient that depends on the sliding velocity.
#include "spatial/forces/contact.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/laws/contact.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"
#include "spatial/forces/friction.h"

namespace femflex::mbd_solver {

using Eigen::Vector2d;
using Eigen::Vector3d;

namespace {

// [m] typical deflection of bristles, to which tolerances are relative
constexpr double kBristleUnit = 1e-5;
// below this ratio of speed to transition velocity, tanh equals its argument to all digits
constexpr double kSmallShare = 1e-8;
// smallest velocity component along the previous sliding direction with which the direction of
// friction is computed; share of the transition velocity
constexpr double kLeastForward = 1e-3;

/// Geometry of a contact, in W: n points from a to b, the arms point from the markers to the
/// contact point; depth is the overlap [m].
struct Touch {
  Vector3d n = Vector3d::UnitZ(), arm_a = Vector3d::Zero(), arm_b = Vector3d::Zero();
  double depth = 0.0;
};

Touch touch_of(const ContactLaw& law, const MarkerKinematics& a, const MarkerKinematics& b) {
  Touch out;
  const Vector3d d = b.p - a.p;
  switch (law.shape) {
    case ContactLaw::Shape::plane:
      out.n = a.R.col(2);
      out.depth = law.radius - out.n.dot(d);
      out.arm_b = -law.radius * out.n;
      break;
    case ContactLaw::Shape::sphere: {
      const double distance = d.norm();
      if (distance > 0.0) out.n = d / distance;
      out.depth = law.radius + law.other_radius - distance;
      out.arm_b = -(law.radius - 0.5 * out.depth) * out.n;
      break;
    }
    case ContactLaw::Shape::cylinder:
    case ContactLaw::Shape::bore: {
      const Vector3d across = d - a.R.col(2).dot(d) * a.R.col(2);
      const double distance = across.norm();
      const double sense = law.shape == ContactLaw::Shape::bore ? -1.0 : 1.0;
      out.n = distance > 0.0 ? Vector3d(sense / distance * across) : Vector3d(a.R.col(0));
      out.depth = law.radius - sense * (distance - law.other_radius);
      out.arm_b = -law.radius * out.n;
      break;
    }
  }
  out.arm_a = d + out.arm_b;
  return out;
}

/// Deflections of bristles along the first `count` axes of a marker, and their rates.
struct BristleStates {
  const Eigen::Matrix3d& axes;
  int count;
  const double* z;
  double* rates;
};

/// Friction per unit of normal force, against the sliding velocity v. Also computes the rates of
/// the bristles. @param n  direction of the normal force
Vector3d coefficients(const ContactFriction& friction,
                      const Vector3d& v,
                      const Vector3d& n,
                      const BristleStates& bristles) {
  const double speed = v.norm();
  if (friction.model != laws::FrictionModel::lugre) return regularised_slope(friction, speed) * v;
  const laws::FrictionLevel& level = friction.level;
  Vector3d bend = Vector3d::Zero();
  for (int k = 0; k < bristles.count; ++k)
    bend += bristles.z[k] * bristles.axes.col(k);
  bend -= n.dot(bend) * n;
  const Vector3d rate = v - friction.bristles.stiffness * speed / level.at(speed) * bend;
  for (int k = 0; k < bristles.count; ++k)
    bristles.rates[k] = bristles.axes.col(k).dot(rate);
  return friction.bristles.stiffness * bend + friction.bristles.damping * rate + level.viscous * v;
}

/// Sliding friction per unit of normal force. `along` is the sliding direction at the start of the
/// step. If the velocity reverses within the step, friction still acts against `along`.
Vector2d sliding_coefficients(const ContactFriction& friction,
                              const Vector2d& v,
                              const Vector2d& along) {
  const double forward = along.dot(v);
  const double least = kLeastForward * friction.transition_velocity;
  const Vector2d direction = (v + (std::max(forward, least) - forward) * along).normalized();
  return friction.level.at(v.norm()) * direction + friction.level.viscous * v;
}

}  // namespace

double regularised_slope(const ContactFriction& friction, double speed) {
  const double v0 = friction.transition_velocity;
  // F / v has a finite limit at rest
  const double slope = speed > kSmallShare * v0 ? std::tanh(speed / v0) / speed : 1.0 / v0;
  return friction.level.at(speed) * slope + friction.level.viscous;
}

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
  if (friction && (grip < 0 || !ws.grips)) {  // bristles also follow the motion without contact
    const int axes = shape == Shape::plane ? 2 : 3;
    coefficient = coefficients(*friction, sliding, touch.n, {a_now.R, axes, states, rates});
  } else if (friction && grip_of(ws.events, grip) == Grip::sliding) {
    // while the contact sticks, the constraint rows of the grip carry the friction
    coefficient =
        a_now.R.leftCols<2>() * sliding_coefficients(*friction,
                                                     a_now.R.leftCols<2>().transpose() * sliding,
                                                     ws.events.segment<2>(grip + 1));
  }
  if (depth <= 0.0) return load;
  const laws::ContactStiffness normal{stiffness, exponent, damping};
  const double elastic = normal.elastic(depth);
  const double force = normal.force(elastic, rate);
  load.value = force;
  load.force_b = force * touch.n;
  load.potential = normal.potential(elastic, depth);
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
  const laws::ContactStiffness normal{stiffness, exponent, damping};
  out.normal = depth > 0.0 ? normal.damped(normal.elastic(depth), rate) : stiffness * depth;
  out.limit = friction->level.sticking * out.normal;
  return out;
}

namespace {

/// Sets the shape and the marker at a.
void place_shape(const Contact& contact,
                 const std::string& user,
                 Compiler& compiler,
                 ContactLaw& law) {
  const bool is_sphere = !contact.sphere.empty(), is_cylinder = !contact.cylinder.empty();
  if (is_sphere && is_cylinder)
    throw ModelError("contact", user + ": a sphere and a cylinder; expected one of them");
  law.other_radius = is_cylinder ? contact.cylinder_radius : contact.sphere_radius;
  check_number(law.radius + law.other_radius, user, "a radius");
  if (law.radius < 0.0 || law.other_radius < 0.0 ||
      (is_sphere && !(law.radius + law.other_radius > 0.0)))
    throw ModelError("contact",
                     user + ": the radii are 0 or more, and of two spheres one is above 0");
  if (is_sphere) {
    law.shape = ContactLaw::Shape::sphere;
    law.a = compiler.place(contact.sphere, user);
    return;
  }
  if (is_cylinder) {
    law.shape = contact.is_inside ? ContactLaw::Shape::bore : ContactLaw::Shape::cylinder;
    if (!(contact.is_inside ? law.other_radius > law.radius : law.other_radius > 0.0))
      throw ModelError("contact",
                       fmt::format("{}: cylinder_radius is {} m; expected {}",
                                   user,
                                   law.other_radius,
                                   contact.is_inside ? "more than the radius of what is inside"
                                                     : "a length above 0"));
  }
  const int base = compiler.place(is_cylinder ? contact.cylinder : contact.plane, user);
  WorldFrame frame = compiler.initial_frame(base);
  const std::optional<Vector3d>& along = is_cylinder ? contact.axis : contact.normal;
  if (along && (!along->allFinite() || along->isZero(0.0)))
    throw ModelError(
        "contact",
        fmt::format("{}: the {} has no direction", user, is_cylinder ? "axis" : "normal"));
  if (along) frame.R = frame_about(*along);
  if (!is_cylinder)
    compiler.require_in_plane(frame.R.col(2),
                              user + ": the normal of its plane",
                              "give \"normal\", for example [0, 1, 0]");
  law.a = compiler.marker_at(base, frame);
}

}  // namespace

void check_contact_number(double value,
                          bool may_be_zero,
                          const char* name,
                          const std::string& user) {
  if (std::isfinite(value) && (value > 0.0 || (may_be_zero && value == 0.0))) return;
  throw ModelError("contact",
                   fmt::format("{}: {} is {}; expected {}",
                               user,
                               name,
                               value,
                               may_be_zero ? "0 or more" : "a number above 0"));
}

void check_contact(const ContactNumbers& numbers,
                   const std::optional<ContactFriction>& friction,
                   const std::string& user,
                   Compiler& compiler) {
  check_contact_number(numbers.stiffness, false, "stiffness", user);
  check_contact_number(numbers.damping, true, "damping", user);
  check_contact_number(numbers.exponent, false, "exponent", user);
  if (!friction) return;
  check_friction(
      friction->level, friction->bristles, friction->transition_velocity, friction->model, user);
  if (friction->model == laws::FrictionModel::regularised)
    compiler.note_velocity_scale(friction->transition_velocity);
}

ContactLaw compile_law(const Contact& contact, const std::string& user, Compiler& compiler) {
  ContactLaw law;
  law.b = compiler.place(contact.on, user);
  law.radius = contact.radius;
  place_shape(contact, user, compiler, law);
  law.stiffness = contact.stiffness;
  law.damping = contact.damping;
  law.exponent = contact.exponent;
  check_contact(
      {contact.stiffness, contact.damping, contact.exponent}, contact.friction, user, compiler);
  if (contact.friction) {
    if (contact.friction->model == laws::FrictionModel::dahl)
      throw ModelError("friction",
                       user + ": a contact takes regularised, set-valued or lugre friction");
    const bool is_set_valued = contact.friction->model == laws::FrictionModel::set_valued;
    const bool is_plane = law.shape == ContactLaw::Shape::plane;
    if (is_set_valued && (!is_plane || law.radius > 0.0))
      throw ModelError("friction",
                       user + ": set-valued friction holds a point of a body on a plane",
                       {},
                       "take regularised or lugre friction for spheres and cylinders");
    law.friction = contact.friction;
    law.state_count =
        contact.friction->model == laws::FrictionModel::lugre ? (is_plane ? 2 : 3) : 0;
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
