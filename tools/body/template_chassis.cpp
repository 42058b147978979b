// Builds the chassis as a space truss of bars between point masses; K is assembled bar by bar, M is
// diagonal.
#include "body/template_chassis.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace femflex::tools {
namespace {

constexpr double kBayLength = 0.5;  // [m]
constexpr double kNodeMass = 10.0;  // [kg]

/// Adds the entries of K for a bar between nodes a and b (indices in model.nodes): E A / L (n n'),
/// with n the unit vector along the bar and E A its rigidity.
void add_bar(const FeModel& model, double rigidity, int a, int b, std::vector<Entry>& entries) {
  const Eigen::Vector3d line = model.nodes[static_cast<std::size_t>(b)].position -
                               model.nodes[static_cast<std::size_t>(a)].position;
  const Eigen::Vector3d n = line.normalized();
  const Eigen::Matrix3d k = rigidity / line.norm() * (n * n.transpose());
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      entries.push_back({3 * a + i, 3 * a + j, k(i, j)});
      entries.push_back({3 * b + i, 3 * b + j, k(i, j)});
      entries.push_back({3 * a + i, 3 * b + j, -k(i, j)});
      entries.push_back({3 * b + i, 3 * a + j, -k(i, j)});
    }
  }
}

}  // namespace

FeModel template_chassis(const LadderFrame& frame) {
  FeModel model;
  model.name = "chassis";
  model.units = Units{};
  std::vector<Dof> rows;
  for (int bay = 0; bay <= frame.bays; ++bay) {
    for (int corner = 0; corner < 4; ++corner) {
      const std::int64_t id = 100 * (bay + 1) + corner + 1;
      model.nodes.push_back(
          {id, {bay * kBayLength, corner < 2 ? -0.4 : 0.4, corner % 2 == 0 ? -0.1 : 0.1}, 0});
      for (const int component : {1, 2, 3})
        rows.push_back({id, static_cast<std::int8_t>(component)});
    }
  }
  model.dofs = DofMap(std::move(rows));
  std::vector<Entry> bars;
  ElementBlock lines{"CROD", 2, {}, {}};
  const auto bar = [&](int a, int b) {
    add_bar(model, frame.rigidity, a, b, bars);
    lines.ids.push_back(static_cast<std::int64_t>(lines.ids.size()) + 1);
    for (const int node : {a, b})
      lines.connectivity.push_back(model.nodes[static_cast<std::size_t>(node)].id);
  };
  for (int bay = 0; bay <= frame.bays; ++bay) {
    const int here = 4 * bay;
    for (const auto& [a, b] : {std::pair{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}})
      bar(here + a, here + b);
    if (bay == frame.bays) break;
    for (int corner = 0; corner < 4; ++corner)
      bar(here + corner, here + 4 + corner);
    // diagonals of the two sides, the top and the bottom
    for (const auto& [a, b] : {std::pair{0, 1}, {2, 3}, {0, 2}, {1, 3}}) {
      bar(here + a, here + 4 + b);
      bar(here + b, here + 4 + a);
    }
  }
  const std::int64_t dofs = model.dofs.size();
  std::vector<Entry> masses;
  for (std::int64_t row = 0; row < dofs; ++row)
    masses.push_back({row, row, kNodeMass});
  model.stiffness = lower_triangle(assemble(dofs, dofs, bars));
  model.mass = assemble(dofs, dofs, masses);
  model.elements.push_back(std::move(lines));
  model.interface_nodes = frame.interface_nodes;
  model.provenance.options = "new truck";
  return make_fe_model(std::move(model));
}

}  // namespace femflex::tools
