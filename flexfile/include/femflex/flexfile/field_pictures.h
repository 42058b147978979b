// VTK pictures (ParaView) of a body with numbers at its nodes and elements, at one or more
// instants.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/flex_body.h"

namespace femflex::flexfile {

/// One number at each node, at each element, or both; NaN: none.
struct PictureField {
  std::string name;
  std::vector<double> at_nodes;     ///< in the order of FlexBody::nodes; may be empty
  std::vector<double> at_elements;  ///< in the order of FlexBody::elements, block after block; may
                                    ///< be empty
};

struct PictureFrame {
  double time = 0.0;
  Eigen::VectorXd displacement;  ///< (3 nodes) [m]; empty: none
  std::vector<PictureField> fields;
  Eigen::VectorXd positions;  ///< (3 nodes) [m] where they are drawn; empty: those of the body
};

/// Writes a `.vtu` with point data (`displacement`, fields, `grid_id`) and cell data (fields,
/// `element_id`).
/// @throws UsageError  the file cannot be written
void write_field_vtu(const FlexBody& body,
                     const PictureFrame& frame,
                     const std::filesystem::path& path);

/// Writes a `.pvd` and, beside it, one NAME_0001.vtu for each of `count` frames, which are made one
/// after another.
void write_field_pvd(const FlexBody& body,
                     std::size_t count,
                     const std::function<PictureFrame(std::size_t)>& frame_of,
                     const std::filesystem::path& path);

}  // namespace femflex::flexfile
