// Evaluates Bushing: force from the displacement and moment from the rotation vector of b relative
// to a. docs/theory/multibody.md eq. (19).
#include "spatial/forces/bushing.h"

#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"
#include "spatial/forces/states.h"
#include "spatial/rotation.h"

namespace femflex::mbd_solver {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// [m], [rad] typical elongation of an arm's damper, to which tolerances are relative
constexpr double kArmUnit = 1e-3;

// Displacement and rotation vector of b against a in the axes of a; the moment is conjugate to the
// rotation vector, so that a symmetric stiffness has a potential. eq. (19)
PairLoad BushingLaw::load(const Model& /*model*/,
                          const Workspace& /*ws*/,
                          const MarkerKinematics& a_now,
                          const MarkerKinematics& b_now,
                          const double* states,
                          double* rates) const {
  PairLoad load;
  const Vector3d d = b_now.p - a_now.p;
  const Vector3d u = a_now.R.transpose() * d;
  const Matrix3d R_ab = a_now.R.transpose() * b_now.R;
  const Vector3d theta = log_rotation(R_ab);
  const Vector3d w = a_now.R.transpose() * (b_now.w - a_now.w);
  const Vector3d u_dot = a_now.R.transpose() * (b_now.v - a_now.v - a_now.w.cross(d));
  // theta' = T' w with w in the axes of a; T maps w in the axes of b, and T(theta)' = T(-theta)
  const Vector3d theta_dot = inverse_tangent(-theta, w);
  Vector6d x, x_dot;
  x << u, theta;
  x_dot << u_dot, theta_dot;
  const Vector6d elastic = stiffness * x;
  Vector6d rest = damping * x_dot - preload;
  double stored = 0.0;  // energy in the springs of the arms
  double lost = 0.0;    // power of their dampers
  for (std::size_t k = 0; k < arms.size(); ++k) {
    const Arm& arm = arms[k];
    const double stretch = x(arm.component) - states[k];
    rates[k] = stretch / arm.time;
    stored += 0.5 * arm.stiffness * stretch * stretch;
    lost += arm.stiffness * stretch * rates[k];
  }
  load.potential = 0.5 * x.dot(elastic) + stored;
  load.power_input = -rest.dot(x_dot) - lost;
  for (std::size_t k = 0; k < arms.size(); ++k)
    rest(arms[k].component) += arms[k].stiffness * (x(arms[k].component) - states[k]);
  const Vector6d y = elastic + rest;
  load.force_b = -(a_now.R * y.head<3>());
  // power of the moment: y_theta . theta' = y_theta . T' w = (T y_theta) . w
  load.torque_b = -(a_now.R * inverse_tangent(theta, y.tail<3>()));
  load.force_a = -load.force_b;
  load.torque_a = -load.torque_b - d.cross(load.force_b);
  load.value = y.head<3>().norm();
  load.length = u.norm();
  return load;
}

BushingLaw compile_law(const Bushing& bushing, const std::string& user, Compiler& compiler) {
  BushingLaw law;
  const int a = compiler.place(bushing.a, user), b = compiler.place(bushing.b, user);
  WorldFrame frame = compiler.initial_frame(b);
  if (bushing.at) frame.p = *bushing.at;
  frame.R = bushing.axes;
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
  law.state_unit = kArmUnit;
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
