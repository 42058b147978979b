// Collects the surfaces of a deck, and lists the nodes of their faces with those in the middle of
// edges.
#include "calculix/inp_surfaces.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "femflex/text.h"

namespace femflex::importer {
namespace {

/// Adds the nodes of a face with the given corners; `nodes` are those of the element in NASTRAN's
/// order.
void add_nodes_of_face(ElementShape shape,
                       const std::vector<int>& corners,
                       const std::int64_t* nodes,
                       std::set<std::int64_t>& out) {
  const auto is_corner = [&](int k) {
    return std::find(corners.begin(), corners.end(), k) != corners.end();
  };
  for (const int corner : corners)
    out.insert(nodes[corner]);
  for (const ElementEdge& edge : topology_of(shape).edges)
    if (edge.mid >= 0 && is_corner(edge.corners[0]) && is_corner(edge.corners[1]))
      out.insert(nodes[edge.mid]);
}

}  // namespace

const std::vector<std::vector<int>>& inp_faces_of(ElementShape shape) {
  using Faces = std::vector<std::vector<int>>;
  static const Faces kHexahedron{
      {0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
  static const Faces kTetrahedron{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  static const Faces kWedge{{0, 1, 2}, {3, 5, 4}, {0, 3, 4, 1}, {1, 4, 5, 2}, {2, 5, 3, 0}};
  static const Faces kNone;
  switch (topology_of(shape).corner_count) {
    case 8:
      return kHexahedron;
    case 6:
      return shape == ElementShape::wedge6 || shape == ElementShape::wedge15 ? kWedge : kNone;
    case 4:
      return topology_of(shape).dimension == 3 ? kTetrahedron : kNone;
    default:
      return kNone;
  }
}

void InpSurfaces::begin(const std::string& keyword, const InpParameters& parameters) {
  current_ = nullptr;
  if (keyword != "SURFACE") return;
  current_ = &surfaces_[names_.here(parameters.text("NAME"))];
  current_->is_of_nodes = parameters.word("TYPE") == "NODE";
}

void InpSurfaces::data(const std::vector<std::string_view>& fields, const Where& where) {
  if (current_ == nullptr || fields.empty()) return;
  current_->faces.push_back(
      {names_.here(fields[0]), fields.size() > 1 ? upper_case(fields[1]) : std::string(), where});
}

const std::vector<InpSurfaces::Face>* InpSurfaces::faces_of(std::string_view name) const {
  const auto found = names_.find(surfaces_, name);
  return found == surfaces_.end() || found->second.is_of_nodes ? nullptr : &found->second.faces;
}

std::optional<std::vector<std::int64_t>> InpSurfaces::nodes_of(
    std::string_view name,
    InpSets& node_sets,
    InpSets& element_sets,
    const std::vector<ElementBlock>& blocks) const {
  const auto surface = names_.find(surfaces_, name);
  if (surface == surfaces_.end()) return std::nullopt;
  std::set<std::int64_t> out;
  std::unordered_map<std::int64_t, std::vector<std::string>> labels;  // by element
  for (const Face& face : surface->second.faces) {
    const auto members = (surface->second.is_of_nodes ? node_sets : element_sets)
                             .members_of(face.region, face.where);
    if (!members) return std::nullopt;
    for (const std::int64_t id : *members)
      if (surface->second.is_of_nodes)
        out.insert(id);
      else
        labels[id].push_back(face.label);
  }
  for (const ElementBlock& block : blocks) {
    const ElementShape shape = shape_of(block.type, block.nodes_per_element);
    const auto width = static_cast<std::size_t>(block.nodes_per_element);
    for (std::size_t e = 0; e < block.ids.size(); ++e) {
      const auto found = labels.find(block.ids[e]);
      if (found == labels.end()) continue;
      const std::int64_t* nodes = block.connectivity.data() + e * width;
      for (const std::string& label : found->second) {
        const std::vector<std::vector<int>>& faces = inp_faces_of(shape);
        const bool is_numbered = label.size() == 2 && label[0] == 'S' && label[1] >= '1';
        const auto face = is_numbered ? static_cast<std::size_t>(label[1] - '1') : faces.size();
        if (face < faces.size())
          add_nodes_of_face(shape, faces[face], nodes, out);
        else if (topology_of(shape).dimension == 2 && (label == "SPOS" || label == "SNEG"))
          out.insert(nodes, nodes + width);
        else
          return std::nullopt;
      }
    }
  }
  return std::vector<std::int64_t>(out.begin(), out.end());
}

}  // namespace femflex::importer
