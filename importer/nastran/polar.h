// Converts complex numbers from magnitude and phase to real and imaginary part.
#pragma once

#include <cmath>

#include "femflex/unit_constants.h"

namespace femflex::importer {

/// Replaces magnitude and phase in degrees, as NASTRAN writes them, by real and imaginary part.
inline void from_polar(double& real, double& imaginary) {
  const double magnitude = real;
  const double phase = imaginary * kDegree;
  real = magnitude * std::cos(phase);
  imaginary = magnitude * std::sin(phase);
}

}  // namespace femflex::importer
