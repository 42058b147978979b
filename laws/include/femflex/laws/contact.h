// Force between two bodies that touch: an elastic force that grows with a power of the depth, and
// damping in proportion to it, so that the force has no jump at the first touch.
#pragma once

#include <algorithm>
#include <cmath>

namespace femflex::laws {

/// F = k d^n (1 + c/k d'), never below 0; docs/theory/multibody.md.
struct ContactStiffness {
  double stiffness = 0.0;  ///< k [N/m^n]
  double exponent = 1.0;   ///< n
  double damping = 0.0;    ///< c [N s/m^(n+1)]

  double elastic(double depth) const { return stiffness * std::pow(depth, exponent); }
  /// c/k [s/m]
  double ratio() const { return stiffness > 0.0 ? damping / stiffness : 0.0; }
  /// @param elastic  of the depth
  /// @param rate     of the depth [m/s]
  double damped(double elastic, double rate) const { return elastic * (1.0 + ratio() * rate); }
  double force(double elastic, double rate) const { return std::max(0.0, damped(elastic, rate)); }
  double potential(double elastic, double depth) const {
    return elastic * depth / (exponent + 1.0);
  }
};

}  // namespace femflex::laws
