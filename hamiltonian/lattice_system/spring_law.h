#pragma once

// The springs of a lattice by the kit of laws. docs/theory/hamiltonian.md eq. (2)-(4).

#include "femflex/hamiltonian/lattice.h"
#include "femflex/laws/spring.h"

#include "lattice_system/compiled_function.h"

namespace femflex::hamiltonian {

/// use(law) with the law that the spring follows.
/// @param function  force of a table or formula spring; not read for the others
template <typename Use>
auto with_law(const Spring& spring, const CompiledFunction* function, const Use& use) {
  const double d = spring.rest_length;
  if (spring.law == SpringLaw::quartic) return use(laws::QuarticSpring{spring.stiffness, d});
  if (spring.law == SpringLaw::linear) return use(laws::LinearSpring{spring.stiffness, d});
  if (const laws::Formula* formula = function->formula())
    return use(laws::FormulaSpring{*formula, d});
  return use(laws::CurveSpring{*function->curve(), d});
}

inline bool is_slack(const Spring& spring, double r2) {
  return spring.tension_only && laws::is_slack(r2, spring.rest_length);
}

/// Force and tangent of a spring of squared length r2 [m^2].
inline laws::CentralForce central_force(const Spring& spring,
                                        const CompiledFunction* function,
                                        double r2) {
  if (is_slack(spring, r2)) return {};
  return with_law(spring, function, [&](const auto& law) { return laws::central_force(law, r2); });
}

/// Force over length alone [N/m].
inline double force_over_length(const Spring& spring, const CompiledFunction* function, double r2) {
  if (is_slack(spring, r2)) return 0.0;
  return with_law(
      spring, function, [&](const auto& law) { return laws::force_over_length(law, r2); });
}

/// [J]
inline double spring_energy(const Spring& spring, const CompiledFunction* function, double r2) {
  if (is_slack(spring, r2)) return 0.0;
  return with_law(
      spring, function, [&](const auto& law) { return laws::energy_of_square(law, r2); });
}

}  // namespace femflex::hamiltonian
