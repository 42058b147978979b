// Compares the nodes of row lists with those of the deck.
#include "model/rotation_nodes.h"

#include <algorithm>
#include <map>
#include <string>

#include "femflex/element_shape.h"

namespace femflex::importer {
namespace {

/// For each node of a row list that the deck does not have: true if its rows are directions 1 to 3.
std::map<std::int64_t, bool> unnamed_nodes(const Gathered& gathered, const FileContents& list) {
  std::map<std::int64_t, bool> out;
  const auto is_of_deck = [&](std::int64_t id) {
    const auto node = std::lower_bound(
        gathered.nodes.begin(), gathered.nodes.end(), id, [](const Node& n, std::int64_t wanted) {
          return n.id < wanted;
        });
    return node != gathered.nodes.end() && node->id == id;
  };
  for (const Dof& dof : list.row_map) {
    if (is_of_deck(dof.node)) continue;
    bool& is_triad = out.try_emplace(dof.node, true).first->second;
    is_triad = is_triad && dof.component >= 1 && dof.component <= 3;
  }
  return out;
}

/// True if CalculiX adds nodes for the elements: shells, beams and trusses become solids, and
/// incompatible modes have nodes of their own.
bool has_nodes_of_elements(const Gathered& gathered, const FileContents& deck) {
  return !deck.sections.empty() ||
         std::any_of(gathered.geometry.elements.begin(),
                     gathered.geometry.elements.end(),
                     [](const ElementBlock& block) {
                       return topology_of(shape_of(block.type, block.nodes_per_element)).dimension <
                              3;
                     }) ||
         std::any_of(deck.element_sections.begin(),
                     deck.element_sections.end(),
                     [](const RawElementSection& section) {
                       return section.integration == ElementIntegration::incompatible;
                     });
}

}  // namespace

void find_rotation_nodes(Gathered& gathered) {
  for (FileContents& deck : gathered.files) {
    const std::vector<std::int64_t>& bodies = deck.unnamed_rotations;
    if (bodies.empty()) continue;
    for (const FileContents& list : gathered.files) {
      const bool is_list = list.format == "calculix-dof" || list.format == "coordinate-matrix";
      if (!is_list || list.row_map.empty()) continue;
      const std::map<std::int64_t, bool> unnamed = unnamed_nodes(gathered, list);
      const bool is_certain =
          unnamed.size() == bodies.size() ||
          (unnamed.size() > bodies.size() && has_nodes_of_elements(gathered, deck));
      auto node = unnamed.begin();
      for (std::size_t k = 0; is_certain && k < bodies.size(); ++k, ++node)
        if (node->second) deck.rotation_nodes[node->first] = bodies[k];
      break;
    }
  }
}

}  // namespace femflex::importer
