// Converts complex numbers from magnitude and phase to real and imaginary part.
#pragma once

#include <cmath>
#include <numbers>

namespace femflex::importer {

/// Replaces magnitude and phase in degrees, as NASTRAN writes them, by real and imaginary part.
inline void from_polar(double& real, double& imaginary) {
  const double magnitude = real;
  const double phase = imaginary * std::numbers::pi / 180.0;
  real = magnitude * std::cos(phase);
  imaginary = magnitude * std::sin(phase);
}

}  // namespace femflex::importer
