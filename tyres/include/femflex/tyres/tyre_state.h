// What a tyre law takes and gives at the contact point: slips, load and speed in; forces, moments,
// effective radius and relaxation lengths out. Frame W (ISO 8855, TYDEX W): origin in the contact
// point, x forward in the wheel plane, z normal to the road and upwards, y to the left.
#pragma once

#include <cstdint>
#include <limits>

namespace femflex::tyres {

enum class Side : std::uint8_t { left, right };

/// Slips of a rolling wheel. Turn slip is zero: the laws are those of a wheel that does not yaw on
/// the spot. Signs: docs/theory/tyres.md, eq. (1).
struct TyreState {
  double kappa = 0.0;  ///< -Vsx / |Vx|; > 0 drives, -1 locks
  double alpha = 0.0;  ///< atan(Vsy / |Vx|) [rad]
  double gamma = 0.0;  ///< camber about x [rad]
  double load = 0.0;   ///< Fz [N], > 0 in contact
  double speed = 0.0;  ///< Vx of the contact centre [m/s]
  double pressure = std::numeric_limits<double>::quiet_NaN();  ///< [Pa]; NaN: as in the file
  Side side = Side::left;                                      ///< where the wheel is mounted
};

/// Names of the inputs that were outside the range of a tyre, as bits of TyreForces::outside.
enum OutsideRange : std::uint8_t {
  kKappaOutside = 1,
  kAlphaOutside = 2,
  kGammaOutside = 4,
  kLoadOutside = 8,
  kPressureOutside = 16,
};

/// Forces and moments of the road on the wheel at the contact point, in W.
struct TyreForces {
  double fx = 0.0;                ///< [N]
  double fy = 0.0;                ///< [N]
  double mx = 0.0;                ///< overturning moment [N m]
  double my = 0.0;                ///< rolling resistance moment [N m], < 0 where it rolls forward
  double mz = 0.0;                ///< aligning moment [N m]
  double effective_radius = 0.0;  ///< speed over spin of the freely rolling wheel [m]
  double relaxation_x = 0.0;      ///< sigma_kappa [m]
  double relaxation_y = 0.0;      ///< sigma_alpha [m]
  std::uint8_t outside = 0;       ///< bits of OutsideRange for the inputs that were clamped
};

}  // namespace femflex::tyres
