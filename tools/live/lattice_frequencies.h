// The lowest natural frequencies of a lattice with too many DOFs for all of them.
#pragma once

#include <vector>

#include "femflex/hamiltonian/lattice_system.h"

#include "live/live_model.h"

namespace femflex::live {

/// The lowest kLowest frequencies of small motions about a state, by the Lanczos solver of modal.
/// Shapes are those without damping; each ratio is phi' C phi / (2 omega), for which C has to be
/// small. A negative eigenvalue counts as a motion that grows, with a ratio of -1, as for small
/// lattices.
/// @throws ModelError, NumericalError  as modal::compute_modes()
/// @throws UsageError  the lattice has more than kMostDofs
std::vector<LiveFrequency> lowest_frequencies(const hamiltonian::LatticeSystem& system,
                                              const hamiltonian::State& state);

}  // namespace femflex::live
