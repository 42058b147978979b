// The damper and its mount have the same pull. The pull follows from the mount's elongation; the
// inverse of the damper's table gives the elongation rate of the damper. eq. (48b)
#include "spatial/forces/mounted_damper.h"

#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"
#include "spatial/forces/coordinate.h"

namespace femflex::mbd_solver {

namespace {

constexpr double kElongationUnit = 1e-3;  // [m] typical elongation of the damper, for tolerances

}  // namespace

PairLoad MountedDamperLaw::load(const Model& /*model*/,
                                const Workspace& /*ws*/,
                                const MarkerKinematics& a_now,
                                const MarkerKinematics& b_now,
                                const double* states,
                                double* rates) const {
  PairLoad load;
  rates[0] = 0.0;
  const CoordinateNow now = coordinate_now(ForceCoordinate::distance, a_now, b_now);
  if (!(now.value > 0.0)) return load;
  const double mount = now.value - length - states[0];
  const double pull = stiffness * mount;
  rates[0] = rate_of_pull(pull);
  load.value = pull;
  load.length = now.value;
  load.potential = 0.5 * pull * mount;
  load.power_input = -pull * rates[0];
  push_along(ForceCoordinate::distance, now, a_now, b_now, -pull, load);
  return load;
}

MountedDamperLaw compile_law(const MountedDamper& damper,
                             const std::string& user,
                             Compiler& compiler) {
  MountedDamperLaw law;
  law.a = compiler.place(damper.a, user);
  law.b = compiler.place(damper.b, user);
  law.length = damper.length.value_or(compiler.initial_distance(law.a, law.b));
  check_number(law.length, user, "the length");
  law.stiffness = damper.stiffness;
  if (!(law.stiffness > 0.0) || !std::isfinite(law.stiffness))
    throw ModelError(
        "mount",
        fmt::format("{}: the stiffness of the mount is {} N/m; expected a number above "
                    "0",
                    user,
                    law.stiffness),
        {},
        "a damper without a mount is a \"spring-damper\"");
  if (damper.curve) {
    const Table& curve = *damper.curve;
    for (std::size_t k = 1; k < curve.y.size(); ++k)
      if (!(curve.y[k] > curve.y[k - 1]))
        throw ModelError(
            "damper",
            fmt::format("{}: the force does not rise from {} N to {} N at row {} of its "
                        "curve",
                        user,
                        curve.y[k - 1],
                        curve.y[k],
                        k + 1),
            {},
            "in series with a mount the rate has to follow from the force");
    law.rate_of_pull = curve_of({curve.y, curve.x, curve.interpolation}, user);
  } else {
    if (!(damper.damping > 0.0) || !std::isfinite(damper.damping))
      throw ModelError("damper",
                       fmt::format("{}: damping is {} N s/m; expected a number above 0, or a curve",
                                   user,
                                   damper.damping));
    law.rate_of_pull = curve_of({{-damper.damping, damper.damping}, {-1.0, 1.0}}, user);
  }
  law.state_count = 1;
  law.state_unit = kElongationUnit;
  law.is_stiff = true;
  return law;
}

}  // namespace femflex::mbd_solver
