// Orders the nodes of a network so that bonds connect nodes that are close in memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/tiled_network.h"

namespace femflex::hamiltonian::tiles {

/// An order of the nodes that suits the caches: old index of each node.
struct NodeOrder {
  std::vector<std::int32_t> nodes;
  bool is_regular = false;  ///< true if most bonds have one of 16 index distances
};

/// Chooses the given order if bonds are local in it, rows of a grid if the positions form one, else
/// a Morton curve through the positions.
NodeOrder order_nodes(const TiledNetwork::Input& input);
/// Chooses, for tiles of `tile_size` nodes, the given order or a Morton curve, whichever cuts fewer
/// bonds.
std::vector<std::int32_t> order_for_tiles(const TiledNetwork::Input& input, std::int32_t tile_size);
/// New index of each node.
std::vector<std::int32_t> places(const std::vector<std::int32_t>& order);

}  // namespace femflex::hamiltonian::tiles
