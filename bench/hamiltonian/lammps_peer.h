// Runs a network of linear springs in LAMMPS, if LAMMPS is installed, and reads the time it took.
#pragma once

#include <optional>

#include "femflex/hamiltonian/lattice.h"

#include "nets.h"

namespace femflex::bench {

/// Processor time per step of LAMMPS on the same network [s], with fix nve and bond_style harmonic.
/// Every bond is listed once, with its own constants.
/// @return nothing if the springs are not linear, LAMMPS has no counterpart of the extra, or LAMMPS
/// is not installed
std::optional<double> lammps_step(const Case& one,
                                  const hamiltonian::Lattice& net,
                                  std::int64_t steps);

}  // namespace femflex::bench
