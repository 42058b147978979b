// Force from the displacement and moment from the rotation vector of b relative to a, eq. (19),
// with tables, Maxwell arms (eq. 48) and rubber friction (eq. 48a).
#include "spatial/forces/bushing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"
#include "spatial/forces/states.h"
#include "spatial/rotation.h"

namespace femflex::mbd_solver {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// [m], [rad] typical elongation of an arm's damper, for tolerances
constexpr double kArmUnit = 1e-3;

namespace {

/// Smallest return motion, relative to the motion since the last reversal, that counts as a
/// reversal. A smaller one is round-off of a body at rest.
constexpr double kLeastReversal = 1e-9;

/// Displacement and rotation vector of b relative to a, in the axes of a, and their rates.
struct BushingMotion {
  Vector6d x, x_dot;
};

BushingMotion bushing_motion(const MarkerKinematics& a_now, const MarkerKinematics& b_now) {
  const Vector3d d = b_now.p - a_now.p;
  const Vector3d theta = log_rotation(a_now.R.transpose() * b_now.R);
  const Vector3d w = a_now.R.transpose() * (b_now.w - a_now.w);
  BushingMotion out;
  // theta' = T w for w in the axes of a; T is the transposed tangent of the body-fixed form
  out.x << a_now.R.transpose() * d, theta;
  out.x_dot << a_now.R.transpose() * (b_now.v - a_now.v - a_now.w.cross(d)),
      inverse_tangent(-theta, w);
  return out;
}

/// Extreme value of a coordinate that reverses within a step h, in the direction `sense`. Uses the
/// cubic through its values x and rates v at both ends.
double turning_point(double x0, double v0, double x1, double v1, double h, double sense) {
  double farthest = sense * x0 > sense * x1 ? x0 : x1;
  if (!(h > 0.0)) return farthest;
  // x'(s) = v0 + 2 b s + 3 c s^2 with s the share of the step
  const double rise = x1 - x0;
  const double b = 3.0 * rise - h * (2.0 * v0 + v1), c = h * (v0 + v1) - 2.0 * rise;
  const double root = std::sqrt(std::max(0.0, b * b - 3.0 * c * h * v0));
  for (const double sign : {-1.0, 1.0}) {
    const double below = -b + sign * root;  // s = h v0 / below is the other root, without loss of
                                            // digits
    const double s = below != 0.0 ? h * v0 / below : 0.0;
    if (!(s > 0.0 && s < 1.0)) continue;
    const double x = x0 + s * (h * v0 + s * (b + s * c));
    if (sense * x > sense * farthest) farthest = x;
  }
  return farthest;
}

}  // namespace

// The moment is conjugate to the rotation vector; therefore a symmetric stiffness has a potential.
// eq. (19)
PairLoad BushingLaw::load(const Model& /*model*/,
                          const Workspace& ws,
                          const MarkerKinematics& a_now,
                          const MarkerKinematics& b_now,
                          const double* states,
                          double* rates) const {
  PairLoad load;
  const Vector3d d = b_now.p - a_now.p;
  const auto [x, x_dot] = bushing_motion(a_now, b_now);
  const Vector6d elastic = stiffness * x;
  Vector6d rest = damping * x_dot - preload;
  double stored = 0.0;  // energy in the springs of the arms
  double lost = 0.0;    // power of the arms' dampers
  for (std::size_t k = 0; k < arms.size(); ++k) {
    const Arm& arm = arms[k];
    const double stretch = x(arm.component) - states[k];
    rates[k] = stretch / arm.time;
    stored += 0.5 * arm.stiffness * stretch * stretch;
    lost += arm.stiffness * stretch * rates[k];
  }
  for (const Rubber& each : rubber)
    rest(each.component) +=
        laws::rubber_friction(each.friction, each.reversal(ws.events), x(each.component));
  load.potential = 0.5 * x.dot(elastic) + stored;
  load.power_input = -rest.dot(x_dot) - lost;
  for (const Elastic& each : curves) {
    load.potential += each.curve.integral(x(each.component)) - each.curve.integral(0.0);
    rest(each.component) += each.curve(x(each.component));
  }
  for (std::size_t k = 0; k < arms.size(); ++k)
    rest(arms[k].component) += arms[k].stiffness * (x(arms[k].component) - states[k]);
  const Vector6d y = elastic + rest;
  load.force_b = -(a_now.R * y.head<3>());
  // power of the moment: y_theta . T w = (T' y_theta) . w, with T(-theta)' = T(theta)
  load.torque_b = -(a_now.R * inverse_tangent(x.tail<3>(), y.tail<3>()));
  load.force_a = -load.force_b;
  load.torque_a = -load.torque_b - d.cross(load.force_b);
  load.value = y.head<3>().norm();
  load.length = d.norm();
  return load;
}

bool BushingLaw::remember(const Workspace& ws, Eigen::VectorXd& events) const {
  if (rubber.empty()) return false;
  const auto [x, x_dot] = bushing_motion(ws.markers[static_cast<std::size_t>(a)],
                                         ws.markers[static_cast<std::size_t>(b)]);
  bool any = false;
  for (const Rubber& each : rubber) {
    const double now = x(each.component), rate = x_dot(each.component);
    const laws::RubberReversal before = each.reversal(events);
    double* kept = events.data() + each.entry;
    const double sense = kept[Rubber::last_at] < before.x ? -1.0 : 1.0;
    if (kept[Rubber::has_last] != 0.0 && sense * rate < 0.0) {
      const double at = turning_point(kept[Rubber::last_at],
                                      kept[Rubber::last_rate],
                                      now,
                                      rate,
                                      ws.t - kept[Rubber::last_time],
                                      sense);
      if (sense * (at - now) > kLeastReversal * each.friction.half_way) {
        kept[Rubber::reversal_force] = laws::rubber_friction(each.friction, before, at);
        kept[Rubber::reversal_at] = at;
        any = true;
      }
    }
    kept[Rubber::last_at] = now;
    kept[Rubber::last_rate] = rate;
    kept[Rubber::last_time] = ws.t;
    kept[Rubber::has_last] = 1.0;
  }
  return any;
}

bool BushingLaw::has_elastic_moment() const {
  constexpr int kFirstAngle = 3;
  return !stiffness.bottomRightCorner<3, 3>().isZero(0.0) ||
         std::any_of(curves.begin(), curves.end(), [](const Elastic& each) {
           return each.component >= kFirstAngle;
         });
}

namespace {

void compile_rubber(const Bushing& bushing,
                    const std::string& user,
                    Compiler& compiler,
                    BushingLaw& law) {
  for (int c = 0; c < 6; ++c) {
    const auto axis = static_cast<std::size_t>(c);
    const std::string name = fmt::format("{}: {}", user, kBushingAxes[axis]);
    if (bushing.curves[axis]) law.curves.push_back({c, curve_of(*bushing.curves[axis], name)});
    const laws::RubberFriction& friction = bushing.friction[axis];
    if (friction.level == 0.0) continue;
    if (!(friction.level > 0.0) || !std::isfinite(friction.level) || !(friction.half_way > 0.0) ||
        !std::isfinite(friction.half_way))
      throw ModelError("friction",
                       fmt::format("{}: level {}, half_way {}; expected numbers above 0",
                                   name,
                                   friction.level,
                                   friction.half_way));
    BushingLaw::Rubber rubber{c, friction, compiler.add_event()};
    for (int k = 1; k < BushingLaw::Rubber::count; ++k)
      compiler.add_event();
    law.rubber.push_back(rubber);
  }
}

bool acts_on_rotations(const Bushing& bushing) {
  const auto has_moment = [](const Matrix6d& m) {
    return !m.bottomRows<3>().isZero(0.0) || !m.rightCols<3>().isZero(0.0);
  };
  bool acts = has_moment(bushing.stiffness) || has_moment(bushing.damping) ||
              !bushing.preload.tail<3>().isZero(0.0);
  for (const MaxwellArm& arm : bushing.arms)
    acts = acts || !arm.stiffness.tail<3>().isZero(0.0);
  for (std::size_t c = 3; c < kBushingAxes.size(); ++c)
    acts = acts || bushing.curves[c] || bushing.friction[c].level != 0.0;
  return acts;
}

}  // namespace

BushingLaw compile_law(const Bushing& bushing, const std::string& user, Compiler& compiler) {
  BushingLaw law;
  bool is_marker = false;  // a node or a body alone gives no axes, as in joints
  const int a = compiler.place(bushing.a, user, &is_marker), b = compiler.place(bushing.b, user);
  WorldFrame frame = compiler.initial_frame(b);
  if (bushing.at) frame.p = *bushing.at;
  frame.R = is_marker ? compiler.initial_frame(a).R : Matrix3d(Matrix3d::Identity());
  if (bushing.axes) frame.R = *bushing.axes;
  law.a = compiler.marker_at(a, frame);
  law.b = compiler.marker_at(b, frame);
  law.stiffness = bushing.stiffness;
  law.damping = bushing.damping;
  law.preload = bushing.preload;
  check_finite(law.stiffness, user + ": stiffness");
  check_finite(law.damping, user + ": damping");
  check_finite(law.preload, user + ": preload");
  for (const MaxwellArm& arm : bushing.arms) {
    check_finite(arm.stiffness, user + ": stiffness of an arm");
    if (!(arm.time > 0.0) || !std::isfinite(arm.time))
      throw ModelError(
          "arm", fmt::format("{}: relaxation time {} s; expected a time above 0", user, arm.time));
    for (int c = 0; c < 6; ++c)
      if (arm.stiffness(c) != 0.0) law.arms.push_back({c, arm.stiffness(c), arm.time});
  }
  law.state_count = static_cast<int>(law.arms.size());
  if (law.state_count > kMaxForceStates)
    throw ModelError("arms",
                     fmt::format("{}: {} components of arms; at most {} per bushing",
                                 user,
                                 law.state_count,
                                 kMaxForceStates),
                     {},
                     "divide them among several bushings at the same place");
  compile_rubber(bushing, user, compiler, law);
  if (acts_on_rotations(bushing))
    for (const int place : {a, b})
      compiler.require_rotation(place, user + ": rx, ry, rz act on rotations");
  law.state_unit = kArmUnit;
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
