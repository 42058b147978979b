// Completes an FE model at the end of an import: sorts its nodes, and checks matrix sizes, finite
// numbers and known nodes. Also finds nodes and computes the six rigid-body motions.
#include "femflex/fe_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex {
namespace {

/// The id of the node whose id is nearest to `id`; `nodes` are sorted by id and not empty.
std::int64_t nearest_id(const std::vector<Node>& nodes, std::int64_t id) {
  const auto above = std::lower_bound(
      nodes.begin(), nodes.end(), id, [](const Node& node, std::int64_t i) { return node.id < i; });
  if (above == nodes.begin()) return above->id;
  const auto below = std::prev(above);
  return above == nodes.end() || id - below->id <= above->id - id ? below->id : above->id;
}

/// @throws ModelError  `a` is not square on `dofs`, not lower triangular, or not finite
void check_matrix(const std::optional<SparseMatrix>& a, const DofMap& dofs, std::string_view name) {
  if (!a) return;
  if (a->rows() != dofs.size() || a->cols() != dofs.size())
    throw ModelError(
        "matrix-size",
        fmt::format(
            "{} is {} x {}, but the model has {} DOFs", name, a->rows(), a->cols(), dofs.size()),
        {},
        "give matrices and DOFs that belong to the same DOF set");
  for (Eigen::Index col = 0; col < a->outerSize(); ++col)
    for (SparseMatrix::InnerIterator it(*a, col); it; ++it) {
      if (it.row() < it.col())
        throw ModelError("triangle", fmt::format("{} holds entries above the diagonal", name));
      if (!std::isfinite(it.value()))
        throw ModelError("not-finite",
                         fmt::format("{} contains {} at ({}, {})",
                                     name,
                                     it.value(),
                                     to_string(dofs[it.row()]),
                                     to_string(dofs[it.col()])),
                         {},
                         "correct the element or property that causes it, and export the matrices "
                         "again");
    }
}

[[noreturn]] void not_finite(const std::string& subject) {
  throw ModelError(
      "not-finite",
      subject + " is not finite",
      {},
      "correct the input; if it is a .fe.h5 file, it is damaged: import the model again");
}

void check_numbers(const FeModel& model) {
  if (model.units)
    for (const double factor : {model.units->length, model.units->mass, model.units->time})
      if (!(std::isfinite(factor) && factor > 0.0))
        throw ModelError("units",
                         fmt::format("a unit of {} SI units is not positive and finite", factor),
                         {},
                         "import the model again, with --units");
  for (const Node& node : model.nodes)
    if (!node.position.allFinite()) not_finite(fmt::format("the position of node {}", node.id));
  for (const CoordinateSystem& system : model.systems)
    if (!system.origin.allFinite() || !system.axes.allFinite())
      not_finite(fmt::format("coordinate system {}", system.id));
  for (const ConcentratedMass& mass : model.concentrated_masses)
    if (!std::isfinite(mass.mass) || !mass.offset.allFinite() || !mass.inertia.allFinite())
      not_finite(fmt::format("the concentrated mass of node {}", mass.node));
  for (const ConstraintEquation& equation : model.constraints)
    for (const ConstraintEquation::Term& term : equation.terms)
      if (!std::isfinite(term.factor))
        not_finite(fmt::format("the factor of {} in the equation of {}",
                               to_string(term.dof),
                               to_string(equation.dependent)));
  for (const LoadCase& load : model.loads)
    if (!load.load.allFinite()) not_finite(fmt::format("load case {}", load.id));
}

}  // namespace

FeModel make_fe_model(FeModel model) {
  std::sort(model.nodes.begin(), model.nodes.end(), [](const Node& a, const Node& b) {
    return a.id < b.id;
  });
  for (std::size_t k = 1; k < model.nodes.size(); ++k)
    if (model.nodes[k - 1].id == model.nodes[k].id)
      throw ModelError("duplicate-node",
                       fmt::format("node {} appears twice", model.nodes[k].id),
                       {},
                       "give each node once");
  check_numbers(model);
  check_matrix(model.stiffness, model.dofs, "K");
  check_matrix(model.mass, model.dofs, "M");
  check_matrix(model.damping, model.dofs, "D");
  check_stresses(model.stresses, model.modes.count());
  for (const LoadCase& load : model.loads)
    if (load.load.size() != model.dofs.size())
      throw ModelError("load-size",
                       fmt::format("load case {} has {} rows, but the model has {} DOFs",
                                   load.id,
                                   load.load.size(),
                                   model.dofs.size()));
  for (const DofMap* rows : std::array<const DofMap*, 2>{&model.dofs, &model.modes.rows})
    for (const Dof& dof : rows->rows())
      // component 0 is a scalar point, which has no position
      if (dof.component != 0 && find_node(model, dof.node) == nullptr)
        throw ModelError("unknown-node",
                         fmt::format("DOF {} belongs to a node without a position", to_string(dof)),
                         {},
                         "add the file with the grid points to the input");
  for (const ConstraintEquation& equation : model.constraints)
    if (equation.element < 0 ||
        equation.element >= static_cast<std::int64_t>(model.rigid_elements.size()))
      throw ModelError("constraint",
                       fmt::format("the equation of {} belongs to no rigid element",
                                   to_string(equation.dependent)));
  for (const std::int64_t id : model.interface_nodes)
    if (find_node(model, id) == nullptr)
      throw ModelError("unknown-node",
                       fmt::format("interface node {} is not in the model", id),
                       {},
                       model.nodes.empty()
                           ? std::string("the model has no nodes: give the deck as well")
                           : fmt::format("the nearest is {}; the model has {} nodes from {} to {}",
                                         nearest_id(model.nodes, id),
                                         model.nodes.size(),
                                         model.nodes.front().id,
                                         model.nodes.back().id));
  return model;
}

const Node* find_node(const FeModel& model, std::int64_t id) {
  const auto it = std::lower_bound(
      model.nodes.begin(), model.nodes.end(), id, [](const Node& node, std::int64_t i) {
        return node.id < i;
      });
  return it != model.nodes.end() && it->id == id ? &*it : nullptr;
}

Eigen::Matrix<double, Eigen::Dynamic, 6> rigid_body_shapes(const FeModel& model,
                                                           const DofMap& rows,
                                                           const Eigen::Vector3d& origin) {
  Eigen::Matrix<double, Eigen::Dynamic, 6> shapes(rows.size(), 6);
  shapes.setZero();
  for (std::int64_t row = 0; row < rows.size(); ++row) {
    const Dof& dof = rows[row];
    const Node* node = dof.component == 0 ? nullptr : find_node(model, dof.node);
    if (node == nullptr) continue;
    shapes.row(row) = rigid_rows(node->position - origin).row(dof.component - 1);
  }
  return shapes;
}

}  // namespace femflex
