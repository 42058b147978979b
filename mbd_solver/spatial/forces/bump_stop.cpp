// Evaluates BumpStop: an elastic force outside the range [min, max] of a coordinate, plus a damper
// that never makes the total force pull.
#include "spatial/forces/bump_stop.h"

#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"

namespace femflex::mbd_solver {

PairLoad BumpStopLaw::load(const Model& model,
                           const Workspace& ws,
                           const MarkerKinematics& a_now,
                           const MarkerKinematics& b_now) const {
  PairLoad load;
  CoordinateNow now = coordinate_now(coordinate, a_now, b_now);
  if (coordinate == ForceCoordinate::angle)
    now.value = nearest_turn(now.value,
                             ws.joint_angles(model.joints[static_cast<std::size_t>(joint)].turn));
  load.length = now.value;
  if (now.e.isZero(0.0)) return load;
  const double at = now.value;
  const double excess = at > max ? at - max : (at < min ? at - min : 0.0);
  if (excess == 0.0) return load;
  double elastic = stiffness * excess;
  load.potential = 0.5 * elastic * excess;
  if (curve) {
    elastic += std::copysign((*curve)(std::abs(excess)), excess);
    load.potential += curve->integral(std::abs(excess)) - curve->integral(0.0);
  }
  const double force = elastic + damping * now.rate;
  const bool pushes = excess > 0.0 ? force > 0.0 : force < 0.0;  // the total force never pulls
  if (!pushes) {
    load.power_input = elastic * now.rate;
    return load;
  }
  push_along(coordinate, now, a_now, b_now, -force, load);
  load.value = force;
  load.power_input = -damping * now.rate * now.rate;
  return load;
}

BumpStopLaw compile_law(const BumpStop& stop, const std::string& user, Compiler& compiler) {
  BumpStopLaw law;
  if (stop.joint.empty()) {
    law.a = compiler.place(stop.a, user);
    law.b = compiler.place(stop.b, user);
  } else {
    law.coordinate = place_on_joint(law, stop.joint, stop.about, user, compiler, law.joint);
    if (law.is_rotational) compiler.track_angle(law.joint, user);
  }
  law.min = stop.min;
  law.max = stop.max;
  if (!(stop.min <= stop.max))
    throw ModelError("bump-stop",
                     fmt::format("{}: min {} {} is greater than max {} {}",
                                 user,
                                 stop.min,
                                 law.is_rotational ? "rad" : "m",
                                 stop.max,
                                 law.is_rotational ? "rad" : "m"));
  law.stiffness = stop.stiffness;
  law.damping = stop.damping;
  if (stop.curve) law.curve = curve_of(*stop.curve, user);
  check_number(stop.stiffness + stop.damping, user, "stiffness or damping");
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
