// Local axes (*TRANSFORM) of CalculiX and Abaqus decks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/importer/contents.h"

namespace femflex::importer {

/// Reads *TRANSFORM of a deck: the axes that apply to *BOUNDARY, *CLOAD and *EQUATION on a node
/// set.
///
///   *TRANSFORM, NSET=, TYPE=R (or none)   a point on axis 1, a point in the plane of axes 1 and 2
///   *TRANSFORM, NSET=, TYPE=C             two points on the cylinder's axis, which is axis 3;
///                                         axis 1 points from it to the node
class InpTransforms {
 public:
  /// Takes a keyword line with its parameters, names in upper case.
  void begin(const std::map<std::string, std::string>& parameters);
  /// Takes the data line below the keyword line.
  void data(const std::vector<std::string_view>& fields);
  /// The axes of each node as columns in basic directions. Nodes on the axis of their cylindrical
  /// system are left out.
  std::map<std::int64_t, Eigen::Matrix3d> finish(
      const std::vector<RawGrid>& grids,
      const std::map<std::string, std::vector<std::int64_t>>& node_sets) const;

 private:
  struct Transform {
    std::string set;
    bool is_cylindrical = false;
    // the two points of the card
    Eigen::Vector3d a = Eigen::Vector3d::Zero(), b = Eigen::Vector3d::Zero();
  };
  std::vector<Transform> transforms_;
};

}  // namespace femflex::importer
