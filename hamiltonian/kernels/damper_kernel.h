// Entry point of the kernel for dampers along the bonds of an irregular network.
#pragma once

#include <cstdint>

#include "kernels/bond_kernel.h"

namespace femflex::hamiltonian::tiles {

/// The two passes of eq. (23) over tiles first..last after the kick of a BondRunner:
/// halfway  w = v - h/2 M^-1 C v
/// whole    v_end = v - h M^-1 C w,  u = v_end + h/2 a,  x_next = x + h u, and the energy lost
/// @param scratch  as for a BondRunner
/// @return true if every velocity stayed finite
using DamperRunner = bool (*)(const BondNetwork&,
                              std::int64_t first,
                              std::int64_t last,
                              double h,
                              double* scratch,
                              bool is_whole);
/// The best runner for this processor; dimension 1, 2 or 3.
DamperRunner choose_damper_runner(int dimension);

}  // namespace femflex::hamiltonian::tiles
