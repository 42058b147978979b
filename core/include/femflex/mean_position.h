// mean_position(): the middle of some nodes, about which rigid motions turn.
#pragma once

#include <Eigen/Core>

namespace femflex {

/// Mean of the `position` of nodes; the origin for an empty list.
template <class Nodes>
Eigen::Vector3d mean_position(const Nodes& nodes) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const auto& node : nodes)
    sum += node.position;
  return nodes.empty() ? sum : Eigen::Vector3d(sum / static_cast<double>(nodes.size()));
}

}  // namespace femflex
