// Finds the visible surface of a body: all surface elements, and the faces of solid elements that
// no second solid shares.
#include "femflex/skin.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "femflex/element_shape.h"

namespace femflex {
namespace {

using Face = std::array<std::int32_t, 4>;
using Corners = std::array<std::int32_t, 8>;

/// Corners of one element as indices into the nodes of the body; empty if the body lacks a node.
std::optional<Corners> corners_in(const FlexBody& body, std::span<const std::int64_t> ids) {
  Corners out{};
  for (std::size_t k = 0; k < ids.size(); ++k) {
    out[k] = static_cast<std::int32_t>(find_node(body, ids[k]));
    if (out[k] < 0) return std::nullopt;
  }
  return out;
}

/// A face of the element with its corners as node indices.
Face face_of(const ElementFace& face, const Corners& corners) {
  Face out{-1, -1, -1, -1};
  for (std::size_t k = 0; k < static_cast<std::size_t>(face.count); ++k)
    out[k] = corners[static_cast<std::size_t>(face.corners[k])];
  return out;
}

/// Adds the faces that occur once to the skin; inside a body every face belongs to two elements.
/// Each of `faces` is a pair: sorted corners to compare, and corners in their order.
void add_outer_faces(std::vector<std::pair<Face, Face>>& faces, Skin& skin) {
  const auto same_key = [](const auto& a, const auto& b) { return a.first == b.first; };
  std::sort(faces.begin(), faces.end());
  for (auto at = faces.begin(); at != faces.end();) {
    const auto next =
        std::find_if(at + 1, faces.end(), [&](const auto& other) { return !same_key(*at, other); });
    if (next == at + 1) skin.faces.push_back(at->second);
    at = next;
  }
}

}  // namespace

Skin skin_of(const FlexBody& body) {
  Skin skin;
  // faces of solids: sorted corners, and corners in their order
  std::vector<std::pair<Face, Face>> faces;
  for (const ElementBlock& block : body.elements) {
    const ElementTopology& shape = topology_of(shape_of(block.type, block.nodes_per_element));
    if (shape.dimension == 0) continue;
    const auto per = static_cast<std::size_t>(block.nodes_per_element);
    const std::span<const std::int64_t> nodes(block.connectivity);
    for (std::size_t e = 0; (e + 1) * per <= nodes.size(); ++e) {
      const auto corners =
          corners_in(body, nodes.subspan(e * per, static_cast<std::size_t>(shape.corner_count)));
      if (!corners) continue;
      if (shape.dimension == 1) skin.lines.push_back({(*corners)[0], (*corners)[1]});
      for (const ElementFace& local : shape.faces) {
        const Face face = face_of(local, *corners);
        if (shape.dimension == 2) {
          skin.faces.push_back(face);
          continue;
        }
        Face key = face;
        std::sort(key.begin(), key.end());
        faces.emplace_back(key, face);
      }
    }
  }
  add_outer_faces(faces, skin);
  return skin;
}

}  // namespace femflex
