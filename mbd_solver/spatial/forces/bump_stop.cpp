// Elastic force beyond the range [min, max], plus a damper that never makes the stop pull.
#include "spatial/forces/bump_stop.h"

#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"

namespace femflex::mbd_solver {

using Eigen::Vector3d;

PairLoad BumpStopLaw::load(const Model& /*model*/,
                           const Workspace& /*ws*/,
                           const MarkerKinematics& a_now,
                           const MarkerKinematics& b_now) const {
  PairLoad load;
  const Vector3d d = b_now.p - a_now.p;
  const double length = d.norm();
  load.length = length;
  if (!(length > 0.0)) return load;
  const Vector3d e = d / length;
  const double rate = e.dot(b_now.v - a_now.v);
  const double excess = length > max ? length - max : (length < min ? length - min : 0.0);
  if (excess == 0.0) return load;
  double elastic = stiffness * excess;
  load.potential = 0.5 * elastic * excess;
  if (curve) {
    elastic += std::copysign((*curve)(std::abs(excess)), excess);
    load.potential += curve->integral(std::abs(excess)) - curve->integral(0.0);
  }
  const double force = elastic + damping * rate;
  const bool pushes = excess > 0.0 ? force > 0.0 : force < 0.0;  // a stop never pulls
  if (!pushes) {
    load.power_input = elastic * rate;
    return load;
  }
  load.force_b = -force * e;
  load.force_a = force * e;
  load.value = force;
  load.power_input = -damping * rate * rate;
  return load;
}

BumpStopLaw compile_law(const BumpStop& stop, const std::string& user, Compiler& compiler) {
  BumpStopLaw law;
  law.a = compiler.place(stop.a, user);
  law.b = compiler.place(stop.b, user);
  law.min = stop.min;
  law.max = stop.max;
  if (!(stop.min <= stop.max))
    throw ModelError(
        "bump-stop",
        fmt::format("{}: min {} m is greater than max {} m", user, stop.min, stop.max));
  law.stiffness = stop.stiffness;
  law.damping = stop.damping;
  if (stop.curve) law.curve = curve_of(*stop.curve, user);
  check_number(stop.stiffness + stop.damping, user, "stiffness or damping");
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
