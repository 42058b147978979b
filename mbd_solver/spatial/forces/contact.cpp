// Normal force N = k depth^exponent (1 + c/k depth_rate) while the point is below the plane; N >=
// 0.
#include "spatial/forces/contact.h"

#include <algorithm>
#include <cmath>

#include "spatial/compiler.h"
#include "spatial/equations.h"

namespace femflex::mbd_solver {

using Eigen::Vector3d;

PairLoad ContactLaw::load(const Model& /*model*/,
                          const Workspace& /*ws*/,
                          const MarkerKinematics& a_now,
                          const MarkerKinematics& b_now) const {
  PairLoad load;
  const Vector3d n = a_now.R.col(2);
  const Vector3d d = b_now.p - a_now.p;
  const double depth = -n.dot(d);
  load.length = -depth;
  if (depth <= 0.0) return load;
  const double rate = -(n.dot(b_now.v - a_now.v - a_now.w.cross(d)));
  const double elastic = stiffness * std::pow(depth, exponent);
  const double ratio = stiffness > 0.0 ? damping / stiffness : 0.0;
  const double force = std::max(0.0, elastic * (1.0 + ratio * rate));
  load.value = force;
  load.force_b = force * n;
  load.force_a = -load.force_b;
  load.torque_a = -d.cross(load.force_b);
  load.potential = stiffness * std::pow(depth, exponent + 1.0) / (exponent + 1.0);
  load.power_input = -(force - elastic) * rate;
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
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
