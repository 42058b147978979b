// Viscous dampers, linear or with a factor that depends on the speed.
#pragma once

#include <cmath>

namespace femflex::laws {

/// Speed-dependent factor of a viscous damper: F = c v factor(v), factor(v) = 1 + c2 |v| + c3 v^2.
struct DampingGrowth {
  double by_speed = 0.0;   ///< c2 [s/m]; [s/rad] for angles
  double by_square = 0.0;  ///< c3 [s^2/m^2]; [s^2/rad^2] for angles

  bool is_none() const { return by_speed == 0.0 && by_square == 0.0; }
  double factor(double v) const { return 1.0 + (by_speed + by_square * std::abs(v)) * std::abs(v); }
  /// Derivative of v factor(v) with respect to v.
  double slope(double v) const {
    return 1.0 + (2.0 * by_speed + 3.0 * by_square * std::abs(v)) * std::abs(v);
  }
  /// The speed above which the factor is negative, so that the damper accelerates the motion
  /// instead of braking it [m/s]; [rad/s] for angles. Infinite if the factor is never negative.
  double driving_speed() const;

  friend bool operator==(const DampingGrowth&, const DampingGrowth&) = default;
};

/// A viscous damper along a line or in a hinge.
struct Damper {
  double c = 0.0;  ///< [N s/m]; [N m s/rad] for angles
  DampingGrowth growth;

  /// Resisting force at the speed v. It has the sign of v as long as the factor is positive.
  double force(double v) const { return c * v * growth.factor(v); }
  /// Derivative dF/dv.
  double damping(double v) const { return c * growth.slope(v); }
};

}  // namespace femflex::laws
