// Runs a network of linear springs in LAMMPS, if that program is installed, and reads its time.
#pragma once

#include <optional>

#include "femflex/hamiltonian/lattice.h"

#include "nets.h"

namespace femflex::bench {

/// Seconds of processor time of one step of `lmp` on the same network, with fix nve and
/// bond_style harmonic, every bond once and with its own constants.
/// @return nothing if the springs are not linear, the extra has no counterpart, or there is no lmp
std::optional<double> lammps_step(const Case& one,
                                  const hamiltonian::Lattice& net,
                                  std::int64_t steps);

}  // namespace femflex::bench
