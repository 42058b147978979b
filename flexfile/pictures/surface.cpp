#include "pictures/surface.h"

#include <algorithm>
#include <map>
#include <span>

namespace femflex::flexfile {
namespace {

enum class Shape : std::uint8_t { none, line, triangle, quad, tetra, pyramid, wedge, hexa };

Shape shape_of(std::string_view type, int nodes) {
  const auto any = [&](std::initializer_list<std::string_view> stems) {
    return std::any_of(
        stems.begin(), stems.end(), [&](std::string_view stem) { return type.starts_with(stem); });
  };
  if (any({"CTRI", "TRIA", "CTRIA", "CTRIAR"})) return Shape::triangle;
  if (any({"CQUAD", "QUAD", "CSHEAR"})) return Shape::quad;
  if (any({"CTETRA", "TETRA"})) return Shape::tetra;
  if (any({"CPYRA", "PYRA"})) return Shape::pyramid;
  if (any({"CPENTA", "PENTA", "WEDGE"})) return Shape::wedge;
  if (any({"CHEXA", "HEXA"})) return Shape::hexa;
  if (nodes == 2 || nodes == 3) return Shape::line;
  return Shape::none;
}

int corner_count(Shape shape) {
  constexpr std::array<int, 8> corners{0, 2, 3, 4, 4, 5, 6, 8};
  return corners[static_cast<std::size_t>(shape)];
}

using Face = std::array<int, 4>;  ///< corners, the last -1 for a triangle

std::span<const Face> faces_of(Shape shape) {
  static constexpr std::array<Face, 4> tetra{
      {{0, 2, 1, -1}, {0, 1, 3, -1}, {1, 2, 3, -1}, {2, 0, 3, -1}}};
  static constexpr std::array<Face, 5> pyramid{
      {{0, 3, 2, 1}, {0, 1, 4, -1}, {1, 2, 4, -1}, {2, 3, 4, -1}, {3, 0, 4, -1}}};
  static constexpr std::array<Face, 5> wedge{
      {{0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}}};
  static constexpr std::array<Face, 6> hexa{
      {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};
  switch (shape) {
    case Shape::tetra:
      return tetra;
    case Shape::pyramid:
      return pyramid;
    case Shape::wedge:
      return wedge;
    case Shape::hexa:
      return hexa;
    default:
      return {};
  }
}

void add_face(Surface& surface, const std::array<std::int32_t, 4>& nodes) {
  surface.triangles.push_back({nodes[0], nodes[1], nodes[2]});
  if (nodes[3] >= 0) surface.triangles.push_back({nodes[0], nodes[2], nodes[3]});
}

}  // namespace

int corners_of(std::string_view type, int nodes_per_element) {
  return corner_count(shape_of(type, nodes_per_element));
}

std::uint8_t vtk_cell(std::string_view type, int nodes) {
  switch (shape_of(type, nodes)) {
    case Shape::line:
      return 3;
    case Shape::triangle:
      return nodes == 6 ? 22 : 5;
    case Shape::quad:
      return nodes == 8 ? 23 : nodes == 9 ? 28 : 9;
    case Shape::tetra:
      return nodes == 10 ? 24 : 10;
    case Shape::pyramid:
      return nodes == 13 ? 27 : 14;
    case Shape::wedge:
      return nodes == 15 ? 26 : 13;
    case Shape::hexa:
      return nodes == 20 ? 25 : nodes == 27 ? 29 : 12;
    default:
      return 0;
  }
}

Surface surface_of(const FlexBody& body) {
  Surface surface;
  struct Seen {
    std::array<std::int32_t, 4> nodes{};
    int count = 0;
  };
  std::map<std::array<std::int32_t, 4>, Seen> faces;  // by sorted corners: the skin is seen once
  for (const ElementBlock& block : body.elements) {
    const Shape shape = shape_of(block.type, block.nodes_per_element);
    const int corners = corner_count(shape);
    if (corners == 0 || corners > block.nodes_per_element) continue;
    const auto per = static_cast<std::size_t>(block.nodes_per_element);
    for (std::size_t e = 0; (e + 1) * per <= block.connectivity.size(); ++e) {
      std::array<std::int32_t, 8> nodes{};
      bool known = true;
      for (std::size_t c = 0; c < static_cast<std::size_t>(corners); ++c) {
        nodes[c] = static_cast<std::int32_t>(find_node(body, block.connectivity[e * per + c]));
        known = known && nodes[c] >= 0;
      }
      if (!known) continue;
      if (shape == Shape::line) {
        surface.lines.push_back({nodes[0], nodes[1]});
      } else if (shape == Shape::triangle) {
        add_face(surface, {nodes[0], nodes[1], nodes[2], -1});
      } else if (shape == Shape::quad) {
        add_face(surface, {nodes[0], nodes[1], nodes[2], nodes[3]});
      } else {
        for (const Face& face : faces_of(shape)) {
          std::array<std::int32_t, 4> ids{};
          for (std::size_t c = 0; c < 4; ++c)
            ids[c] = face[c] < 0 ? -1 : nodes[static_cast<std::size_t>(face[c])];
          std::array<std::int32_t, 4> key = ids;
          std::sort(key.begin(), key.end());
          Seen& seen = faces[key];
          seen.nodes = ids;
          ++seen.count;
        }
      }
    }
  }
  for (const auto& [key, seen] : faces)
    if (seen.count == 1) add_face(surface, seen.nodes);
  return surface;
}

}  // namespace femflex::flexfile
