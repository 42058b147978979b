#include "lattice/lattice_start.h"

#include "femflex/errors.h"
#include "femflex/hamiltonian/lattice_statics.h"

namespace femflex::tools {

using namespace hamiltonian;

State lattice_start(const LatticeSystem& system, double time, Progress& progress) {
  State state = system.start();
  state.time = time;
  system.impose(state.time, state.q, state.p);
  if (!system.lattice().start_at_equilibrium) return state;
  EquilibriumOptions options;
  options.load_factor = 0.0;
  const LatticeSystem holding(without_open_references(system.lattice()));
  const Equilibrium rest = find_equilibrium(holding, state, options, progress);
  if (!rest.converged) throw NumericalError("no-equilibrium", "start: " + rest.message);
  state = rest.state;
  state.time = time;
  return state;
}

}  // namespace femflex::tools
