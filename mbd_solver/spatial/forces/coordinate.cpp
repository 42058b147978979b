// Direction, value and rate of a coordinate between two markers, and the load along it.
#include "spatial/forces/coordinate.h"

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"

namespace femflex::mbd_solver {

CoordinateNow coordinate_now(ForceCoordinate coordinate,
                             const MarkerKinematics& a,
                             const MarkerKinematics& b) {
  CoordinateNow out;
  const Eigen::Vector3d d = b.p - a.p;
  switch (coordinate) {
    case ForceCoordinate::angle:
      out.e = a.R.col(2);
      out.rate = out.e.dot(b.w - a.w);
      out.value = angle_of(a, b);
      break;
    case ForceCoordinate::displacement:
      out.e = a.R.col(2);
      out.rate = out.e.dot(b.v - a.v - a.w.cross(d));
      out.value = out.e.dot(d);
      break;
    case ForceCoordinate::distance:
      out.value = d.norm();
      if (out.value > 0.0) out.e = d / out.value;
      out.rate = out.e.dot(b.v - a.v);
      break;
  }
  return out;
}

void push_along(ForceCoordinate coordinate,
                const CoordinateNow& now,
                const MarkerKinematics& a,
                const MarkerKinematics& b,
                double force,
                PairLoad& load) {
  if (coordinate == ForceCoordinate::angle) {
    load.torque_b = force * now.e;
    load.torque_a = -load.torque_b;
    return;
  }
  load.force_b = force * now.e;
  load.force_a = -load.force_b;
  if (coordinate == ForceCoordinate::displacement) load.torque_a = -(b.p - a.p).cross(load.force_b);
}

ForceCoordinate place_on_joint(LawBase& law,
                               const std::string& name,
                               bool about,
                               const std::string& user,
                               Compiler& compiler,
                               int& joint) {
  joint = compiler.joint_index(name, user);
  const JointModel& on = compiler.model().joints[static_cast<std::size_t>(joint)];
  const bool turns = on.type == JointType::revolute || (on.type == JointType::cylindrical && about);
  const bool slides = on.type == JointType::prismatic || on.type == JointType::cylindrical;
  if (!turns && !slides)
    throw ModelError(
        "no-coordinate",
        fmt::format("{}: joint {} is {}; expected a revolute, prismatic or cylindrical joint",
                    user,
                    on.name,
                    name_of(on.type)));
  law.a = on.legs[0];
  law.b = on.legs[1];
  law.is_rotational = turns;
  return turns ? ForceCoordinate::angle : ForceCoordinate::displacement;
}

}  // namespace femflex::mbd_solver
