// Cuts an irregular network into tiles of neighbouring nodes for the bond kernel.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/aligned.h"
#include "kernels/bond_kernel.h"
#include "kernels/tiled_network.h"

namespace femflex::hamiltonian::tiles {

/// Bonds sorted into tiles of neighbouring nodes. docs/theory/hamiltonian.md §8
///
/// Inside a tile the bonds are distributed so that nodes own about equally many; nodes that own the
/// same number are kept together, eight to a group. The nodes of a group are far from each other,
/// because two bonds at the same node in quick succession would wait for each other.
struct BondTiles {
  std::vector<BondTile> tiles;
  std::vector<std::int32_t> counts;  ///< number of slots of each group, law by law
  std::vector<std::int32_t> halo;
  std::vector<std::uint16_t> partners;
  std::array<LawConstants, kPairLaws> laws;
  Aligned pairs;
  std::vector<std::int32_t> place;  ///< new index of each node
  std::size_t largest = 0;          ///< largest number of places of a tile with its halo

  BondNetwork view() const;
  /// First tile of the `part`-th of `parts` parts with about the same number of bonds.
  std::int64_t first_of(std::int64_t part, std::int64_t parts) const;
};

/// Nodes per tile; a multiple of kGroup.
inline constexpr std::int32_t kTileNodes = 4096;

/// @param order  old index of each node; neighbours are near each other
/// @return nothing if a tile has more neighbours than 16 bits can number
std::optional<BondTiles> tile_bonds(std::span<const Bond> bonds,
                                    std::span<const std::int32_t> order);

}  // namespace femflex::hamiltonian::tiles
