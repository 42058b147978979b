// Computes the positions of the nodes into which CalculiX expands the nodes of shells and beams
// (manual, "Shell elements", "Beam elements"): on the lower, middle and upper surface of a shell;
// at the corners, then the mid-sides of a beam section.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "femflex/element_shape.h"
#include "femflex/elements/node_normals.h"
#include "femflex/errors.h"

#include "model/expansion.h"

namespace femflex::importer {
namespace {

/// The section of one element at one of its nodes (corner, end or mid node).
struct Corner {
  std::int64_t element = 0;
  const RawSection* section = nullptr;
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();   ///< normal of a shell; axis 2 of a beam
  Eigen::Vector3d tangent = Eigen::Vector3d::Zero();  ///< direction of a beam
  bool has_middle = false;  ///< expanded nodes also in the middle of the thickness or of the sides
};

using Points = std::vector<Eigen::Vector3d>;

using Normals = Eigen::Matrix<double, Eigen::Dynamic, 3>;

/// Normals of a shell at its nodes, one row per node; zero, so that the nodes are knots, if the
/// element is not a surface or has no area.
Normals shell_normals(const ElementBlock& block, const Points& x) {
  const ElementShape shape = shape_of(block.type, block.nodes_per_element);
  Normals positions(block.nodes_per_element, 3);
  for (std::size_t k = 0; k < x.size(); ++k)
    positions.row(static_cast<Eigen::Index>(k)) = x[k].transpose();
  const ElementTopology& topology = topology_of(shape);
  if (topology.dimension == 2 && topology.node_count == block.nodes_per_element) {
    try {
      return elements::node_normals(shape, positions);
    } catch (const ModelError&) {  // no area; stresses of the element are refused with this error
    }
  }
  return Normals::Zero(positions.rows(), 3);
}

Eigen::Vector3d beam_tangent(const Points& x, std::size_t k) {
  if (x.size() == 2) return (x[1] - x[0]).normalized();
  constexpr std::array<double, 3> kAlong{-1.0, 1.0, 0.0};  // both ends, then the middle
  const double s = kAlong[k];
  return ((s - 0.5) * x[0] - 2.0 * s * x[2] + (s + 0.5) * x[1]).normalized();
}

using Corners = std::unordered_map<std::int64_t, std::vector<Corner>>;

/// Adds the corners of element e of the block; does nothing if a node has no position.
void add_corners(const ElementBlock& block,
                 std::size_t e,
                 const RawSection& section,
                 const std::unordered_map<std::int64_t, Eigen::Vector3d>& positions,
                 Corners& out) {
  const auto width = static_cast<std::size_t>(block.nodes_per_element);
  const std::int64_t* nodes = block.connectivity.data() + e * width;
  Points x;
  for (std::size_t k = 0; k < width; ++k) {
    const auto found = positions.find(nodes[k]);
    if (found == positions.end()) return;
    x.push_back(found->second);
  }
  const Eigen::Vector3d axis(section.axis[0], section.axis[1], section.axis[2]);
  Normals normals;
  if (!section.is_beam) normals = shell_normals(block, x);
  for (std::size_t k = 0; k < width; ++k) {
    Corner corner;
    corner.element = block.ids[e];
    corner.section = &section;
    if (section.is_beam) {
      corner.tangent = beam_tangent(x, k);
      corner.normal = corner.tangent.cross(axis).normalized();
      corner.has_middle = width == 3 && k != 2;
    } else {
      corner.normal = normals.row(static_cast<Eigen::Index>(k)).transpose();
      corner.has_middle = width > 4 && k < width / 2;
    }
    out[nodes[k]].push_back(corner);
  }
}

bool has_same_section(const Corner& a, const Corner& b) {
  return a.section->thickness == b.section->thickness && a.section->offset == b.section->offset &&
         a.section->shape == b.section->shape && a.section->is_beam == b.section->is_beam;
}

/// Positions on the lower, middle (if has_middle) and upper surface, relative to the node.
Points shell_positions(const RawSection& section, bool has_middle, const Eigen::Vector3d& normal) {
  const double t = section.thickness[0];
  const double offset = section.offset[0];
  Points out{-t * (0.5 + offset) * normal};
  if (has_middle) out.emplace_back(-t * offset * normal);
  out.emplace_back(t * (0.5 - offset) * normal);
  return out;
}

/// Positions of the four corners, then (if has_middle) of the middles of the four sides, relative
/// to the node; `one` and `two` are axes 1 and 2 of the section.
Points beam_positions(const RawSection& section,
                      bool has_middle,
                      const Eigen::Vector3d& one,
                      const Eigen::Vector3d& two) {
  constexpr std::array<std::array<double, 2>, 8> kSigns{
      {{-1, 1}, {-1, -1}, {1, -1}, {1, 1}, {-1, 0}, {0, -1}, {1, 0}, {0, 1}}};
  const double corner_fraction = section.shape == "CIRC" ? 0.5 / std::sqrt(2.0) : 0.5;
  Points out;
  for (std::size_t k = 0; k < (has_middle ? 8U : 4U); ++k) {
    const double fraction = k < 4 ? corner_fraction : 0.5;
    out.emplace_back(section.thickness[0] * (kSigns[k][0] * fraction - section.offset[0]) * one +
                     section.thickness[1] * (kSigns[k][1] * fraction - section.offset[1]) * two);
  }
  return out;
}

/// The section at a node; empty if the node is a knot or a section is not supported.
std::optional<ExpandedSection> section_of(std::vector<Corner>& corners) {
  std::sort(corners.begin(), corners.end(), [](const Corner& a, const Corner& b) {
    return a.element < b.element;
  });
  const Corner& first = corners.front();
  Points normals, tangents;
  bool has_middle = false;
  for (const Corner& corner : corners) {
    if (!corner.section->is_plain || !has_same_section(first, corner)) return std::nullopt;
    normals.push_back(corner.normal);
    tangents.push_back(corner.tangent);
    has_middle = has_middle || corner.has_middle;
  }
  const std::optional<Eigen::Vector3d> normal = elements::mean_direction(normals);
  if (!normal) return std::nullopt;
  ExpandedSection out;
  out.is_beam = first.section->is_beam;
  if (out.is_beam) {
    const std::optional<Eigen::Vector3d> tangent = elements::mean_direction(tangents);
    if (!tangent) return std::nullopt;
    const Eigen::Vector3d two = (*normal - normal->dot(*tangent) * *tangent).normalized();
    out.axes << two.cross(*tangent), two, *tangent;
    out.positions = beam_positions(*first.section, has_middle, out.axes.col(0), two);
  } else {
    out.axes.col(2) = *normal;
    out.positions = shell_positions(*first.section, has_middle, *normal);
  }
  return out;
}

}  // namespace

std::map<std::int64_t, ExpandedSection> expanded_sections(const Gathered& gathered) {
  std::unordered_map<std::int64_t, const RawSection*> section_of_element;
  for (const FileContents& file : gathered.files) {
    // CalculiX takes the last section of an element; a second file does not replace those of the
    // first
    std::unordered_map<std::int64_t, const RawSection*> of_file;
    for (const RawSection& section : file.sections)
      for (const std::int64_t id : section.elements)
        of_file.insert_or_assign(id, &section);
    section_of_element.merge(of_file);
  }
  std::unordered_map<std::int64_t, Eigen::Vector3d> positions;
  for (const Node& node : gathered.nodes)
    positions.emplace(node.id, node.position);
  Corners corners;
  for (const ElementBlock& block : gathered.geometry.elements)
    for (std::size_t e = 0; e < block.ids.size(); ++e)
      if (const auto found = section_of_element.find(block.ids[e]);
          found != section_of_element.end())
        add_corners(block, e, *found->second, positions, corners);
  std::map<std::int64_t, ExpandedSection> out;
  for (auto& [node, node_corners] : corners)
    if (std::optional<ExpandedSection> section = section_of(node_corners))
      out.emplace(node, std::move(*section));
  return out;
}

}  // namespace femflex::importer
