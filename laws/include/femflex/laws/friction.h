// Dry friction along one coordinate: the level of Coulomb and Stribeck, its regularised form, and
// the bristle models LuGre and Dahl with one state each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace femflex::laws {

/// Level of the friction force over the sliding speed v, [Olsson 1998] eq. (4):
/// g(v) = sliding + (sticking - sliding) exp(-(v / stribeck_velocity)^2), to which viscous v is
/// added.
struct FrictionLevel {
  double sliding = 0.0;            ///< force of sliding, 0 or more [N]; [N m] in rotation
  double sticking = 0.0;           ///< force at which sliding begins, at least `sliding`
  double stribeck_velocity = 0.0;  ///< [m/s]; [rad/s]; 0: no Stribeck effect
  double viscous = 0.0;            ///< [N s/m]; [N m s/rad]

  double at(double v) const {
    if (!(stribeck_velocity > 0.0)) return sliding;
    const double ratio = v / stribeck_velocity;
    return sliding + (sticking - sliding) * std::exp(-ratio * ratio);
  }
};

/// `set_valued` is Coulomb's law itself: any force up to the level of sticking at rest, the level
/// of sliding against the motion. Generalised-alpha applies it exactly, other integrators
/// regularise it.
enum class FrictionModel : std::uint8_t { regularised, lugre, dahl, set_valued };

/// Coulomb friction that rises with tanh(v / transition_velocity): it creeps under load. Under a
/// force F below the level g the creep is transition_velocity atanh(F / g).
inline double regularised_friction(const FrictionLevel& level,
                                   double transition_velocity,
                                   double v) {
  return level.at(v) * std::tanh(v / transition_velocity) + level.viscous * v;
}

/// Bristles of a contact, with their mean deflection z [m] ([rad]) as state.
struct Bristles {
  double stiffness = 0.0;  ///< sigma_0 [N/m]
  double damping = 0.0;    ///< sigma_1 of LuGre [N s/m]
  double exponent = 1.0;   ///< of Dahl
};

/// LuGre [Canudas 1995]: z' = v - sigma_0 |v| z / g(v), F = sigma_0 z + sigma_1 z' + viscous v.
inline double lugre_rate(const Bristles& bristles, const FrictionLevel& level, double v, double z) {
  const double g = level.at(v);
  return g > 0.0 ? v - bristles.stiffness * std::abs(v) * z / g : 0.0;
}
inline double lugre_force(
    const Bristles& bristles, const FrictionLevel& level, double v, double z, double z_dot) {
  const double elastic =
      level.at(v) > 0.0 ? bristles.stiffness * z + bristles.damping * z_dot : 0.0;
  return elastic + level.viscous * v;
}

/// Dahl [Dahl 1976]: F' = sigma_0 v |1 - F sgn v / level|^exponent sgn(1 - F sgn v / level), with
/// F = sigma_0 z and level = `sliding`.
inline double dahl_rate(const Bristles& bristles, const FrictionLevel& level, double v, double z) {
  if (!(level.sliding > 0.0)) return 0.0;
  const double rest = 1.0 - bristles.stiffness * z * (v < 0.0 ? -1.0 : 1.0) / level.sliding;
  if (bristles.exponent == 1.0) return v * rest;
  return v * std::copysign(std::pow(std::abs(rest), bristles.exponent), rest);
}

}  // namespace femflex::laws
