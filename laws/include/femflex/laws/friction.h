// Dry friction along one coordinate: the level of Coulomb and Stribeck, its regularised form, the
// bristle models LuGre and Dahl with one state each, and friction of rubber.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace femflex::laws {

/// Friction level g as a function of the sliding speed v [Olsson 1998, eq. (4)]: g(v) = sliding +
/// (sticking - sliding) exp(-(v / stribeck_velocity)^2). Friction laws add the force viscous v.
struct FrictionLevel {
  double sliding = 0.0;            ///< friction force of fast sliding, 0 or more [N]; [N m] in
                                   ///< rotation
  double sticking = 0.0;           ///< friction force at which sliding starts, at least `sliding`
  double stribeck_velocity = 0.0;  ///< [m/s], [rad/s]; 0: no Stribeck effect
  double viscous = 0.0;            ///< [N s/m]; [N m s/rad]

  double at(double v) const {
    if (!(stribeck_velocity > 0.0)) return sliding;
    const double ratio = v / stribeck_velocity;
    return sliding + (sticking - sliding) * std::exp(-ratio * ratio);
  }
};

/// Friction laws. `set_valued` is Coulomb's law itself: at rest any force up to the sticking level,
/// in motion the sliding level against the motion. Generalised-alpha applies this law exactly;
/// other integrators regularise it.
enum class FrictionModel : std::uint8_t { regularised, lugre, dahl, set_valued };

/// Coulomb friction multiplied by tanh(v / transition_velocity). A contact under a load F below the
/// level g creeps at the speed transition_velocity atanh(F / g).
inline double regularised_friction(const FrictionLevel& level,
                                   double transition_velocity,
                                   double v) {
  return level.at(v) * std::tanh(v / transition_velocity) + level.viscous * v;
}

/// Bristles of a contact. Their state is the mean deflection z [m], [rad] in rotation.
struct Bristles {
  double stiffness = 0.0;  ///< sigma_0 [N/m]
  double damping = 0.0;    ///< sigma_1, LuGre only [N s/m]
  double exponent = 1.0;   ///< exponent, Dahl only
};

/// LuGre model [Canudas 1995]: z' = v - sigma_0 |v| z / g(v), F = sigma_0 z + sigma_1 z' + viscous
/// v.
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

/// Dahl model [Dahl 1976]: F' = sigma_0 v |1 - F sgn v / level|^exponent sgn(1 - F sgn v / level),
/// with F = sigma_0 z and level = `sliding`.
inline double dahl_rate(const Bristles& bristles, const FrictionLevel& level, double v, double z) {
  if (!(level.sliding > 0.0)) return 0.0;
  const double rest = 1.0 - bristles.stiffness * z * (v < 0.0 ? -1.0 : 1.0) / level.sliding;
  if (bristles.exponent == 1.0) return v * rest;
  return v * std::copysign(std::pow(std::abs(rest), bristles.exponent), rest);
}

/// Friction of rubber, which increases with the distance since the last reversal of motion [Berg
/// 1998].
struct RubberFriction {
  double level = 0.0;     ///< upper limit of the force [N], [N m]; 0: no friction
  double half_way = 0.0;  ///< distance from rest at which half the level is reached [m], [rad]
};

/// Position and force at the last reversal. Both are zero for rubber that has not yet moved.
struct RubberReversal {
  double x = 0.0, force = 0.0;
};

/// Force after a motion from the last reversal (x_s, F_s) to x. For x > x_s it is F = F_s + (x -
/// x_s) (level - F_s) / (half_way (1 - F_s / level) + x - x_s); for x < x_s it is the mirror image.
/// The slope at x_s is level / half_way.
inline double rubber_friction(const RubberFriction& rubber, const RubberReversal& last, double x) {
  const double sense = x < last.x ? -1.0 : 1.0;
  const double way = std::abs(x - last.x);
  if (!(way > 0.0) || !(rubber.level > 0.0)) return last.force;
  const double left = 1.0 - sense * last.force / rubber.level;
  return last.force + sense * rubber.level * left * way / (rubber.half_way * left + way);
}

}  // namespace femflex::laws
