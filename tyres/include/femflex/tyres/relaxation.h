// Relaxation of tyres: the contact patch follows the wheel with a lag. The differential equations
// of its deflections contain no division by the speed, so they are valid at standstill.
// docs/theory/tyres.md, eq. (4) to (6d).
#pragma once

#include <algorithm>
#include <cmath>

namespace femflex::tyres {

/// A deflection beyond sliding decays in 1 / kExcessDecay of the damping time, eq. (6d).
inline constexpr double kExcessDecay = 10.0;

/// eq. (6): s, 1 at standstill and decreasing to 0 at `low_speed` [m/s].
/// @param speed  |Vx| [m/s]
inline double standstill_share(double speed, double low_speed) {
  const double t = std::min(speed / low_speed, 1.0);
  return 1.0 - t * t * (3.0 - 2.0 * t);
}

/// The patch in one direction, forwards or to the left.
struct PatchDirection {
  double sigma = 0.0;         ///< relaxation length [m], > 0
  double slip_speed = 0.0;    ///< Vsx or Vsy [m/s]
  double damping_time = 0.0;  ///< tau [s], eq. (6b); 0: without damping, and it never slides
  double sliding = 0.0;       ///< us [m], eq. (6d): the whole patch slides at this deflection
};

/// Deflection of the tread relative to the rim in one direction: a state of a tyre with relaxation.
struct Deflection {
  double u = 0.0;     ///< [m]
  double rate = 0.0;  ///< [m/s]
};

/// eq. (6a) and (6d) together with u = constant + gain u', the rule of an integrator; with gain 0
/// the deflection is given. From the low speed on this is eq. (4). Both are piecewise linear in u.
/// @param speed  |Vx| [m/s]
/// @param share  standstill_share()
inline Deflection deflection_of(
    const PatchDirection& patch, double speed, double share, double constant, double gain) {
  const double per_second = (speed + share * std::abs(patch.slip_speed)) / patch.sigma;
  const double given = constant - gain * patch.slip_speed;
  Deflection out;
  out.u = given / (1.0 + gain * per_second);
  double excess_rate = 0.0;
  if (patch.damping_time > 0.0 && std::abs(out.u) > patch.sliding) {
    excess_rate = share * kExcessDecay / patch.damping_time;
    const double limit = std::copysign(patch.sliding, out.u);
    out.u = (given + gain * excess_rate * limit) / (1.0 + gain * (per_second + excess_rate));
    excess_rate *= out.u - limit;
  }
  out.rate = -patch.slip_speed - per_second * out.u - excess_rate;
  return out;
}

/// u + s tau u', which divided by sigma is the slip of eq. (6a).
inline double damped_deflection(const PatchDirection& patch, const Deflection& at, double share) {
  return at.u + share * patch.damping_time * at.rate;
}

}  // namespace femflex::tyres
