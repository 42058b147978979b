// Cuts an irregular network of springs into tiles of neighbouring nodes, and sorts its bonds for
// the kernel of kernels/bond_kernel.h.
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

/// Bonds sorted into tiles of neighbouring nodes; the arrays are those of BondNetwork.
/// docs/theory/hamiltonian.md §8
///
/// A bond has one owner, the end that computes it; if the other end lies in another tile, the owner
/// is in the earlier tile, which sends the force to the later one. Nodes of a tile own about
/// equally many bonds. Eight nodes that own the same number of bonds form a group. The nodes of a
/// group are not neighbours, because a bond must wait until an earlier bond at the same node is
/// computed.
struct BondTiles {
  std::vector<BondTile> tiles;
  std::vector<std::int32_t> counts;  ///< number of slots of each group: all groups of the first
                                     ///< law, then those of the next
  std::vector<std::int32_t> halo;
  std::vector<std::int32_t> letter_from;
  std::vector<std::uint16_t> letter_to;
  std::vector<std::uint16_t> partners;
  std::array<LawConstants, kPairLaws> laws;
  Aligned constants;
  std::vector<std::int32_t> place;  ///< new index of each node
  std::size_t largest_tile = 0;     ///< largest number of nodes of a tile with padding and halo
  std::int32_t tile_nodes = 0;      ///< nodes per tile, except the last; a multiple of kGroup

  BondNetwork view() const;
  /// First tile of part number `part`, if the tiles are cut into `parts` parts with about equally
  /// many bonds.
  std::int64_t first_of(std::int64_t part, std::int64_t parts) const;
};

/// Nodes per tile of a network of this size: fewer in small networks, so that their tiles divide
/// about evenly among workers.
std::int32_t tile_size(std::size_t nodes);

/// @param order  original index of the node at each place; neighbours are near each other
/// @return nullopt if even small tiles have too many neighbours for 16-bit offsets
std::optional<BondTiles> tile_bonds(std::span<const Bond> bonds,
                                    std::span<const std::int32_t> order,
                                    int dimension);

}  // namespace femflex::hamiltonian::tiles
