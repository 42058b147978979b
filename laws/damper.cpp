#include "femflex/laws/damper.h"

#include <limits>

namespace femflex::laws {

double DampingGrowth::driving_speed() const {
  // 1 + c2 s + c3 s^2 for speeds s >= 0 becomes negative if c3 < 0, or if it has real roots
  const double c2 = by_speed;
  const double c3 = by_square;
  const bool sinks = c3 < 0.0 || (c3 == 0.0 && c2 < 0.0);
  if (!sinks && !(c2 < 0.0 && c2 * c2 > 4.0 * c3)) return std::numeric_limits<double>::infinity();
  // the first root, free of cancellation
  return std::abs(-2.0 / (c2 - std::sqrt(c2 * c2 - 4.0 * c3)));
}

}  // namespace femflex::laws
