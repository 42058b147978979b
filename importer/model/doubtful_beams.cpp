// Finds the nodes at which beams of CalculiX (B31) end in a knot: their rotations are held, or two
// beams of other directions meet there. Counts beams of reduced integration (B31R).
#include "model/doubtful_beams.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace femflex::importer {
namespace {

constexpr double kStraight = 1e-3;  // sine of the angle below which one beam continues another

/// The beams that end at a node.
struct BeamEnds {
  std::vector<std::int64_t> elements;
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();  ///< of the first of these
  bool is_knot = false;
};

bool has_integration(const FeModel& model, std::int64_t element, ElementIntegration wanted) {
  const ElementSection* section = find_section(model.properties, element);
  return section != nullptr && section->integration == wanted;
}

std::unordered_map<std::int64_t, BeamEnds> ends_of_beams(const FeModel& model) {
  std::unordered_map<std::int64_t, BeamEnds> out;
  for (const ElementBlock& block : model.elements) {
    if (block.nodes_per_element != 2) continue;
    for (std::size_t k = 0; k < block.ids.size(); ++k) {
      const std::int64_t nodes[] = {block.connectivity[2 * k], block.connectivity[2 * k + 1]};
      const Node* a = find_node(model, nodes[0]);
      const Node* b = find_node(model, nodes[1]);
      if (a == nullptr || b == nullptr ||
          !has_integration(model, block.ids[k], ElementIntegration::internal_modes))
        continue;
      const Eigen::Vector3d direction = (b->position - a->position).normalized();
      for (const std::int64_t node : nodes) {
        BeamEnds& end = out[node];
        if (end.elements.empty()) end.direction = direction;
        if (end.direction.cross(direction).norm() > kStraight) end.is_knot = true;
        end.elements.push_back(block.ids[k]);
      }
    }
  }
  return out;
}

void warn_of_knots(const FeModel& model, Diagnostics& diagnostics) {
  std::unordered_map<std::int64_t, BeamEnds> ends = ends_of_beams(model);
  for (const Dof& dof : model.fixed)
    if (const auto end = ends.find(dof.node); end != ends.end() && dof.component > 3)
      end->second.is_knot = true;
  std::set<std::int64_t> doubtful;
  for (const auto& [node, end] : ends)
    if (end.is_knot) doubtful.insert(end.elements.begin(), end.elements.end());
  if (doubtful.empty()) return;
  diagnostics.warn(
      "beam-knots",
      fmt::format("{} B31 at held rotations or where beams meet at an angle, the first is element "
                  "{}: in CalculiX's solution the section there turns otherwise than its node, so "
                  "that stresses of these elements can be far off; judge by the elements next to "
                  "them, or model the place with solids",
                  doubtful.size(),
                  *doubtful.begin()));
}

/// Counts two-node beams of reduced integration: B31R alone has it.
void warn_of_reduced_beams(const FeModel& model, Diagnostics& diagnostics) {
  std::int64_t count = 0;
  std::int64_t first = 0;
  for (const ElementBlock& block : model.elements) {
    if (block.nodes_per_element != 2) continue;
    for (const std::int64_t id : block.ids) {
      if (!has_integration(model, id, ElementIntegration::reduced)) continue;
      first = count == 0 ? id : std::min(first, id);
      ++count;
    }
  }
  if (count > 0)
    diagnostics.warn(
        "reduced-beams",
        fmt::format("{} B31R, the first is element {}: CalculiX makes each a solid with one "
                    "integration point, which bending does not strain, so that its stiffness "
                    "against bending is far off (a cantilever of 20 elements bends 8 to 70 times "
                    "too far); make the model of B31, B32 or B32R",
                    count,
                    first));
}

}  // namespace

void warn_of_doubtful_beams(const FeModel& model, Diagnostics& diagnostics) {
  warn_of_knots(model, diagnostics);
  warn_of_reduced_beams(model, diagnostics);
}

}  // namespace femflex::importer
