// Converts an eigenvalue of (K, M), omega^2 in rad^2/s^2, to a frequency in Hz.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace femflex {

/// f = sqrt(lambda) / (2 pi) [Hz] of an eigenvalue lambda = omega^2 [rad^2/s^2]; 0 for a negative
/// eigenvalue (a rigid motion after round-off), NaN for NaN (an eigenvalue that is not known).
inline double frequency_hz(double eigenvalue) {
  if (std::isnan(eigenvalue)) return eigenvalue;
  return std::sqrt(std::max(0.0, eigenvalue)) / (2.0 * std::numbers::pi);
}

}  // namespace femflex
