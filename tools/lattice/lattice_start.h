#pragma once

#include "femflex/hamiltonian/lattice_system.h"
#include "femflex/progress.h"

namespace femflex::tools {

/// The start as the model gives it, or the equilibrium under gravity if the model asks for that.
/// Prescribed motions are imposed; `current` references are not settled.
/// @param time  [s] start of the run
/// @throws NumericalError  there is no equilibrium
hamiltonian::State lattice_start(const hamiltonian::LatticeSystem& system,
                                 double time,
                                 Progress& progress);

}  // namespace femflex::tools
