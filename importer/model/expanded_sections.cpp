// Computes the positions of the nodes into which CalculiX expands the nodes of shells and beams
// (manual, "Shell elements", "Beam elements"): on the lower, middle and upper surface of a shell;
// at the corners, then the mid-sides of a beam section.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "model/expansion.h"

namespace femflex::importer {
namespace {

/// cos 20 degrees. If the directions of two sections at a node differ by a larger angle, the node
/// is a knot, which CalculiX expands into a rigid body of its own.
constexpr double kMinCosine = 0.939693;

/// The section of one element at one of its nodes (corner, end or mid node).
struct Corner {
  std::int64_t element = 0;
  const RawSection* section = nullptr;
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();   ///< normal of a shell; axis 2 of a beam
  Eigen::Vector3d tangent = Eigen::Vector3d::Zero();  ///< direction of a beam
  bool has_middle = false;  ///< expanded nodes also in the middle of the thickness or of the sides
};

/// Parametric coordinates of a node in its element.
struct LocalPoint {
  std::array<double, 2> at;
};
constexpr std::array<LocalPoint, 8> kQuad{
    {{{-1, -1}}, {{1, -1}}, {{1, 1}}, {{-1, 1}}, {{0, -1}}, {{1, 0}}, {{0, 1}}, {{-1, 0}}}};
constexpr std::array<LocalPoint, 6> kTriangle{
    {{{0, 0}}, {{1, 0}}, {{0, 1}}, {{0.5, 0}}, {{0.5, 0.5}}, {{0, 0.5}}}};

using Points = std::vector<Eigen::Vector3d>;

/// Derivatives of the position with respect to the two parametric coordinates, at the point `at`.
std::array<Eigen::Vector3d, 2> tangents(const Points& x, const std::array<double, 2>& at) {
  const auto [s, t] = at;
  std::array<Eigen::Vector3d, 2> out{Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  const auto add = [&](std::size_t k, double ds, double dt) {
    out[0] += ds * x[k];
    out[1] += dt * x[k];
  };
  if (x.size() == 3 || x.size() == 6) {
    if (x.size() == 3) {
      add(0, -1, -1);
      add(1, 1, 0);
      add(2, 0, 1);
      return out;
    }
    const double l = 1 - s - t;
    add(0, 1 - 4 * l, 1 - 4 * l);
    add(1, 4 * s - 1, 0);
    add(2, 0, 4 * t - 1);
    add(3, 4 * (l - s), -4 * s);
    add(4, 4 * t, 4 * s);
    add(5, -4 * t, 4 * (l - t));
    return out;
  }
  for (std::size_t k = 0; k < 4; ++k) {
    const auto [a, b] = kQuad[k].at;
    if (x.size() == 4)
      add(k, a * (1 + b * t) / 4, b * (1 + a * s) / 4);
    else  // serendipity: (1 + a s)(1 + b t)(a s + b t - 1) / 4
      add(k, a * (1 + b * t) * (2 * a * s + b * t) / 4, b * (1 + a * s) * (a * s + 2 * b * t) / 4);
  }
  if (x.size() == 8) {
    for (const std::size_t k : {4U, 6U}) {
      const double b = kQuad[k].at[1];
      add(k, -s * (1 + b * t), b * (1 - s * s) / 2);
    }
    for (const std::size_t k : {5U, 7U}) {
      const double a = kQuad[k].at[0];
      add(k, a * (1 - t * t) / 2, -t * (1 + a * s));
    }
  }
  return out;
}

Eigen::Vector3d shell_normal(const Points& x, std::size_t k) {
  const std::array<double, 2>& at = x.size() == 3 || x.size() == 6 ? kTriangle[k].at : kQuad[k].at;
  const auto [along, across] = tangents(x, at);
  return along.cross(across).normalized();
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
  for (std::size_t k = 0; k < width; ++k) {
    Corner corner;
    corner.element = block.ids[e];
    corner.section = &section;
    if (section.is_beam) {
      corner.tangent = beam_tangent(x, k);
      corner.normal = corner.tangent.cross(axis).normalized();
      corner.has_middle = width == 3 && k != 2;
    } else {
      corner.normal = shell_normal(x, k);
      corner.has_middle = width > 4 && k < width / 2;
    }
    out[nodes[k]].push_back(corner);
  }
}

/// True if two sections at a node are equal and have the same direction.
bool is_same_section(const Corner& a, const Corner& b) {
  const bool has_equal_sizes = a.section->thickness == b.section->thickness &&
                               a.section->offset == b.section->offset &&
                               a.section->shape == b.section->shape;
  return has_equal_sizes && a.section->is_beam == b.section->is_beam &&
         a.normal.dot(b.normal) > kMinCosine &&
         (!a.section->is_beam || a.tangent.dot(b.tangent) > kMinCosine);
}

/// Positions on the lower, middle (if has_middle) and upper surface, relative to the node.
Points shell_positions(const Corner& corner, const Eigen::Vector3d& normal) {
  const double t = corner.section->thickness[0];
  const double offset = corner.section->offset[0];
  Points out{-t * (0.5 + offset) * normal};
  if (corner.has_middle) out.emplace_back(-t * offset * normal);
  out.emplace_back(t * (0.5 - offset) * normal);
  return out;
}

/// Positions of the four corners, then (if has_middle) of the middles of the four sides, relative
/// to the node; `one` and `two` are axes 1 and 2 of the section.
Points beam_positions(const Corner& corner,
                      const Eigen::Vector3d& one,
                      const Eigen::Vector3d& two) {
  constexpr std::array<std::array<double, 2>, 8> kSigns{
      {{-1, 1}, {-1, -1}, {1, -1}, {1, 1}, {-1, 0}, {0, -1}, {1, 0}, {0, 1}}};
  const RawSection& section = *corner.section;
  const double corner_fraction = section.shape == "CIRC" ? 0.5 / std::sqrt(2.0) : 0.5;
  Points out;
  for (std::size_t k = 0; k < (corner.has_middle ? 8U : 4U); ++k) {
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
  Corner mean = first;
  mean.normal.setZero();
  mean.tangent.setZero();
  for (const Corner& corner : corners) {
    if (!corner.section->is_plain || !is_same_section(first, corner)) return std::nullopt;
    mean.normal += corner.normal;
    mean.tangent += corner.tangent;
    mean.has_middle = mean.has_middle || corner.has_middle;
  }
  ExpandedSection out;
  out.is_beam = first.section->is_beam;
  if (out.is_beam) {
    const Eigen::Vector3d tangent = mean.tangent.normalized();
    const Eigen::Vector3d two = (mean.normal - mean.normal.dot(tangent) * tangent).normalized();
    out.axes << two.cross(tangent), two, tangent;
    out.positions = beam_positions(mean, out.axes.col(0), two);
  } else {
    out.axes.col(2) = mean.normal.normalized();
    out.positions = shell_positions(mean, out.axes.col(2));
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
