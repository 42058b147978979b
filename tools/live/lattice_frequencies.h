// lowest_frequencies(): the lowest natural frequencies of a lattice with too many DOFs to compute
// all of them. live_lattice() uses it.
#pragma once

#include <vector>

#include "femflex/hamiltonian/lattice_system.h"

#include "live/live_model.h"

namespace femflex::live {

/// Computes the kLowest lowest frequencies of small motions about a state with the Lanczos solver
/// of modal. Shapes phi are those without damping; the damping ratio is phi' C phi / (2 omega),
/// which is valid for a small damping matrix C. A negative eigenvalue is a growing motion and gets
/// the damping ratio -1, as for small lattices.
/// @throws ModelError, NumericalError  see modal::compute_modes()
/// @throws UsageError  the lattice has more than kMostDofs DOFs
std::vector<LiveFrequency> lowest_frequencies(const hamiltonian::LatticeSystem& system,
                                              const hamiltonian::State& state);

}  // namespace femflex::live
