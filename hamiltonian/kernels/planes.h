// Recognises networks whose nodes form equal planes with bonds to adjacent planes only.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/tiled_network.h"

namespace femflex::hamiltonian::tiles {

/// Nodes of a block lattice, plane after plane: bonds connect nearby nodes of the same plane or of
/// adjacent ones. All numbers count nodes.
struct Planes {
  std::int32_t count = 0;
  std::int32_t nodes = 0;  ///< number of nodes of each plane
  std::int32_t pitch = 0;  ///< index distance from plane to plane; the excess over `nodes` is a gap
  /// index distance between a node and its farthest partner within a plane
  std::int32_t reach = 0;
};

/// Finds the planes of a network, if it has any.
/// @param place  index of each node in memory
/// @return nothing if nodes do not form planes that are many times as large as the reach
std::optional<Planes> find_planes(std::span<const Bond> bonds, std::span<const std::int32_t> place);

/// Moves the nodes so that each plane begins with a new block of eight nodes, after a gap as long
/// as the reach. A block reads partners for all its lanes; beyond the border of a plane it reads
/// the padding of the gap.
/// @param place  index of each node in memory; receives the new ones
/// @return the planes with their new pitch
Planes spread(const Planes& planes, std::vector<std::int32_t>& place);

}  // namespace femflex::hamiltonian::tiles
