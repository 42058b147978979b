// Force from the displacement and moment from the rotation vector of b relative to a. eq. (19)
#include "spatial/forces/bushing.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"
#include "spatial/rotation.h"

namespace femflex::mbd_solver {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Displacement and rotation vector of b against a in the axes of a; the moment is conjugate to the
// rotation vector, so that a symmetric stiffness has a potential. eq. (19)
PairLoad BushingLaw::load(const Model& /*model*/,
                          const Workspace& /*ws*/,
                          const MarkerKinematics& a_now,
                          const MarkerKinematics& b_now) const {
  PairLoad load;
  const Vector3d d = b_now.p - a_now.p;
  const Vector3d u = a_now.R.transpose() * d;
  const Matrix3d R_ab = a_now.R.transpose() * b_now.R;
  const Vector3d theta = log_rotation(R_ab);
  const Vector3d w = a_now.R.transpose() * (b_now.w - a_now.w);
  const Vector3d u_dot = a_now.R.transpose() * (b_now.v - a_now.v - a_now.w.cross(d));
  // theta' = T w for w in the axes of a: the transposed tangent of the body form
  const Vector3d theta_dot = inverse_tangent(-theta, w);
  Vector6d x, x_dot;
  x << u, theta;
  x_dot << u_dot, theta_dot;
  const Vector6d elastic = stiffness * x;
  const Vector6d rest = damping * x_dot - preload;
  const Vector6d y = elastic + rest;
  load.potential = 0.5 * x.dot(elastic);
  load.power_input = -rest.dot(x_dot);
  load.force_b = -(a_now.R * y.head<3>());
  // power of the moment: y_theta . T w = (T' y_theta) . w, and T(-theta)' = T(theta)
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
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
