// Contact: the inputs of one evaluation after ranges and side are applied. Also functions used by
// several laws: protection of denominators, sine and cosine curves of the Magic Formula. Symbols as
// in docs/theory/tyres.md.
#pragma once

#include <algorithm>
#include <cmath>

namespace femflex::tyres {

struct Contact {
  double kappa = 0.0;
  double alpha = 0.0;      ///< [rad], within [-pi/2, pi/2]
  double gamma = 0.0;      ///< [rad]
  double Fz = 0.0;         ///< [N], > 0
  double Vx = 0.0;         ///< [m/s]
  double pressure = 0.0;   ///< [Pa]; NaN: as in the file
  double direction = 0.0;  ///< sign of Vx, smooth below the low speed; see direction_of_travel()
  bool combined = true;    ///< true: apply the weights of combined slip
};

/// Added to the magnitude of a denominator that may be zero, like the small numbers epsilon of
/// [Pacejka 2012] (4.E14, 4.E26, 4.E39). Far below the stiffnesses and forces of a loaded tyre [N].
constexpr double kDenominatorGuard = 1e-6;

inline double away_from_zero(double x) {
  return x + std::copysign(kDenominatorGuard, x);
}

inline double sign(double x) {
  return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : 0.0);
}

/// B x - E (B x - atan(B x)), eq. (3), computed without a difference of large numbers.
inline double magic_argument(double Bx, double E) {
  return (1.0 - E) * Bx + E * std::atan(Bx);
}
inline double magic_sine(double Bx, double C, double E) {
  return std::sin(C * std::atan(magic_argument(Bx, E)));
}
inline double magic_cosine(double Bx, double C, double E) {
  return std::cos(C * std::atan(magic_argument(Bx, E)));
}

/// Limits the curvature factor to 1; for larger values the curve would turn back [Pacejka 2012]
/// (4.E5).
inline double curvature(double E) {
  return std::min(E, 1.0);
}

/// cos(atan x)
inline double cos_atan(double x) {
  return 1.0 / std::sqrt(1.0 + x * x);
}

}  // namespace femflex::tyres
