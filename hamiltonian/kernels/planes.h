#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/tiled_network.h"

namespace femflex::hamiltonian::tiles {

/// Nodes of a block lattice, plane after plane: bonds lead into the same plane or the next one, to
/// places not far from one's own in it. All numbers count nodes.
struct Planes {
  std::int32_t count = 0;
  std::int32_t nodes = 0;  ///< of each
  std::int32_t pitch = 0;  ///< from plane to plane; the rest is a gap
  std::int32_t reach = 0;  ///< places between a node and its farthest partner within a plane
};

/// @param place  new index of each node
/// @return nothing where nodes do not form planes many times as large as their reach
std::optional<Planes> find_planes(std::span<const Bond> bonds, std::span<const std::int32_t> place);

/// Lets each plane begin at a block of eight nodes, after a gap as long as the reach: blocks read
/// all their lanes, and what they read beyond the border of a plane is padding.
Planes spread(const Planes& planes, std::vector<std::int32_t>& place);

}  // namespace femflex::hamiltonian::tiles
