// TyreState: inputs of a tyre law (slips, load, speed). TyreForces: its outputs (forces, moments,
// effective radius, relaxation lengths). Direction of travel. Frame W (ISO 8855, TYDEX W): origin
// in the contact point, x forward in the wheel plane, z normal to the road and upwards, y to the
// left.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace femflex::tyres {

/// docs/theory/tyres.md, eq. (2): sign of Vx; exact for |Vx| >= `low_speed` [m/s].
inline double direction_of_travel(double Vx, double low_speed) {
  const double t = std::clamp(Vx / low_speed, -1.0, 1.0);
  return t * (1.5 - 0.5 * t * t);
}

enum class Side : std::uint8_t { left, right };

/// Slips, load and speed of a rolling wheel. Vx is its forward speed. (Vsx, Vsy) is the slip
/// velocity: forward speed minus effective radius times spin, and lateral speed. Turn slip is zero:
/// the laws do not include yawing at standstill. Signs: docs/theory/tyres.md, eq. (1).
struct TyreState {
  double kappa = 0.0;  ///< -Vsx / |Vx|; > 0: driven wheel, -1: locked wheel
  double alpha = 0.0;  ///< atan(Vsy / |Vx|) [rad]
  double gamma = 0.0;  ///< camber about x [rad]
  double load = 0.0;   ///< Fz [N], > 0 in contact
  double speed = 0.0;  ///< Vx of the contact centre [m/s]
  double pressure = std::numeric_limits<double>::quiet_NaN();  ///< [Pa]; NaN: as in the file
  Side side = Side::left;                                      ///< side on which the wheel is
                                                               ///< mounted
};

/// Inputs outside the ranges of a tyre, as bits of TyreForces::outside.
enum OutsideRange : std::uint8_t {
  kKappaOutside = 1,
  kAlphaOutside = 2,
  kGammaOutside = 4,
  kLoadOutside = 8,
  kPressureOutside = 16,
};

/// Forces and moments that the road exerts on the wheel at the contact point, in W.
struct TyreForces {
  double fx = 0.0;                ///< [N]
  double fy = 0.0;                ///< [N]
  double mx = 0.0;                ///< overturning moment [N m]
  double my = 0.0;                ///< rolling resistance moment [N m], < 0 when rolling forward
  double mz = 0.0;                ///< aligning moment [N m]
  double effective_radius = 0.0;  ///< speed divided by spin of a freely rolling wheel [m]
  double relaxation_x = 0.0;      ///< sigma_kappa [m]
  double relaxation_y = 0.0;      ///< sigma_alpha [m]
  std::uint8_t outside = 0;       ///< bits of OutsideRange for the inputs that were clamped
};

}  // namespace femflex::tyres
