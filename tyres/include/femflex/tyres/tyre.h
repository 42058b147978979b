// A tyre: a law, the ranges in which it was measured, the side on which it was measured. forces()
// is the one door through which all laws are evaluated.
#pragma once

#include <limits>
#include <string_view>
#include <variant>

#include "femflex/tyres/mf61_tyre.h"
#include "femflex/tyres/pac2002_tyre.h"
#include "femflex/tyres/simple_tyres.h"
#include "femflex/tyres/tyre_state.h"

namespace femflex::tyres {

using TyreLaw = std::variant<LinearTyre, FialaTyre, TmeasyTyre, Pac2002Tyre, Mf61Tyre>;

/// Name of a law for messages and documents: `linear`, `fiala`, `tmeasy`, `pac2002`, `mf61`.
std::string_view law_name(const TyreLaw& law);

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// Where the coefficients of a file hold. Inputs outside are clamped, which TyreForces::outside
/// tells; below `load.low` the forces fall with the load to zero.
struct TyreRanges {
  Range kappa;
  Range alpha;     ///< [rad]
  Range gamma;     ///< [rad]
  Range load;      ///< [N]
  Range pressure;  ///< [Pa]
};

/// Speed [m/s] below which the direction of travel is smoothed, where a file does not say:
/// a walking pace.
inline constexpr double kDefaultLowSpeed = 1.0;

struct Tyre {
  TyreLaw law;
  TyreRanges ranges;
  Side side = Side::left;               ///< where it was measured; mirrored on the other side
  double low_speed = kDefaultLowSpeed;  ///< [m/s]
  bool has_longitudinal = true;         ///< else fx and my are zero
  bool has_lateral = true;              ///< else fy, mx and mz are zero
  bool is_combined = true;              ///< Magic Formula: else without weights of combined slip
};

/// Forces and moments of the road on the wheel. Pure, without allocation; zero where
/// state.load <= 0. docs/theory/tyres.md.
TyreForces forces(const Tyre& tyre, const TyreState& state);

/// Effective rolling radius [m], for the slip kappa that forces() takes; needed before kappa is
/// known, hence from the spin [rad/s]. `load` [N], `pressure` [Pa], NaN as in the file.
double effective_radius(const Tyre& tyre, double load, double spin, double pressure);

struct RelaxationLengths {
  double x = 0.0;  ///< sigma_kappa [m]; 0: the file has none
  double y = 0.0;  ///< sigma_alpha [m]
};
/// Relaxation lengths at the load and camber of `state` without slip, at the cost of a fraction of
/// forces(); zero where state.load <= 0.
RelaxationLengths relaxation_lengths(const Tyre& tyre, const TyreState& state);

/// A load that the tyre is made for [N]: FNOMIN, the payload, or the middle of its range.
double nominal_load(const Tyre& tyre);

/// The tyre as if measured on the other side: what it gives is mirrored in the wheel plane.
TyreForces mirrored(const TyreForces& forces);

/// Without conicity and ply steer: the coefficients that differ between left and right are zero.
Pac2002Tyre symmetric_part(Pac2002Tyre tyre);
Mf61Tyre symmetric_part(Mf61Tyre tyre);

}  // namespace femflex::tyres
