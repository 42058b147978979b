#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/tiled_network.h"

namespace femflex::hamiltonian::tiles {

/// Distinct pairs (alpha, beta), and which one each bond has. Pairs that differ by rounding alone
/// (3e-14 of their size) count as one: the rest lengths of a regular lattice come from rounded
/// multiples of its cell. If hardly any pairs are equal, every bond has its own.
struct Pairs {
  std::vector<double> alpha, beta;
  std::vector<std::uint32_t> number;
};
Pairs pair_up(std::span<const Bond> bonds);

}  // namespace femflex::hamiltonian::tiles
