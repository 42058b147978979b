// Computes the mean normals at the nodes of shells (CalculiX manual, "Shell elements"; docs/theory/
// import.md, "Expanded nodes"). They matter for stresses off the middle surface: at the height z
// above it, a shell of radius R is longer by the fraction z / R.
#include "shell_normals.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "femflex/element_shape.h"
#include "femflex/elements/node_normals.h"
#include "femflex/errors.h"

namespace femflex::durability {
namespace {

/// An element at one of its nodes.
struct ShellCorner {
  std::int64_t element = 0;
  double thickness = 0.0, offset = 0.0;  // as in the model
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
};

using ShellCorners = std::unordered_map<std::int64_t, std::vector<ShellCorner>>;
using Positions = std::unordered_map<std::int64_t, Eigen::Vector3d>;

/// The section of an element; null if it has none.
const FeProperty* property_of(const FeModel& model, std::int64_t element) {
  const ElementSection* found = find_section(model.properties, element);
  if (found == nullptr) return nullptr;
  return &model.properties.properties[static_cast<std::size_t>(found->property)];
}

/// Adds the corners of element e of the block, unless a node is missing or it has no area.
void add_corners(const FeModel& model,
                 const ElementBlock& block,
                 std::size_t e,
                 const Positions& positions,
                 ShellCorners& out) {
  const FeProperty* property = property_of(model, block.ids[e]);
  if (property == nullptr || !has_mean_normals(*property)) return;
  const auto width = static_cast<std::size_t>(block.nodes_per_element);
  const std::int64_t* nodes = block.connectivity.data() + e * width;
  Eigen::Matrix<double, Eigen::Dynamic, 3> x(block.nodes_per_element, 3);
  for (std::size_t k = 0; k < width; ++k) {
    const auto found = positions.find(nodes[k]);
    if (found == positions.end()) return;
    x.row(static_cast<Eigen::Index>(k)) = found->second.transpose();
  }
  const ElementShape shape = shape_of(block.type, block.nodes_per_element);
  try {
    const Eigen::Matrix<double, Eigen::Dynamic, 3> normals = elements::node_normals(shape, x);
    for (std::size_t k = 0; k < width; ++k)
      out[nodes[k]].push_back({block.ids[e],
                               property->thickness,
                               property->offset,
                               normals.row(static_cast<Eigen::Index>(k)).transpose()});
  } catch (const ModelError&) {
    return;  // the recovery of the element itself tells it
  }
}

/// The mean; empty if the sections differ, or elements meet at 20 degrees or more.
std::optional<Eigen::Vector3d> mean_of(std::vector<ShellCorner>& corners) {
  std::sort(corners.begin(), corners.end(), [](const ShellCorner& a, const ShellCorner& b) {
    return a.element < b.element;
  });
  const ShellCorner& first = corners.front();
  std::vector<Eigen::Vector3d> normals;
  for (const ShellCorner& each : corners) {
    if (each.thickness != first.thickness || each.offset != first.offset) return std::nullopt;
    normals.push_back(each.normal);
  }
  return elements::mean_direction(normals);
}

}  // namespace

bool has_mean_normals(const FeProperty& property) {
  return property.type == "SHELL SECTION";
}

NodeNormals mean_normals(const FeModel& model) {
  NodeNormals out;
  const std::vector<FeProperty>& properties = model.properties.properties;
  if (std::none_of(properties.begin(), properties.end(), has_mean_normals)) return out;
  Positions positions;
  ShellCorners corners;
  for (const ElementBlock& block : model.elements) {
    const ElementTopology& topology = topology_of(shape_of(block.type, block.nodes_per_element));
    if (topology.dimension != 2 || topology.node_count != block.nodes_per_element) continue;
    if (positions.empty())
      for (const Node& node : model.nodes)
        positions.emplace(node.id, node.position);
    for (std::size_t e = 0; e < block.ids.size(); ++e)
      add_corners(model, block, e, positions, corners);
  }
  for (auto& [node, at_node] : corners)
    if (const std::optional<Eigen::Vector3d> mean = mean_of(at_node)) out.emplace(node, *mean);
  return out;
}

}  // namespace femflex::durability
