// A node that import ties to many others, for meshes without a node to hold or load the body by:
// `--spider 9001=rbe3:set:FLANGE`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

namespace femflex::importer {

/// Which nodes of the mesh a spider holds. Lengths are those of the files, in basic.
struct NodePick {
  enum class Kind : std::uint8_t {
    list,
    set,      ///< a node set of the files
    plane,    ///< the nodes with one coordinate equal to `value`
    cylinder  ///< the nodes at `radius` from the line through `point` along `direction`
  };
  Kind kind = Kind::list;
  std::vector<std::int64_t> ids;
  std::string set;
  int axis = 0;        ///< 0, 1, 2 of plane
  double value = 0.0;  ///< of plane
  Eigen::Vector3d point = Eigen::Vector3d::Zero(), direction = Eigen::Vector3d::UnitZ();
  double radius = 0.0;
};

/// A node and how it is tied.
struct Spider {
  enum class Kind : std::uint8_t {
    rigid,  ///< RBE2: the nodes follow it as a rigid body, which stiffens the part there
    mean    ///< RBE3: it follows the mean motion of the nodes, which stay free to deform
  };
  std::int64_t node = 0;
  Kind kind = Kind::mean;
  NodePick pick;
  std::optional<Eigen::Vector3d> position;  ///< empty: the mean of the nodes
};

/// Parses NODE=rbe2:NODES or NODE=rbe3:NODES, and an at sign with X,Y,Z where the node is not in
/// the middle. NODES: a list 1-20,25; set:NAME; plane:x=1.2; cylinder:PX,PY,PZ,DX,DY,DZ,R.
/// @throws UsageError  text that is not a spider
Spider parse_spider(const std::string& text);

}  // namespace femflex::importer
