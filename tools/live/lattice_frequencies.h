// The lowest natural frequencies of a lattice that has too many DOFs to compute all of them.
#pragma once

#include <vector>

#include "femflex/hamiltonian/lattice_system.h"

#include "live/live_model.h"

namespace femflex::live {

/// The lowest kLowest frequencies of small motions about a state, by the Lanczos solver of modal.
/// Shapes phi are those without damping; each damping ratio is phi' C phi / (2 omega), which
/// assumes a small damping matrix C. A negative eigenvalue counts as a motion that grows, with a
/// ratio of -1, as for small lattices.
/// @throws ModelError, NumericalError  as modal::compute_modes()
/// @throws UsageError  the lattice has more than kMostDofs
std::vector<LiveFrequency> lowest_frequencies(const hamiltonian::LatticeSystem& system,
                                              const hamiltonian::State& state);

}  // namespace femflex::live
