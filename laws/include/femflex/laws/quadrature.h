// Numerical integration, for the energy of force laws without a closed form. Called by spring.h.
#pragma once

#include <array>
#include <cstddef>

namespace femflex::laws {

/// Positive half of the Gauss-Legendre rule with 8 points on [-1, 1], which is exact for
/// polynomials of degree 15 [Abramowitz 1964, table 25.4].
inline constexpr std::array<double, 4> kGaussPoints = {
    0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
inline constexpr std::array<double, 4> kGaussWeights = {
    0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};

/// Integral of f from 0 to u. Divides the interval into four pieces and applies the rule above to
/// each. The result is exact to rounding errors for the energy of a smooth force law; for a law
/// with a kink the relative error is a few parts in 10^4.
template <typename Function>
double integral_from_zero(double u, const Function& f) {
  constexpr int kPieces = 4;
  const double half = 0.5 * u / kPieces;
  double sum = 0.0;
  for (int piece = 0; piece < kPieces; ++piece) {
    const double middle = (2 * piece + 1) * half;
    for (std::size_t i = 0; i < kGaussPoints.size(); ++i) {
      for (const double sign : {-1.0, 1.0})
        sum += kGaussWeights[i] * f(middle + sign * kGaussPoints[i] * half);
    }
  }
  return sum * half;
}

}  // namespace femflex::laws
