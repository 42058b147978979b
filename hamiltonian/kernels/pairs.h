// Finds the distinct pairs of spring constants (alpha, beta) of a network.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/tiled_network.h"

namespace femflex::hamiltonian::tiles {

/// Distinct pairs (alpha, beta), and the number of the pair that each bond uses. Pairs that differ
/// by rounding alone (relative 3e-14) count as one, because the rest lengths of a regular lattice
/// are computed from rounded multiples of its cell. If there are thousands of distinct pairs, every
/// bond has its own.
struct Pairs {
  std::vector<double> alpha, beta;
  std::vector<std::uint32_t> number;
};
Pairs find_pairs(std::span<const Bond> bonds);

}  // namespace femflex::hamiltonian::tiles
