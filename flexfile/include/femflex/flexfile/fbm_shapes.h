// Reads single mode shapes, or the motion of single nodes, from large .fbm files.
#pragma once

#include <cstdint>
#include <filesystem>

#include <Eigen/Core>

#include "femflex/io/hdf5_file.h"

namespace femflex::flexfile {

/// Reads single shapes of a .fbm file while the rest stays on disk. The shapes of a body with a
/// million nodes and a hundred modes take 4.8 GB, but a picture of one mode or the motion of one
/// node needs only a small part of them.
class FbmShapes {
 public:
  /// @throws UsageError  no such file;  ParseError  not a .fbm file, or a damaged one
  explicit FbmShapes(const std::filesystem::path& path);

  Eigen::Index mode_count() const { return modes_; }
  Eigen::Index node_count() const { return nodes_; }

  /// (6 nodes) tx ty tz rx ry rz of node 1, node 2, ... in one mode, which is numbered from 0.
  /// @throws UsageError  no such mode
  Eigen::VectorXd mode(Eigen::Index mode) const;
  /// (6 x modes) motion of one node, given by its position in the file, counted from 0.
  /// @throws UsageError  no such node
  Eigen::MatrixXd node(Eigen::Index node) const;

 private:
  io::Hdf5File file_;
  Eigen::Index modes_ = 0;
  Eigen::Index nodes_ = 0;
};

}  // namespace femflex::flexfile
