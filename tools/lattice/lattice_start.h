// The state in which a run of a lattice begins: positions and velocities of its file, or an
// equilibrium.
#pragma once

#include "femflex/hamiltonian/lattice_system.h"
#include "femflex/progress.h"

#include "lattice/lattice_json.h"

namespace femflex::tools {

/// The start of a run: the model's positions and velocities at its start time.
hamiltonian::State given_start(const hamiltonian::LatticeSystem& system,
                               const LatticeDocument& document);

/// given_start() or, if the model asks for it, the state of rest in its equilibrium under gravity,
/// without loads. To be called before LatticeSystem::set_current_references().
/// @throws NumericalError  there is no such equilibrium
hamiltonian::State start_of_run(const hamiltonian::LatticeSystem& system,
                                const LatticeDocument& document,
                                Progress& progress);

}  // namespace femflex::tools
