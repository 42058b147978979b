// Sorts the bonds of a regular network by blocks of eight nodes, for the kernel of tile_kernel.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/aligned.h"
#include "kernels/pairs.h"
#include "kernels/tile_kernel.h"
#include "kernels/tiled_network.h"

namespace femflex::hamiltonian::tiles {

inline constexpr std::size_t kLanes = 8;  ///< number of nodes of a block

/// Nodes of a regular lattice in blocks of eight; blocks with equal slots share a pattern. The
/// arrays are those of tiles::Network.
struct BlockLayout {
  std::vector<std::uint32_t> pattern_of;
  std::vector<Pattern> patterns;
  std::vector<Slot> slots;
  std::vector<std::int32_t> partners;
  std::vector<double> own_alpha, own_beta;
  Aligned rows;               ///< constants of common distances, see Constants::row
  std::size_t row_count = 0;  ///< rows per block
  /// largest distance, in blocks, between a block and another one that it reads
  std::int64_t reach = 0;
  std::size_t shared = 0;  ///< number of half-bonds that need no index of their own
};
/// @param place   new index of each node
/// @param blocks  number of blocks
BlockLayout lay_out_blocks(std::span<const Bond> bonds,
                           std::span<const std::int32_t> place,
                           std::size_t blocks,
                           const Pairs& pairs);

}  // namespace femflex::hamiltonian::tiles
