// Warnings about lattices that can be computed but are probably wrong, for example springs that are
// defined twice. The lattice readers call them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/hamiltonian/lattice.h"

namespace femflex::tools {

/// Line numbers of springs and rotational springs (hinges) in their file; unknown if -1 or missing.
struct LatticePlaces {
  std::string file;
  std::vector<std::int64_t> springs, hinges;
};

/// The fault of a rotational spring between springs `a` and `b` (indices): they are the same
/// spring, share no node, or one has zero length and thus no direction. Empty if there is no fault.
/// Files with such hinges are rejected; programs may use them, because the equations also hold for
/// springs without a common node.
std::string hinge_fault(const hamiltonian::Lattice& lattice, std::int32_t a, std::int32_t b);

/// Warns of probable mistakes in a model: springs and hinges defined twice, springs between nodes
/// at the same position, nodes without any support or spring, a lattice without springs.
void warn_of_doubts(const hamiltonian::Lattice& lattice,
                    const LatticePlaces& places,
                    Diagnostics& diagnostics);

}  // namespace femflex::tools
