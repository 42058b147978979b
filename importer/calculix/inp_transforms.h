// Collects the local axes (*TRANSFORM) of CalculiX and Abaqus decks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/importer/contents.h"

#include "calculix/inp_keyword.h"
#include "calculix/inp_sets.h"

namespace femflex::importer {

/// Reads *TRANSFORM of a deck: the axes that apply to *BOUNDARY, *CLOAD and *EQUATION on a node
/// set.
///
///   *TRANSFORM, NSET=, TYPE=R (default)   a point on axis 1, a point in the plane of axes 1 and 2
///   *TRANSFORM, NSET=, TYPE=C             two points on the cylinder's axis, which is axis 3;
///                                         axis 1 points from the cylinder's axis to the node
class InpTransforms {
 public:
  /// Begins a card with the parameters of its keyword line; their names are in upper case.
  /// @throws ParseError  another type
  void begin(const InpParameters& parameters, const Where& where);
  /// Takes the data line below the keyword line.
  void data(const std::vector<std::string_view>& fields);
  /// Number of cards so far.
  std::size_t count() const { return transforms_.size(); }
  /// Turns and shifts the points of the cards [first, last) with the instance of their part.
  void place(std::size_t first, std::size_t last, const Eigen::Isometry3d& placement);
  /// Local axes of each node that has them, as columns in global directions. A node on the axis of
  /// its cylindrical system has no radial direction and keeps the global axes. Warns of sets that
  /// the deck does not have.
  std::map<std::int64_t, Eigen::Matrix3d> axes_by_node(const std::vector<RawGrid>& grids,
                                                       const InpSets& node_sets,
                                                       Diagnostics& diagnostics) const;

 private:
  struct Transform {
    std::string set;
    bool is_cylindrical = false;
    Where where;
    // the two points of the card
    Eigen::Vector3d a = Eigen::Vector3d::Zero(), b = Eigen::Vector3d::Zero();
  };
  std::vector<Transform> transforms_;
};

}  // namespace femflex::importer
