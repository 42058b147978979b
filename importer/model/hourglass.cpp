// Looks for elements with one integration point whose hourglass control resists rotations: bricks
// that are not parallelepipeds, and shells that CalculiX expands to bricks.
#include "model/hourglass.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <unordered_set>

namespace femflex::importer {
namespace {

/// A brick is a parallelepiped if its corners are where three of its sides put them, to this part
/// of its diagonal.
constexpr double kParallel = 1e-6;

/// The control is a small part of the stiffness: in distorted blocks and arcs its forces are below
/// 0.02 of |K| |R|. Matrices of another mesh leave 0.1 and more.
constexpr double kMostForce = 0.05;

bool is_parallelepiped(const FeModel& model, std::span<const std::int64_t> nodes) {
  std::array<Eigen::Vector3d, 8> x;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const Node* node = find_node(model, nodes[k]);
    if (node == nullptr) return true;
    x[k] = node->position;
  }
  const double limit = kParallel * (x[6] - x[0]).norm();
  const auto closes = [&](std::size_t corner, std::size_t a, std::size_t b) {
    return (x[corner] - x[a] - x[b] + x[0]).norm() <= limit;
  };
  return closes(2, 1, 3) && closes(5, 1, 4) && closes(7, 3, 4) && closes(6, 2, 4);
}

}  // namespace

std::optional<HourglassReason> hourglass_reason(const FeModel& model,
                                                const Gathered& gathered,
                                                double force) {
  if (force > kMostForce ||
      std::none_of(gathered.files.begin(), gathered.files.end(), [](const FileContents& file) {
        return file.format == "calculix-dof";
      }))
    return std::nullopt;
  std::unordered_set<std::int64_t> reduced;
  for (const ElementSection& each : model.properties.elements)
    if (each.integration == ElementIntegration::reduced) reduced.insert(each.element);
  for (const ElementBlock& block : model.elements) {
    const auto width = static_cast<std::size_t>(block.nodes_per_element);
    const bool is_brick = block.type == "CHEXA" && width == 8;
    if (!is_brick && block.type != "CQUAD4") continue;
    for (std::size_t e = 0; e < block.ids.size(); ++e) {
      if (!reduced.contains(block.ids[e])) continue;
      if (!is_brick)
        return HourglassReason{
            "the deck has S4R, of which CalculiX makes C3D8R, whose hourglass control resists the "
            "rotation of elements that are not parallelepipeds",
            "take S4 or S8R"};
      if (!is_parallelepiped(model, {block.connectivity.data() + e * width, width}))
        return HourglassReason{
            "the deck has C3D8R, whose hourglass control in CalculiX resists the rotation of "
            "elements that are not parallelepipeds",
            "take C3D8I, C3D8 or C3D20R"};
    }
  }
  return std::nullopt;
}

}  // namespace femflex::importer
