// Computes force, tangent and energy of a spring of a lattice from its squared length r2, by the
// laws of laws/. docs/theory/hamiltonian.md eq. (2)-(4).
#pragma once

#include <cassert>

#include "femflex/hamiltonian/lattice.h"
#include "femflex/laws/spring.h"

#include "lattice_system/compiled_function.h"

namespace femflex::hamiltonian {

// Force of table and formula springs. It is in a separate source file so that the loops over linear
// springs stay short.
laws::CentralForce function_force(const CompiledFunction& function, double d, double r2);
double function_force_over_length(const CompiledFunction& function, double d, double r2);
double function_energy(const CompiledFunction& function, double d, double r2);

inline bool is_slack(const Spring& spring, double r2) {
  return spring.tension_only && laws::is_slack(r2, spring.rest_length);
}

/// Force and tangent of a spring of squared length r2 [m^2].
/// @param function  force of a table or formula spring; not read for other springs
inline laws::CentralForce central_force(const Spring& spring,
                                        const CompiledFunction* function,
                                        double r2) {
  if (is_slack(spring, r2)) return {};
  const double d = spring.rest_length;
  if (spring.law == SpringLaw::quartic)
    return laws::central_force(laws::QuarticSpring{spring.stiffness, d}, r2);
  if (spring.law == SpringLaw::linear)
    return laws::central_force(laws::LinearSpring{spring.stiffness, d}, r2);
  assert(function != nullptr);
  return function_force(*function, d, r2);
}

/// Force divided by length [N/m], without the tangent.
inline double force_over_length(const Spring& spring, const CompiledFunction* function, double r2) {
  if (is_slack(spring, r2)) return 0.0;
  const double d = spring.rest_length;
  if (spring.law == SpringLaw::quartic)
    return laws::force_over_length(laws::QuarticSpring{spring.stiffness, d}, r2);
  if (spring.law == SpringLaw::linear)
    return laws::force_over_length(laws::LinearSpring{spring.stiffness, d}, r2);
  assert(function != nullptr);
  return function_force_over_length(*function, d, r2);
}

/// Energy of a spring [J].
inline double spring_energy(const Spring& spring, const CompiledFunction* function, double r2) {
  if (is_slack(spring, r2)) return 0.0;
  const double d = spring.rest_length;
  if (spring.law == SpringLaw::quartic)
    return laws::energy_of_square(laws::QuarticSpring{spring.stiffness, d}, r2);
  if (spring.law == SpringLaw::linear)
    return laws::energy_of_square(laws::LinearSpring{spring.stiffness, d}, r2);
  assert(function != nullptr);
  return function_energy(*function, d, r2);
}

}  // namespace femflex::hamiltonian
