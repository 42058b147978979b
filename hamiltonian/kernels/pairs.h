#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/tiled_network.h"

namespace femflex::hamiltonian::tiles {

/// Distinct pairs (alpha, beta), and which one each bond has. Pairs that differ by rounding alone
/// (3e-14 of their size) are one: the rest lengths of a regular lattice come from positions that
/// are multiples of its cell, rounded. Where hardly two are alike every bond has its own.
struct Pairs {
  std::vector<double> alpha, beta;
  std::vector<std::uint32_t> number;
};
Pairs pair_up(std::span<const Bond> bonds);

}  // namespace femflex::hamiltonian::tiles
