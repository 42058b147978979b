// Computes the speed above which a nonlinear damper accelerates the motion: the lowest positive
// root of its factor 1 + c2 s + c3 s^2.
#include "femflex/laws/damper.h"

#include <limits>

namespace femflex::laws {

double DampingGrowth::driving_speed() const {
  // for speeds s >= 0 the factor becomes negative if c3 < 0, or if it decreases and has real roots
  const double c2 = by_speed;
  const double c3 = by_square;
  const bool decreases = c3 < 0.0 || (c3 == 0.0 && c2 < 0.0);
  if (!decreases && !(c2 < 0.0 && c2 * c2 > 4.0 * c3))
    return std::numeric_limits<double>::infinity();
  // the form of the lowest positive root that has no cancellation for this sign of c2
  const double root = std::sqrt(c2 * c2 - 4.0 * c3);
  return c2 > 0.0 ? (c2 + root) / (-2.0 * c3) : 2.0 / (root - c2);
}

}  // namespace femflex::laws
