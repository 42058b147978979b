// The kernel that lets velocities of an irregular network decay by dampers along its bonds: its
// entry point.
#pragma once

#include <cstdint>

#include "kernels/bond_kernel.h"

namespace femflex::hamiltonian::tiles {

/// Makes one of the two passes of eq. (23) over the tiles from `first` to before `last`, after the
/// kick of a BondRunner. C contains friction on nodes too.
/// halfway  w = v - h/2 M^-1 C v
/// whole    v_end = v - h M^-1 C w,  u = v_end + h/2 a,  x_next = x + h u, and the energy lost
/// @param scratch   as for a BondRunner
/// @param is_whole  true: the pass `whole`
/// @return true if every velocity stayed finite
using DamperRunner = bool (*)(const BondNetwork&,
                              std::int64_t first,
                              std::int64_t last,
                              double h,
                              double* scratch,
                              bool is_whole);
/// The fastest runner that this processor can execute; dimension 1, 2 or 3.
DamperRunner choose_damper_runner(int dimension);

}  // namespace femflex::hamiltonian::tiles
