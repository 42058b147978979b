// Relaxation of tyres: the contact patch follows the wheel with a lag. The differential equations
// of its deflections contain no division by the speed, so they are valid at standstill.
// docs/theory/tyres.md, eq. (4) to (6).
#pragma once

#include <algorithm>
#include <cmath>

namespace femflex::tyres {

/// Deflections of the tread relative to the rim; these are the states of a tyre with relaxation.
struct TyreDeflection {
  double u = 0.0;  ///< forwards [m]
  double v = 0.0;  ///< to the left [m]
};

/// Slip speeds of the contact point.
struct SlipSpeeds {
  double Vx = 0.0;   ///< velocity of the wheel centre along x [m/s]
  double Vsx = 0.0;  ///< Vx - Re Omega [m/s]
  double Vsy = 0.0;  ///< [m/s]
};

/// eq. (4): rates of the deflections [m/s].
/// @param sigma_x, sigma_y  relaxation lengths [m], > 0
inline TyreDeflection deflection_rates(const TyreDeflection& at,
                                       const SlipSpeeds& speeds,
                                       double sigma_x,
                                       double sigma_y) {
  const double V = std::abs(speeds.Vx);
  return {-speeds.Vsx - V / sigma_x * at.u, -speeds.Vsy - V / sigma_y * at.v};
}

/// Slips computed from the deflections, for forces().
struct DeflectionSlips {
  double kappa = 0.0;
  double alpha = 0.0;  ///< [rad]
};

/// eq. (5). In a steady state they are -Vsx / |Vx| and atan(Vsy / |Vx|).
inline DeflectionSlips slips_of(const TyreDeflection& at, double sigma_x, double sigma_y) {
  return {at.u / sigma_x, -std::atan(at.v / sigma_y)};
}

/// eq. (6): damping [N s/m] to add to the force of a deflection at speeds below `low_speed`, where
/// the differential equation gives no damping. `critical` is 2 sqrt(c m) of carcass and wheel.
inline double low_speed_damping(double critical, double Vx, double low_speed) {
  const double t = std::min(std::abs(Vx) / low_speed, 1.0);
  return 0.5 * critical * (1.0 - t * t * (3.0 - 2.0 * t));
}

}  // namespace femflex::tyres
