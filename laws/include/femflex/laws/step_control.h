// The next step length of embedded Runge-Kutta pairs of orders 5 and 4.
#pragma once

#include <algorithm>
#include <cmath>

namespace femflex::laws {

/// Limits of one change of the step.
inline constexpr double kMaxShortening = 0.2, kMaxLengthening = 5.0;

/// The plain controller of [Hairer 1993, II.4]: the next step is  0.9 error^(-1/5)  of this one,
/// within the limits above.
/// @param error  error / tolerance of the step, finite
inline double next_step_factor(double error) {
  constexpr double kSafety = 0.9;
  constexpr double kMinError = 1e-10;  // keeps the power finite; the limits decide far above it
  return std::clamp(
      kSafety * std::pow(std::max(error, kMinError), -0.2), kMaxShortening, kMaxLengthening);
}

}  // namespace femflex::laws
