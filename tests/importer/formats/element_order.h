// Checks the node order of elements against their geometry, for tests of file formats.
#pragma once

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "femflex/element_shape.h"
#include "femflex/importer/contents.h"

namespace femflex::importer {

/// Expects that each mid node lies in the middle of the edge that its shape says it belongs to, and
/// that the apex or upper face of each solid lies above the lower one. Returns how many elements
/// have each shape.
inline std::map<std::string, int> shapes_in_order(const FileContents& contents) {
  std::map<std::int64_t, Eigen::Vector3d> at;
  for (const RawGrid& grid : contents.grids)
    at[grid.id] = {grid.x[0], grid.x[1], grid.x[2]};
  std::map<std::string, int> seen;
  for (const ElementBlock& block : contents.elements) {
    const ElementTopology& topology = topology_of(shape_of(block.type, block.nodes_per_element));
    for (std::size_t e = 0; e < block.ids.size(); ++e) {
      SCOPED_TRACE(block.type + " " + std::to_string(block.ids[e]));
      ++seen[std::string(topology.name)];
      const auto x = [&](int k) {
        return at.at(block.connectivity[e * static_cast<std::size_t>(block.nodes_per_element) +
                                        static_cast<std::size_t>(k)]);
      };
      for (const ElementEdge& edge : topology.edges) {
        if (edge.mid < 0) continue;
        const Eigen::Vector3d middle = 0.5 * (x(edge.corners[0]) + x(edge.corners[1]));
        EXPECT_LT((x(edge.mid) - middle).norm(), 1e-12);
      }
      if (topology.dimension != 3) continue;
      const Eigen::Vector3d normal = (x(1) - x(0)).cross(x(2) - x(0));
      EXPECT_GT(normal.dot(x(topology.corner_count - 1) - x(0)), 0.0);
    }
  }
  return seen;
}

}  // namespace femflex::importer
