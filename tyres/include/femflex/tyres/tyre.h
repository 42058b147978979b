// A tyre: a law, the ranges in which it was measured, the side on which it was measured. forces()
// evaluates any law.
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

/// Ranges of inputs for which the coefficients of a file hold. Inputs outside are clamped and
/// marked in TyreForces::outside; below `load.low` the forces fall with the load to zero.
struct TyreRanges {
  Range kappa;
  Range alpha;     ///< [rad]
  Range gamma;     ///< [rad]
  Range load;      ///< [N]
  Range pressure;  ///< [Pa]
};

/// Speed [m/s] below which the direction of travel is smoothed, if a file gives none: a walking
/// pace.
inline constexpr double kDefaultLowSpeed = 1.0;

struct Tyre {
  TyreLaw law;
  TyreRanges ranges;
  Side side = Side::left;               ///< where it was measured; mirrored on the other side
  double low_speed = kDefaultLowSpeed;  ///< [m/s]
  bool has_longitudinal = true;         ///< if false, fx and my are zero
  bool has_lateral = true;              ///< if false, fy, mx and mz are zero
  bool is_combined = true;              ///< Magic Formula: use the weights of combined slip
};

/// Forces and moments of the road on the wheel. Pure, without allocation; zero where
/// state.load <= 0. docs/theory/tyres.md.
TyreForces forces(const Tyre& tyre, const TyreState& state);

/// Effective rolling radius [m], which is needed to compute the slip kappa for forces() and
/// therefore depends on the spin [rad/s] instead. `load` [N]; `pressure` [Pa], NaN: as in the file.
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

/// Forces mirrored in the wheel plane, as of a tyre measured on the other side.
TyreForces mirrored(const TyreForces& forces);

/// Without conicity and ply steer: the coefficients that differ between left and right are zero.
Pac2002Tyre symmetric_part(Pac2002Tyre tyre);
Mf61Tyre symmetric_part(Mf61Tyre tyre);

}  // namespace femflex::tyres
