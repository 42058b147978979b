// Laws of springs between two points as functions of their distance L [m]: energy(L) [J], which is
// 0 at L = d; force(L) = dV/dL [N], positive if it pulls the points together; stiffness(L) = dF/dL
// [N/m]. d is the free length. The same laws apply to rotational springs: L is then an angle [rad],
// and forces are moments [N m].
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "femflex/laws/curve.h"
#include "femflex/laws/formula.h"
#include "femflex/laws/quadrature.h"

namespace femflex::laws {

/// Linear spring: V = k/2 (L - d)^2.
struct LinearSpring {
  double k = 0.0;  ///< [N/m]
  double d = 0.0;  ///< [m]

  double energy(double length) const { return 0.5 * k * (length - d) * (length - d); }
  double force(double length) const { return k * (length - d); }
  double stiffness(double /*length*/) const { return k; }
};

/// Stiffness k = E A / d [N/m] of a bar with the section `area` [m^2], Young's modulus E [Pa] and
/// the length d [m].
constexpr double axial_stiffness(double modulus, double area, double length) {
  return modulus * area / length;
}

/// Quartic spring: V = k/2 (L^2 - d^2)^2, a polynomial in the coordinates of both ends.
struct QuarticSpring {
  double k = 0.0;  ///< [N/m^3]
  double d = 0.0;  ///< [m]

  /// L^2 - d^2 [m^2].
  double stretch(double squared_length) const { return squared_length - d * d; }
  double energy(double length) const {
    const double s = stretch(length * length);
    return 0.5 * k * s * s;
  }
  double force(double length) const { return 2.0 * k * stretch(length * length) * length; }
  double stiffness(double length) const {
    return 2.0 * k * (stretch(length * length) + 2.0 * length * length);
  }
};

/// Spring whose force is a curve over the elongation L - d.
struct CurveSpring {
  const Curve& curve;  ///< force [N] as a function of elongation [m]
  double d = 0.0;      ///< [m]

  double energy(double length) const { return curve.integral(length - d) - curve.integral(0.0); }
  double force(double length) const { return curve(length - d); }
  double stiffness(double length) const { return curve.slope(length - d); }
};

/// Spring whose force is a formula in e = L - d, L and d.
struct FormulaSpring {
  const Formula& formula;  ///< force [N] with the variables e, L, d in this order
  double d = 0.0;          ///< [m]

  double energy(double length) const {
    return integral_from_zero(length - d, [&](double e) {
      return formula(std::array{e, d + e, d});
    });
  }
  double force(double length) const { return formula(variables(length)); }
  double stiffness(double length) const {  // both e and L depend on the length
    const std::array<double, 3> at = variables(length);
    return formula.derivative(at, 0).derivative + formula.derivative(at, 1).derivative;
  }

 private:
  std::array<double, 3> variables(double length) const { return {length - d, length, d}; }
};

/// Whether a tension-only spring, such as a cable, is slack. Compares squares to avoid a square
/// root.
constexpr bool is_slack(double squared_length, double d) {
  return squared_length < d * d;
}

/// The force of a spring and its tangent stiffness, for the vector r from point a to point b. The
/// force on a is over_length r; the tangent matrix is over_length I + slope r r', with the unit
/// matrix I.
struct CentralForce {
  double over_length = 0.0;  ///< s = F / L [N/m]
  double slope = 0.0;        ///< c = (dF/dL - F/L) / L^2 [N/m^3]
};

/// @param r2  L^2 [m^2]
inline CentralForce central_force(const QuarticSpring& spring, double r2) {
  return {2.0 * spring.k * spring.stretch(r2), 4.0 * spring.k};
}
inline CentralForce central_force(const LinearSpring& spring, double r2) {
  const double length = std::sqrt(r2);
  // without length the direction is undefined; F / L exists only if the free length is 0
  if (length == 0.0) return {spring.d == 0.0 ? spring.k : 0.0, 0.0};
  return {spring.k * (1.0 - spring.d / length), spring.k * spring.d / (length * r2)};
}
template <typename Law>
CentralForce central_force(const Law& spring, double r2) {
  const double length = std::sqrt(r2);
  if (length == 0.0) return {};
  const double s = spring.force(length) / length;
  return {s, (spring.stiffness(length) - s) / r2};
}

/// F / L without the slope [N/m].
inline double force_over_length(const QuarticSpring& spring, double r2) {
  return central_force(spring, r2).over_length;
}
inline double force_over_length(const LinearSpring& spring, double r2) {
  return central_force(spring, r2).over_length;
}
template <typename Law>
double force_over_length(const Law& spring, double r2) {
  const double length = std::sqrt(r2);
  return length == 0.0 ? 0.0 : spring.force(length) / length;
}

/// Energy [J] from the squared length L^2.
inline double energy_of_square(const QuarticSpring& spring, double r2) {
  const double s = spring.stretch(r2);
  return 0.5 * spring.k * s * s;
}
template <typename Law>
double energy_of_square(const Law& spring, double r2) {
  return spring.energy(std::sqrt(r2));
}

/// Limits at which a spring breaks; afterwards its force is zero. Infinity means no limit.
struct BreakLimits {
  double force = std::numeric_limits<double>::infinity();       ///< limit of |F| [N]
  double elongation = std::numeric_limits<double>::infinity();  ///< limit of L - d [m]

  bool are_kept(double f, double e) const { return std::abs(f) <= force && e <= elongation; }
  /// Smaller distance to one of the two limits, relative to that limit. Negative if and only if a
  /// limit is exceeded; infinite if there is no limit.
  double margin(double f, double e) const {
    return std::min(below(std::abs(f), force), below(e, elongation));
  }

 private:
  static double below(double value, double limit) {
    if (!std::isfinite(limit)) return std::numeric_limits<double>::infinity();
    return limit != 0.0 ? (limit - value) / std::abs(limit) : -value;
  }
};

}  // namespace femflex::laws
