// normal_quantile(): the inverse of the distribution function of normal numbers.
#pragma once

#include <cmath>
#include <numbers>

namespace femflex {

/// The quantile of the standard normal distribution: x such that a value is below x with the
/// probability p. Bisects until no number lies between both ends.
inline double normal_quantile(double p) {
  constexpr double kEnd = 40.0;  // the probability of larger values is below the smallest double
  double low = -kEnd, high = kEnd;
  while (true) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) return middle;
    (0.5 * std::erfc(-middle / std::numbers::sqrt2) < p ? low : high) = middle;
  }
}

}  // namespace femflex
