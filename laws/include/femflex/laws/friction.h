// Dry friction along one coordinate: the level of Coulomb and Stribeck, its regularised form, the
// bristle models LuGre and Dahl with one state each, and the friction of rubber.
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

/// Friction of rubber, which rises with the way since the last reversal [Berg 1998].
struct RubberFriction {
  double level = 0.0;     ///< never exceeded [N], [N m]; 0: no friction
  double half_way = 0.0;  ///< way from rest to half the level [m], [rad]
};

/// Place and force of the last reversal; the undeformed rubber begins at zero.
struct RubberReversal {
  double x = 0.0, force = 0.0;
};

/// F = F_s + (x - x_s) (level - F_s) / (half_way (1 - F_s / level) + x - x_s) where x has grown
/// since the reversal at x_s, its mirror image where x has fallen. Its slope there is level /
/// half_way.
inline double rubber_friction(const RubberFriction& rubber, const RubberReversal& last, double x) {
  const double sense = x < last.x ? -1.0 : 1.0;
  const double way = std::abs(x - last.x);
  if (!(way > 0.0) || !(rubber.level > 0.0)) return last.force;
  const double left = 1.0 - sense * last.force / rubber.level;
  return last.force + sense * rubber.level * left * way / (rubber.half_way * left + way);
}

}  // namespace femflex::laws
