// The kernel that lets velocities of an irregular network decay by dampers along its bonds: its
// entry points.
#pragma once

#include "kernels/bond_kernel.h"

namespace femflex::hamiltonian::tiles {

/// The two passes of eq. (23) over the tiles, after the kick of BondRunners. C contains friction on
/// nodes too.
/// halfway  w = v - h/2 M^-1 C v
/// whole    v_end = v - h M^-1 C w,  u = v_end + h/2 a,  x += h u, and the energy lost
struct DamperRunners {
  BondRunners halfway, whole;
};
/// The fastest runners that this processor can execute; dimension 1, 2 or 3.
DamperRunners choose_damper_runners(int dimension);

}  // namespace femflex::hamiltonian::tiles
