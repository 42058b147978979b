// Computes the force and the energy of springs whose law is a table or a formula.
#include "lattice_system/spring_law.h"

namespace femflex::hamiltonian {
namespace {

/// Calls use(law) with the force law of the function.
template <typename Use>
auto with_law(const CompiledFunction& function, double d, const Use& use) {
  if (const laws::Formula* formula = function.formula())
    return use(laws::FormulaSpring{*formula, d});
  return use(laws::CurveSpring{*function.curve(), d});
}

}  // namespace

laws::CentralForce function_force(const CompiledFunction& function, double d, double r2) {
  return with_law(function, d, [&](const auto& law) { return laws::central_force(law, r2); });
}

double function_force_over_length(const CompiledFunction& function, double d, double r2) {
  return with_law(function, d, [&](const auto& law) { return laws::force_over_length(law, r2); });
}

double function_energy(const CompiledFunction& function, double d, double r2) {
  return with_law(function, d, [&](const auto& law) { return laws::energy_of_square(law, r2); });
}

}  // namespace femflex::hamiltonian
