// Coefficients of the three tyre laws with few parameters: linear, Fiala (as in Adams), TMeasy.
// Equations: docs/theory/tyres.md, (10) to (29).
#pragma once

#include <array>

namespace femflex::tyres {

/// Forces proportional to slip and load, without a friction limit: eq. (10).
struct LinearTyre {
  double fnomin = 0.0;              ///< load for which the stiffnesses are given [N]
  double unloaded_radius = 0.0;     ///< [m]
  double vertical_stiffness = 0.0;  ///< [N/m]
  double cslip = 0.0;               ///< dFx/dkappa [N]
  double calpha = 0.0;              ///< -dFy/dalpha [N/rad], > 0
  double cgamma = 0.0;              ///< dFy/dgamma [N/rad]
  double trail = 0.0;               ///< pneumatic trail [m]
  double rolling_resistance = 0.0;  ///< lever of the load [m]
  double relax_length_x = 0.0;      ///< [m]
  double relax_length_y = 0.0;      ///< [m]
};

/// Brush model on a beam, with friction that decreases with slip, in the form of [Adams Fiala]: eq.
/// (12) to (16).
struct FialaTyre {
  double unloaded_radius = 0.0;     ///< [m]
  double width = 0.0;               ///< lever of the aligning moment [m]
  double vertical_stiffness = 0.0;  ///< [N/m]
  double rolling_resistance = 0.0;  ///< lever of the load [m]
  double cslip = 0.0;               ///< dFx/dkappa [N]
  double calpha = 0.0;              ///< [N/rad], > 0
  double umin = 0.0;                ///< friction coefficient at comprehensive slip 1
  double umax = 0.0;                ///< friction coefficient at comprehensive slip 0
  double relax_length_x = 0.0;      ///< [m]
  double relax_length_y = 0.0;      ///< [m]
};

/// A force characteristic of TMeasy, at the payload [0] and at twice the payload [1].
struct TmeasyCurve {
  std::array<double, 2> slope = {};          ///< dF0 [N]
  std::array<double, 2> slip_peak = {};      ///< sM
  std::array<double, 2> force_peak = {};     ///< FM [N]
  std::array<double, 2> slip_sliding = {};   ///< sS
  std::array<double, 2> force_sliding = {};  ///< FS [N]
};

/// TMeasy: curves given by slope, peak and sliding, combined by a generalised slip: eq. (17) to
/// (29), [Rill 2020].
struct TmeasyTyre {
  double payload = 0.0;                                          ///< FzN [N]
  double unloaded_radius = 0.0;                                  ///< [m]
  double width = 0.0;                                            ///< [m]
  double vertical_stiffness = 0.0;                               ///< [N/m]
  double longitudinal_stiffness = 0.0, lateral_stiffness = 0.0;  ///< of the carcass [N/m]
  TmeasyCurve x, y;
  std::array<double, 2> trail = {};               ///< (n/L)0, relative to the contact length
  std::array<double, 2> slip_trail_zero = {};     ///< sy0
  std::array<double, 2> slip_trail_end = {};      ///< sySE
  std::array<double, 2> radius_weight = {};       ///< lambda of the dynamic radius
  std::array<double, 2> rolling_resistance = {};  ///< moment divided by load and radius
  double artificial_speed = 0.01;                 ///< vN [m/s]: keeps slips finite at standstill
};

}  // namespace femflex::tyres
