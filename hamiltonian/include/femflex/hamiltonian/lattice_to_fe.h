// Linearises a lattice in a state to an FE model with matrices K and M.
#pragma once

#include "femflex/fe_model.h"
#include "femflex/hamiltonian/lattice_system.h"

namespace femflex::hamiltonian {

/// Treatment of held (fixed) DOFs.
enum class HeldDofs : std::uint8_t {
  leave_out,  ///< K and M of the free DOFs only; the held ones are listed in FeModel::fixed
  keep,       ///< K and M of the unsupported structure
};

/// K (true tangent) and M (lumped) of a lattice in a state, as an FE model in SI units. Nodes are
/// at their positions in the state; springs become CROD elements for pictures. Load case 1 is the
/// sum of all loads without an end, at the time of the state. Loaded nodes become interface nodes.
FeModel to_fe_model(const LatticeSystem& system, const State& state, HeldDofs held);

}  // namespace femflex::hamiltonian
