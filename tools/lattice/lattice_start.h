// The initial state of a run of a lattice: positions and velocities of its file, or an equilibrium.
// run_lattice() and the live page use it.
#pragma once

#include "femflex/hamiltonian/lattice_system.h"
#include "femflex/progress.h"

#include "lattice/lattice_json.h"

namespace femflex::tools {

/// The positions and velocities of the model at its start time.
hamiltonian::State given_start(const hamiltonian::LatticeSystem& system,
                               const LatticeDocument& document);

/// given_start() or, if the model requests it, its equilibrium at rest under gravity without loads.
/// Call it before LatticeSystem::set_current_references().
/// @throws NumericalError  there is no such equilibrium
hamiltonian::State start_of_run(const hamiltonian::LatticeSystem& system,
                                const LatticeDocument& document,
                                Progress& progress);

}  // namespace femflex::tools
