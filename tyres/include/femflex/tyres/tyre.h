// Tyre: a law, the ranges of its measurement and the measured side. forces() evaluates any law. The
// solver uses it through tools/system/wheels.cpp.
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

/// Ranges of inputs for which the coefficients of a file are valid. Inputs outside are clamped and
/// marked in TyreForces::outside. Below `load.low`, forces decrease with the load to zero.
struct TyreRanges {
  Range kappa;
  Range alpha;     ///< [rad]
  Range gamma;     ///< [rad]
  Range load;      ///< [N]
  Range pressure;  ///< [Pa]
};

/// Speed [m/s] below which the direction of travel is smoothed if a file contains none: a walking
/// pace.
inline constexpr double kDefaultLowSpeed = 1.0;

struct Tyre {
  TyreLaw law;
  TyreRanges ranges;
  Side side = Side::left;               ///< side of the measurement; mirrored for the other side
  double low_speed = kDefaultLowSpeed;  ///< [m/s]
  double vertical_damping = 0.0;        ///< [N s/m]; 0: not in the file
  bool has_longitudinal = true;         ///< if false, fx and my are zero
  bool has_lateral = true;              ///< if false, fy, mx and mz are zero
  bool is_combined = true;              ///< Magic Formula: use the weights of combined slip
};

/// Forces and moments that the road exerts on the wheel; zero if state.load <= 0. Has no side
/// effects and allocates nothing. docs/theory/tyres.md.
TyreForces forces(const Tyre& tyre, const TyreState& state);

/// Effective rolling radius [m]. It is needed to compute the slip kappa for forces(), so it depends
/// on the spin [rad/s] instead of kappa. `load` [N]; `pressure` [Pa], NaN: as in the file.
double effective_radius(const Tyre& tyre, double load, double spin, double pressure);

struct RelaxationLengths {
  double x = 0.0;  ///< sigma_kappa [m]; 0: not in the file
  double y = 0.0;  ///< sigma_alpha [m]
};
/// Relaxation lengths at the load and camber of `state` without slip; zero if state.load <= 0.
/// Faster than forces().
RelaxationLengths relaxation_lengths(const Tyre& tyre, const TyreState& state);

/// A typical load of the tyre [N]: FNOMIN, the payload, or the middle of its load range.
double nominal_load(const Tyre& tyre);

/// Forces mirrored in the wheel plane, for a tyre measured on the other side.
TyreForces mirrored(const TyreForces& forces);

/// The tyre without conicity and ply steer: coefficients that differ between left and right are
/// zero.
Pac2002Tyre symmetric_part(Pac2002Tyre tyre);
Mf61Tyre symmetric_part(Mf61Tyre tyre);

}  // namespace femflex::tyres
