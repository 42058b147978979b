// Converts single-point constraints: those along basic directions become fixed DOFs, those along
// axes inclined to basic become equations.
#include "model/supports.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace femflex::importer {
namespace {

// a node, and true for its three rotations or false for its three translations
using NodeTriad = std::pair<std::int64_t, bool>;

NodeTriad node_triad_of(const Dof& dof) {
  return {dof.node, dof.component > 3};
}

/// The basic DOF along the axis of `dof`; empty if the axis is inclined to basic.
std::optional<Dof> in_basic_direction(const Dof& dof, const Eigen::Matrix3d& axes) {
  constexpr double kAlongBasic = 1.0 - 1e-9;  // cosine of 4.5e-5 rad
  Eigen::Index basic = 0;
  if (!(axes.col((dof.component - 1) % 3).cwiseAbs().maxCoeff(&basic) > kAlongBasic))
    return std::nullopt;
  return Dof{dof.node, static_cast<std::int8_t>(basic + (dof.component <= 3 ? 1 : 4))};
}

}  // namespace

Supports supports(const Gathered& gathered,
                  const std::vector<LocalEquation>& others,
                  std::int64_t first_element) {
  Supports out;
  std::map<NodeTriad, std::vector<Dof>> inclined;
  for (const Dof& dof : gathered.geometry.fixed) {
    if (dof.component == 0 || displacement_axes(gathered, dof.node).isIdentity(0.0))
      out.fixed.push_back(dof);
    else
      inclined[node_triad_of(dof)].push_back(dof);
  }
  std::set<NodeTriad> dependent;
  for (const LocalEquation& equation : others)
    if (equation.dependent.component != 0) dependent.insert(node_triad_of(equation.dependent));
  for (const auto& [triad, dofs] : inclined) {
    const Eigen::Matrix3d axes = displacement_axes(gathered, triad.first);
    std::vector<Dof> basic;
    for (const Dof& dof : dofs)
      if (const std::optional<Dof> same = in_basic_direction(dof, axes)) basic.push_back(*same);
    // an equation that makes another DOF of the triad dependent is solved together with the SPCs
    const bool has_other_equations = dependent.contains(triad);
    const bool all_three = dofs.size() == 3;  // each DOF occurs once
    if (!has_other_equations && (all_three || basic.size() == dofs.size())) {
      // DOFs fixed along all three CD axes are fixed along all three basic axes: same numbers
      const std::vector<Dof>& fixed = all_three ? dofs : basic;
      out.fixed.insert(out.fixed.end(), fixed.begin(), fixed.end());
      continue;
    }
    if (out.elements.empty() || out.elements.back().id != triad.first)
      out.elements.push_back({"SPC", triad.first, {}, {triad.first}, ""});
    for (const Dof& dof : dofs) {
      out.elements.back().components += static_cast<char>('0' + dof.component);
      const auto element = first_element + static_cast<std::int64_t>(out.elements.size()) - 1;
      out.equations.push_back({dof, {}, element});
    }
  }
  std::sort(out.fixed.begin(), out.fixed.end());
  out.fixed.erase(std::unique(out.fixed.begin(), out.fixed.end()), out.fixed.end());
  return out;
}

}  // namespace femflex::importer
