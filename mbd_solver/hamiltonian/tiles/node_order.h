#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tiles/tiled_network.h"

namespace femflex::hamiltonian::tiles {

/// Old index of each node in a better order: the one given where bonds are local in it, rows of a
/// grid where the positions form one, else a Morton curve through the positions.
std::vector<std::int32_t> order_nodes(const TiledNetwork::Input& input);

}  // namespace femflex::hamiltonian::tiles
