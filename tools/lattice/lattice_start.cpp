// Takes positions and velocities from the lattice; if its file requests it, solves for the
// equilibrium first.
#include "lattice/lattice_start.h"

#include <fmt/format.h>

#include "femflex/errors.h"

#include "lattice/static_factor.h"

namespace femflex::tools {

using namespace hamiltonian;

State given_start(const LatticeSystem& system, const LatticeDocument& document) {
  State state = system.start();
  state.time = document.start_time;
  system.set_prescribed(state.time, state.q, state.p);
  return state;
}

void go_on_with_changes(const LatticeSystem& system, State& state) {
  state.history.clear();
  for (std::size_t i = 0; i < state.p.size(); ++i)
    if (system.inverse_masses()[i] == 0.0) state.p[i] = 0.0;
  system.set_prescribed(state.time, state.q, state.p);
}

std::string springs_text(std::int64_t count) {
  return fmt::format("{} {}", count, count == 1 ? "spring" : "springs");
}

void warn_of_broken(const Equilibrium& found, Diagnostics& diagnostics) {
  if (found.broken == 0) return;
  diagnostics.warn("broken-springs",
                   springs_text(found.broken) + " broke on the way to the equilibrium");
}

State start_of_run(const LatticeSystem& system,
                   const LatticeDocument& document,
                   Progress& progress,
                   Diagnostics* diagnostics) {
  State state = given_start(system, document);
  if (!system.lattice().start_at_equilibrium) return state;
  EquilibriumOptions options;
  options.time = document.start_time;
  options.load_factor = 0.0;
  options.make_factor = static_factors(1);
  const LatticeSystem holding(without_current_references(system.lattice()));
  const Equilibrium rest = find_equilibrium(holding, state, options, progress);
  if (!rest.converged) throw NumericalError("no-equilibrium", "start: " + rest.message);
  if (diagnostics != nullptr) warn_of_broken(rest, *diagnostics);
  return rest.state;
}

}  // namespace femflex::tools
