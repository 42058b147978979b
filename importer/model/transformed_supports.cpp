// Replaces supports along *TRANSFORM axes of a node, which CalculiX has applied to its matrices, by
// equations that give the eliminated basic DOFs from the node's remaining rows.
#include "model/transformed_supports.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/dense.h"

namespace femflex::importer {
namespace {

/// Handles the three translations (first = 1) or rotations (first = 4) of a node. Does nothing if
/// all or none of them are fixed. Else removes them from model.fixed and adds equations.
/// @return false if the rows of the node do not determine its free motions, so that its supports
/// are lost
bool constrain_triad(std::int64_t node,
                     std::int8_t first,
                     const Eigen::Matrix3d& axes,
                     FeModel& model) {
  const auto is_of_triad = [&](const Dof& dof) {
    return dof.node == node && dof.component >= first && dof.component < first + 3;
  };
  std::vector<Eigen::Index> free{0, 1, 2};
  for (const Dof& dof : model.fixed)
    if (is_of_triad(dof)) std::erase(free, dof.component - first);
  if (free.empty() || free.size() == 3) return true;  // all fixed, or all free: axes do not matter
  std::vector<Eigen::Index> rows;
  std::vector<Eigen::Index> others;
  for (Eigen::Index c = 0; c < 3; ++c)
    (model.dofs.find({node, static_cast<std::int8_t>(first + c)}) >= 0 ? rows : others)
        .push_back(c);
  std::erase_if(model.fixed, is_of_triad);
  if (rows.empty()) return true;  // directions that the matrices do not have
  if (rows.size() != free.size()) return false;
  const Eigen::MatrixXd moves = axes(Eigen::all, free);
  const Eigen::FullPivLU<Eigen::MatrixXd> independent(moves(rows, Eigen::all));
  if (!independent.isInvertible()) return false;
  const Eigen::MatrixXd factors = moves(others, Eigen::all) * independent.inverse();
  const auto element = static_cast<std::int64_t>(model.rigid_elements.size());
  std::string components;
  for (std::size_t d = 0; d < others.size(); ++d) {
    components += static_cast<char>('0' + first + others[d]);
    ConstraintEquation equation;
    equation.dependent = {node, static_cast<std::int8_t>(first + others[d])};
    equation.element = element;
    for (std::size_t r = 0; r < rows.size(); ++r)
      equation.terms.push_back(
          {{node, static_cast<std::int8_t>(first + rows[r])},
           factors(static_cast<Eigen::Index>(d), static_cast<Eigen::Index>(r))});
    model.constraints.push_back(std::move(equation));
  }
  model.rigid_elements.push_back({"TRANSFORM", node, {node}, {node}, components});
  return true;
}

}  // namespace

void choose_eliminated_dofs(const DofMap& rows, FileContents& geometry) {
  std::set<Dof> taken;
  for (RawConstraint& element : geometry.rigid_elements) {
    if (element.type != "EQUATION" || !geometry.support_axes.contains(element.dependent.front()))
      continue;
    Dof& dependent = element.dependent_dofs.front();
    const auto is_eliminated = [&](const Dof& dof) {
      return rows.find(dof) < 0 && !taken.contains(dof);
    };
    std::size_t best = element.independent_dofs.size();
    for (std::size_t k = 0; k < element.independent_dofs.size(); ++k) {
      const Dof& dof = element.independent_dofs[k];
      const bool is_of_triad =
          dof.node == dependent.node && (dof.component > 3) == (dependent.component > 3);
      if (is_of_triad && is_eliminated(dof) &&
          (best == element.independent_dofs.size() ||
           std::abs(element.factors[k + 1]) > std::abs(element.factors[best + 1])))
        best = k;
    }
    if (!is_eliminated(dependent) && best < element.independent_dofs.size()) {
      std::swap(dependent, element.independent_dofs[best]);
      std::swap(element.factors[0], element.factors[best + 1]);
      element.components = std::to_string(dependent.component);
    }
    taken.insert(dependent);
  }
}

void constrain_transformed_nodes(const Gathered& gathered,
                                 FeModel& model,
                                 Diagnostics& diagnostics) {
  std::size_t lost = 0;
  std::int64_t example = 0;
  for (const auto& [node, axes] : gathered.geometry.support_axes)
    for (const std::int8_t first : {std::int8_t{1}, std::int8_t{4}}) {
      if (constrain_triad(node, first, axes, model)) continue;
      if (lost++ == 0) example = node;
    }
  if (lost > 0)
    diagnostics.warn(
        "transformed-support",
        fmt::format("{} supports along *TRANSFORM axes are left out (node {}): the rows "
                    "of the model there are not those that CalculiX leaves; write "
                    "the matrices with the supports in the deck, or give these "
                    "supports in basic axes",
                    lost,
                    example));
}

}  // namespace femflex::importer
