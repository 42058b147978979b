// Reads the shape of one mode or of one node from a .fbm file, whose dataset /shapes is ordered by
// mode, node and component.
#include "femflex/flexfile/fbm_shapes.h"

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::flexfile {

FbmShapes::FbmShapes(const std::filesystem::path& path) : file_(io::Hdf5File::open(path)) {
  if (!file_.has_attribute("/", "format") || file_.text_attribute("/", "format") != "femflex-body")
    throw ParseError("wrong-kind", "is not an .fbm body", {path.string()});
  const auto extents = file_.shape("/shapes");
  if (extents.size() != 3 || extents[2] != 6)
    throw ParseError(
        "size", "expected extents (modes, nodes, 6)", {path.string(), -1, -1, -1, "/shapes"});
  static_cast<void>(file_.checked_count("/shapes"));  // throws if the file claims too much
  modes_ = static_cast<Eigen::Index>(extents[0]);
  nodes_ = static_cast<Eigen::Index>(extents[1]);
}

Eigen::VectorXd FbmShapes::mode(Eigen::Index mode) const {
  if (mode < 0 || mode >= modes_)
    throw UsageError("no-such-mode",
                     fmt::format("there is no mode {}; the file has {}", mode + 1, modes_),
                     {file_.name()});
  Eigen::VectorXd shape(6 * nodes_);
  file_.read_box("/shapes",
                 {static_cast<std::uint64_t>(mode), 0, 0},
                 {1, static_cast<std::uint64_t>(nodes_), 6},
                 {shape.data(), static_cast<std::size_t>(shape.size())});
  return shape;
}

Eigen::MatrixXd FbmShapes::node(Eigen::Index node) const {
  if (node < 0 || node >= nodes_)
    throw UsageError("no-such-node",
                     fmt::format("there is no node number {}; the file has {}", node + 1, nodes_),
                     {file_.name()});
  Eigen::MatrixXd shape(6, modes_);
  file_.read_box("/shapes",
                 {0, static_cast<std::uint64_t>(node), 0},
                 {static_cast<std::uint64_t>(modes_), 1, 6},
                 {shape.data(), static_cast<std::size_t>(shape.size())});
  return shape;
}

}  // namespace femflex::flexfile
