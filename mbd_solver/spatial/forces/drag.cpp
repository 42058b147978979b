// Evaluates Drag: the force -c g(|v|) v at a point of velocity v, and its derivative; g is the
// growth of the damping with the speed.
#include "spatial/forces/drag.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"

namespace femflex::mbd_solver {

using Eigen::Matrix3d;
using Eigen::Vector3d;

PairLoad DragLaw::load(const Model& /*model*/,
                       const Workspace& /*ws*/,
                       const MarkerKinematics& /*a_now*/,
                       const MarkerKinematics& b_now) const {
  PairLoad load;
  const double speed = b_now.v.norm();
  load.force_b = -damper.c * damper.growth.factor(speed) * b_now.v;
  load.value = damper.force(speed);
  load.power_input = load.force_b.dot(b_now.v);
  return load;
}

// F = c g(|v|) v with e = v / |v|:  dF/dv = c g (1 - e e') + d(c g |v|)/d|v| e e'
bool DragLaw::slopes(const Workspace& /*ws*/,
                     const MarkerKinematics& /*a_now*/,
                     const MarkerKinematics& b_now,
                     Matrix3d& by_position,
                     Matrix3d& by_velocity) const {
  const double speed = b_now.v.norm();
  by_position.setZero();
  by_velocity = damper.c * damper.growth.factor(speed) * Matrix3d::Identity();
  if (speed == 0.0) return true;
  const Vector3d e = b_now.v / speed;
  const double along = damper.damping(speed) - damper.c * damper.growth.factor(speed);
  by_velocity += along * e * e.transpose();
  return true;
}

DragLaw compile_law(const Drag& drag, const std::string& user, Compiler& compiler) {
  DragLaw law;
  law.b = compiler.place(drag.on, user);
  check_number(drag.damping, user, "the damping");
  check_number(drag.growth.by_speed + drag.growth.by_square, user, "the growth of the damping");
  law.damper = {drag.damping, drag.growth};
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
