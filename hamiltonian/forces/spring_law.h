#pragma once

#include <array>
#include <cmath>

#include "femflex/hamiltonian/lattice.h"

#include "forces/compiled_function.h"

namespace femflex::hamiltonian {

/// What a spring of squared length r2 does. `over_length` is force / L: times the vector from a to
/// b it is the force on a. `slope` c makes the tangent block  over_length 1 + c r r'.
struct SpringAnswer {
  double over_length = 0.0;  ///< s = F / L
  double slope = 0.0;        ///< c = (dF/dL - F/L) / L^2
};

/// docs/theory/hamiltonian.md eq. (2)-(4).
inline SpringAnswer answer(const Spring& spring,
                           const CompiledFunction* curve,
                           double r2,
                           bool with_slope = true) {
  const double d = spring.rest_length;
  if (spring.tension_only && r2 < d * d) return {};
  if (spring.law == SpringLaw::quartic)
    return {2.0 * spring.stiffness * (r2 - d * d), 4.0 * spring.stiffness};
  const double length = std::sqrt(r2);
  if (length == 0.0) return {d == 0.0 ? spring.stiffness : 0.0, 0.0};  // no direction to push in
  if (spring.law == SpringLaw::linear)
    return {spring.stiffness * (1.0 - d / length), spring.stiffness * d / (length * r2)};
  const std::array<double, 3> variables = {length - d, length, d};
  const laws::ValueAndDerivative f = curve->at(variables);
  // An expression may name L as well as e = L - d; the derivative along e alone would miss it.
  double derivative = f.derivative;
  if (spring.law == SpringLaw::expression && with_slope) derivative += curve->slope(variables, 1);
  const double s = f.value / length;
  return {s, (derivative - s) / r2};
}

inline double potential(const Spring& spring, const CompiledFunction* curve, double r2) {
  const double d = spring.rest_length;
  if (spring.tension_only && r2 < d * d) return 0.0;
  if (spring.law == SpringLaw::quartic) {
    const double difference = r2 - d * d;
    return 0.5 * spring.stiffness * difference * difference;
  }
  const double e = std::sqrt(r2) - d;
  if (spring.law == SpringLaw::linear) return 0.5 * spring.stiffness * e * e;
  const std::array<double, 3> variables = {e, e + d, d};
  return curve->integral(variables, true);
}

}  // namespace femflex::hamiltonian
