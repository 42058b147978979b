// Evaluates a force or torque vector from its three formulas, and its reaction on another body.
#include "spatial/forces/point_load.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"

namespace femflex::mbd_solver {

using Eigen::Vector3d;

namespace {

Vector3d vector_of(const Model& model,
                   const Workspace& ws,
                   const PointLoadLaw& law,
                   const MarkerKinematics& b_now) {
  Vector3d value;
  for (int c = 0; c < 3; ++c)
    value(c) = value_of(model, ws, law.vector[static_cast<std::size_t>(c)]);
  if (law.in_body_frame) value = b_now.R * value;
  return value;
}

template <typename Law, typename PointLoad>
Law compile_point_load(const PointLoad& load, const std::string& user, Compiler& compiler) {
  Law law;
  law.b = compiler.place(load.on, user);
  law.in_body_frame = load.in_body_frame;
  for (std::size_t c = 0; c < 3; ++c)
    law.vector[c] = compiler.signal(load.value[c], user);
  if (!load.reaction_on.empty())
    law.a =
        compiler.marker_at(compiler.place(load.reaction_on, user), compiler.initial_frame(law.b));
  for (const Signal& component : law.vector)
    law.is_stiff = law.is_stiff || component.follows_motion();
  return law;
}

}  // namespace

PairLoad PointForceLaw::load(const Model& model,
                             const Workspace& ws,
                             const MarkerKinematics& a_now,
                             const MarkerKinematics& b_now) const {
  PairLoad load;
  const Vector3d force = vector_of(model, ws, *this, b_now);
  load.force_b = force;
  load.force_a = -force;
  if (a >= 0) load.torque_a = -(b_now.p - a_now.p).cross(force);
  load.value = force.norm();
  load.power_input = force.dot(b_now.v);
  if (a >= 0) load.power_input += load.force_a.dot(a_now.v) + load.torque_a.dot(a_now.w);
  return load;
}

PairLoad PointTorqueLaw::load(const Model& model,
                              const Workspace& ws,
                              const MarkerKinematics& a_now,
                              const MarkerKinematics& b_now) const {
  PairLoad load;
  const Vector3d torque = vector_of(model, ws, *this, b_now);
  load.torque_b = torque;
  load.torque_a = -torque;
  load.value = torque.norm();
  load.power_input = torque.dot(b_now.w);
  if (a >= 0) load.power_input -= torque.dot(a_now.w);
  return load;
}

PointForceLaw compile_law(const PointForce& force, const std::string& user, Compiler& compiler) {
  PointForceLaw law = compile_point_load<PointForceLaw>(force, user, compiler);
  compiler.warn_out_of_plane({&law.vector[2]}, user);
  return law;
}

PointTorqueLaw compile_law(const PointTorque& torque, const std::string& user, Compiler& compiler) {
  PointTorqueLaw law = compile_point_load<PointTorqueLaw>(torque, user, compiler);
  for (const int marker : {law.a, law.b})
    if (marker >= 0) compiler.require_rotation(marker, user + ": a torque acts on rotations");
  compiler.warn_out_of_plane({&law.vector[0], &law.vector[1]}, user);
  return law;
}

}  // namespace femflex::mbd_solver
