// Goes through the equations, supports and forces of a deck once it is complete.
#include "calculix/inp_rewrite.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/element_shape.h"

namespace femflex::importer {
namespace {

using FactorTerms = std::vector<std::pair<Dof, double>>;

/// Adds the term factor * u_dof along basic directions.
void add_turned(const FileContents& contents, const Dof& dof, double factor, FactorTerms& out) {
  const auto add = [&](const Dof& basic, double value) {
    constexpr double kRoundOff = 1e-12;  // of the components of unit vectors
    if (std::abs(value) <= kRoundOff * std::abs(factor)) return;
    const auto known =
        std::find_if(out.begin(), out.end(), [&](const auto& term) { return term.first == basic; });
    if (known == out.end())
      out.emplace_back(basic, value);
    else
      known->second += value;
  };
  const auto axes = contents.support_axes.find(dof.node);
  if (axes == contents.support_axes.end()) return add(dof, factor);
  const int first = dof.component <= 3 ? 1 : 4;
  for (int c = 0; c < 3; ++c)
    add({dof.node, static_cast<std::int8_t>(first + c)},
        factor * axes->second(c, (dof.component - 1) % 3));
}

void turn_equation(const FileContents& contents, RawConstraint& equation) {
  FactorTerms terms;
  add_turned(contents, equation.dependent_dofs.front(), equation.factors.front(), terms);
  const auto of_first_term = static_cast<std::ptrdiff_t>(terms.size());
  for (std::size_t k = 0; k < equation.independent_dofs.size(); ++k)
    add_turned(contents, equation.independent_dofs[k], equation.factors[k + 1], terms);
  const auto largest = std::max_element(
      terms.begin(), terms.begin() + of_first_term, [](const auto& a, const auto& b) {
        return std::abs(a.second) < std::abs(b.second);
      });
  std::iter_swap(terms.begin(), largest);
  equation.dependent_dofs = {terms.front().first};
  equation.components = std::to_string(terms.front().first.component);
  equation.independent_dofs.clear();
  equation.independent.clear();
  equation.factors = {terms.front().second};
  for (std::size_t k = 1; k < terms.size(); ++k) {
    equation.independent_dofs.push_back(terms[k].first);
    equation.independent.push_back(terms[k].first.node);
    equation.factors.push_back(terms[k].second);
  }
}

}  // namespace

void turn_equations(FileContents& contents) {
  for (RawConstraint& element : contents.rigid_elements) {
    const auto has_local_axes = [&](const Dof& dof) {
      return contents.support_axes.contains(dof.node);
    };
    if (element.type == "EQUATION" &&
        (has_local_axes(element.dependent_dofs.front()) ||
         std::any_of(
             element.independent_dofs.begin(), element.independent_dofs.end(), has_local_axes)))
      turn_equation(contents, element);
  }
}

void drop_idle_rotations(FileContents& contents, Diagnostics& diagnostics) {
  std::unordered_set<std::int64_t> references;
  for (const RawConstraint& element : contents.rigid_elements)
    if (element.type == "RIGID BODY") references.insert(element.id);
  if (references.empty()) return;
  // at nodes of shells and beams these directions are those of the section
  for (const ElementBlock& block : contents.elements)
    if (const int dimension = topology_of(shape_of(block.type, block.nodes_per_element)).dimension;
        dimension == 1 || dimension == 2)
      for (const std::int64_t node : block.connectivity)
        references.erase(node);
  std::set<std::int64_t> left_out;
  const auto leaves_out = [&](const Dof& dof) {
    const bool is_idle = dof.component > 3 && references.contains(dof.node);
    if (is_idle) left_out.insert(dof.node);
    return is_idle;
  };
  std::erase_if(contents.fixed, leaves_out);
  std::erase_if(contents.rigid_elements, [&](const RawConstraint& element) {
    return element.type == "EQUATION" &&
           (leaves_out(element.dependent_dofs.front()) ||
            std::any_of(
                element.independent_dofs.begin(), element.independent_dofs.end(), leaves_out));
  });
  std::erase_if(contents.loads.forces, [&](const RawForce& force) {
    const bool is_idle = force.is_moment && references.contains(force.node);
    if (is_idle) left_out.insert(force.node);
    return is_idle;
  });
  if (!left_out.empty())
    diagnostics.warn(
        "idle-rotations",
        fmt::format(
            "supports, moments or equations on directions 4 to 6 of {} reference node{} of rigid "
            "bodies, the first is {}, are left out: CalculiX does not apply them; give "
            "them on directions 1 to 3 of a ROT NODE",
            left_out.size(),
            left_out.size() == 1 ? "" : "s",
            *left_out.begin()),
        {contents.path});
}

void name_rotations(FileContents& contents, Diagnostics& diagnostics) {
  const auto reference_of = [&](const Dof& dof) -> std::int64_t {
    const auto found = contents.rotation_nodes.find(dof.node);
    return found == contents.rotation_nodes.end() || dof.component < 1 || dof.component > 3
               ? 0
               : found->second;
  };
  const auto rename = [&](Dof& dof) {
    if (const std::int64_t reference = reference_of(dof); reference != 0)
      dof = {reference, static_cast<std::int8_t>(dof.component + 3)};
  };
  std::size_t left_out = 0;
  std::int64_t first = 0;
  std::erase_if(contents.fixed, [&](const Dof& dof) {
    const std::int64_t reference = reference_of(dof);
    const bool has_axes = reference != 0 && (contents.support_axes.contains(dof.node) ||
                                             contents.support_axes.contains(reference));
    if (has_axes && left_out++ == 0) first = dof.node;
    return has_axes;
  });
  if (left_out > 0)
    diagnostics.warn("transformed-support",
                     fmt::format("{} supports of ROT NODE {} are left out: it, or its REF NODE, "
                                 "has axes of a *TRANSFORM; give these supports in global axes",
                                 left_out,
                                 first),
                     {contents.path});
  for (Dof& dof : contents.fixed)
    rename(dof);
  for (RawConstraint& element : contents.rigid_elements) {
    if (element.type != "EQUATION") continue;
    rename(element.dependent_dofs.front());
    element.dependent.front() = element.id = element.dependent_dofs.front().node;
    element.components = std::to_string(element.dependent_dofs.front().component);
    for (std::size_t k = 0; k < element.independent_dofs.size(); ++k) {
      rename(element.independent_dofs[k]);
      element.independent[k] = element.independent_dofs[k].node;
    }
  }
  for (RawForce& force : contents.loads.forces)
    if (const auto found = contents.rotation_nodes.find(force.node);
        found != contents.rotation_nodes.end() && !force.is_moment) {
      force.node = found->second;
      force.is_moment = true;
    }
}

}  // namespace femflex::importer
