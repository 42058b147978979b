// Warnings about lattices that can be computed but are probably mistaken, such as springs that are
// defined twice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/hamiltonian/lattice.h"

namespace femflex::tools {

/// Line numbers of springs and rotational springs (hinges) in their file; -1 or no entry: not
/// known.
struct LatticePlaces {
  std::string file;
  std::vector<std::int64_t> springs, hinges;
};

/// Why a rotational spring between springs `a` and `b` (indices) is a mistake: they are the same
/// spring, share no node, or one of them has no length and so no direction. Empty: it is sound.
/// Files with such hinges are rejected; programs may use them, because the equations also hold for
/// springs that do not meet.
std::string hinge_fault(const hamiltonian::Lattice& lattice, std::int32_t a, std::int32_t b);

/// Warns of models that can be computed but are probably mistakes: springs and hinges defined
/// twice, springs between nodes at the same position, nodes that nothing holds or moves, a lattice
/// without springs.
void warn_of_doubts(const hamiltonian::Lattice& lattice,
                    const LatticePlaces& places,
                    Diagnostics& diagnostics);

}  // namespace femflex::tools
