// Chooses a shift just above the wanted modes from upper bounds of their eigenvalues, and factors
// there.
#include "solve/shift_above.h"

#include <algorithm>
#include <cmath>

namespace femflex::modal {
namespace {

using Eigen::Index;

/// The middle of the gap above the wanted eigenvalues, or of one soon after it that is wider
/// relative to its place: the wider it is, the surer are the signs of the factor.
double first_shift(const Eigen::VectorXd& bounds, Index count) {
  const Index gaps = 3 + count / 10;  // so many that few pairs are found beyond the wanted ones
  const Index last = std::min(bounds.size() - 2, count + gaps - 2);
  Index widest = count - 1;
  for (Index j = widest; j <= last; ++j)
    if (bounds(j + 1) * bounds(widest) > bounds(widest + 1) * bounds(j)) widest = j;
  return 0.5 * (bounds(widest) + bounds(widest + 1));
}

}  // namespace

std::int64_t most_below(std::int64_t count) {
  constexpr std::int64_t kOneBlock = 8;  // of the search
  return count + std::max(kOneBlock, count / 2);
}

std::optional<std::int64_t> factor_above(ShiftedFactor& factor,
                                         const Eigen::VectorXd& bounds,
                                         std::int64_t count,
                                         std::int64_t rigid) {
  constexpr int kAttempts = 2;
  // the number of eigenvalues of a solid grows with this power of their limit [Weyl 1912]
  constexpr double kPower = 1.5;
  if (bounds.size() <= count) return std::nullopt;
  double sigma = first_shift(bounds, count);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (!(sigma > 0.0) || !factor.at_in_single(sigma)) return std::nullopt;
    const std::int64_t below = factor.inertia().negative;
    if (below <= most_below(count)) return below;
    const std::int64_t aim = count + 2 + count / 8;  // number of eigenvalues below the second shift
    const double share = static_cast<double>(aim - rigid) / static_cast<double>(below - rigid);
    sigma *= std::pow(share, 1.0 / kPower);
  }
  return std::nullopt;
}

}  // namespace femflex::modal
