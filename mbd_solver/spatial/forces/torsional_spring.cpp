// Evaluates TorsionalSpring: a torque computed from the counted angle of a joint and its rate, with
// opposite signs on the two bodies.
#include "spatial/forces/torsional_spring.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"
#include "spatial/forces/coordinate.h"

namespace femflex::mbd_solver {

PairLoad TorsionalLaw::load(const Model& model,
                            const Workspace& ws,
                            const MarkerKinematics& a_now,
                            const MarkerKinematics& b_now) const {
  PairLoad load;
  const CoordinateNow now = coordinate_now(ForceCoordinate::angle, a_now, b_now);
  const JointModel& joint_model = model.joints[static_cast<std::size_t>(joint)];
  const double angle = nearest_turn(now.value, ws.joint_angles(joint_model.turn));
  const double k = value_of(model, ws, stiffness);
  const double without_potential =
      value_of(model, ws, torque) - value_of(model, ws, damping) * now.rate;
  load.length = angle;
  load.value = without_potential - k * (angle - free_angle);
  push_along(ForceCoordinate::angle, now, a_now, b_now, load.value, load);
  load.potential = 0.5 * k * (angle - free_angle) * (angle - free_angle);
  load.power_input = without_potential * now.rate;
  return load;
}

TorsionalLaw compile_law(const TorsionalSpring& spring,
                         const std::string& user,
                         Compiler& compiler) {
  TorsionalLaw law;
  law.joint = compiler.joint_index(spring.joint, user);
  compiler.track_angle(law.joint, user);
  const JointModel& joint = compiler.model().joints[static_cast<std::size_t>(law.joint)];
  law.a = joint.legs[0];
  law.b = joint.legs[1];
  law.stiffness = compiler.signal(spring.stiffness, user);
  law.damping = compiler.signal(spring.damping, user);
  law.torque = compiler.signal(spring.torque, user);
  law.free_angle = spring.free_angle;
  check_number(law.free_angle, user, "the free angle");
  law.is_stiff = law.is_rotational = true;
  return law;
}

}  // namespace femflex::mbd_solver
