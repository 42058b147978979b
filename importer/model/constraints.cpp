// Decides which multipoint constraints of an import apply, and lists the DOFs that they and the
// rigid elements make dependent.
#include "model/constraints.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "femflex/constraints.h"
#include "femflex/errors.h"

#include "model/constraint_sets.h"

namespace femflex::importer {
namespace {

std::string numbers(const std::set<std::int64_t>& ids) {
  std::string text;
  for (const std::int64_t id : ids)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", id);
  return text;
}

constexpr SetWords kMpc{"MPC", "MPC", "mpc-set", "which does not exist"};

/// The sets that apply, with MPCADDs resolved; no value if the files do not tell which apply.
std::optional<std::set<std::int64_t>> applicable_sets(const ImportRequest& request,
                                                      const RawConstraintSets& sets,
                                                      const std::set<std::int64_t>& existing,
                                                      Diagnostics& diagnostics) {
  std::optional<std::int64_t> named;
  const std::set<std::int64_t> outermost = outermost_sets(sets.sums, existing);
  const auto known = [&](std::int64_t id) {
    return existing.contains(id) || sets.sums.contains(id);
  };
  if (request.mpc) {
    if (!known(*request.mpc))
      throw UsageError(
          "no-such-set",
          fmt::format("there is no MPC set {} in the files", *request.mpc),
          {},
          existing.empty() ? "leave out --mpc" : "the files have the sets " + numbers(outermost));
    named = *request.mpc;
  } else if (!sets.chosen.empty()) {
    const std::int64_t first = sets.chosen.front();
    warn_of_choices(kMpc, sets.chosen, "--mpc chooses another", {}, diagnostics);
    if (first != 0 && !known(first))
      diagnostics.warn(
          "mpc-set",
          fmt::format("the case control chooses MPC set {}, which does not exist", first));
    if (first != 0) named = first;
  } else if (sets.case_control) {
    if (!existing.empty())
      diagnostics.warn(
          "mpc-set",
          fmt::format("the case control does not choose any of the MPC sets {}: none is used "
                      "(--mpc chooses one)",
                      numbers(outermost)));
  } else if (outermost.size() == 1) {
    named = *outermost.begin();
  } else if (!outermost.empty()) {
    diagnostics.warn(
        "mpc-set",
        fmt::format("it is not known which of the MPC sets {} applies: none is applied; "
                    "choose one by --mpc",
                    numbers(outermost)));
    return std::nullopt;
  }
  if (!named) return std::set<std::int64_t>{};
  check_sum(kMpc, sets.sums, existing, *named, {}, diagnostics);
  const std::vector<std::int64_t> acting = acting_sets(sets.sums, *named);
  return std::set<std::int64_t>(acting.begin(), acting.end());
}

bool same_equation(const RawConstraint& a, const RawConstraint& b) {
  return a.id == b.id && a.factors == b.factors && a.dependent_dofs == b.dependent_dofs &&
         a.independent_dofs == b.independent_dofs;
}

/// Removes the MPCs of sets that do not apply, and repeated ones.
void choose_equations(const ImportRequest& request, FileContents& all, Diagnostics& diagnostics) {
  std::set<std::int64_t> existing;
  for (const RawConstraint& element : all.rigid_elements)
    if (element.type == "MPC") existing.insert(element.id);
  const auto applicable = applicable_sets(request, all.constraint_sets, existing, diagnostics);
  std::map<Dof, std::vector<std::size_t>> kept_by_dof;
  std::vector<RawConstraint> kept;
  for (RawConstraint& element : all.rigid_elements) {
    if (element.type == "MPC") {
      if (applicable && !applicable->contains(element.id)) continue;
      if (!applicable) element.law = RawConstraint::Law::unknown;
      if (element.dependent_dofs.size() == 1) {  // the same equation may come from two files
        std::vector<std::size_t>& same = kept_by_dof[element.dependent_dofs.front()];
        if (std::any_of(same.begin(), same.end(), [&](std::size_t k) {
              return same_equation(kept[k], element);
            }))
          continue;
        same.push_back(kept.size());
      }
    }
    kept.push_back(std::move(element));
  }
  all.rigid_elements = std::move(kept);
}

/// Removes the independent node of an RBE2 from its dependent nodes, where it has no effect.
void remove_independent_from_dependent(FileContents& all, Diagnostics& diagnostics) {
  for (RawConstraint& element : all.rigid_elements)
    if (element.type == "RBE2" && element.independent.size() == 1 &&
        std::erase(element.dependent, element.independent.front()) > 0)
      diagnostics.warn("rigid-element",
                       fmt::format("{} names its independent node {} among the dependent ones: it "
                                   "is left out there",
                                   card_of(element),
                                   element.independent.front()));
}

/// Warns of RJOINTs between points that do not coincide; such a joint acts as a rigid body.
void warn_long_joints(const Gathered& gathered, Diagnostics& diagnostics) {
  const auto find_grid = [&](std::int64_t id) -> const Node* {
    const auto it = std::lower_bound(
        gathered.nodes.begin(), gathered.nodes.end(), id, [](const Node& n, std::int64_t wanted) {
          return n.id < wanted;
        });
    return it != gathered.nodes.end() && it->id == id ? &*it : nullptr;
  };
  constexpr double kCoincident = 1e-6;  // relative to the size of the model: the digits of a card
  double size = 0.0;
  for (const Node& node : gathered.nodes)
    size = std::max(size, node.position.cwiseAbs().maxCoeff());
  for (const RawConstraint& element : gathered.geometry.rigid_elements) {
    if (element.type != "RJOINT") continue;
    const Node* a = find_grid(element.independent.front());
    const Node* b = find_grid(element.dependent.front());
    if (a == nullptr || b == nullptr) continue;
    if (const double distance = (a->position - b->position).norm(); distance > kCoincident * size)
      diagnostics.warn(
          "rigid-element",
          fmt::format("{} joins nodes {} and {}, at a distance of {:.4g}: it is treated "
                      "as a rigid body",
                      card_of(element),
                      a->id,
                      b->id,
                      distance));
  }
}

/// Warns of rigid elements on grids that do not exist.
void warn_unknown_grids(const Gathered& gathered, Diagnostics& diagnostics) {
  if (gathered.nodes.empty()) return;
  std::set<std::int64_t> known(gathered.geometry.scalar_points.begin(),
                               gathered.geometry.scalar_points.end());
  for (const Node& node : gathered.nodes)
    known.insert(node.id);
  for (const RawConstraint& element : gathered.geometry.rigid_elements) {
    std::set<std::int64_t> missing;
    for (const auto* nodes : {&element.independent, &element.dependent})
      for (const std::int64_t id : *nodes)
        if (!known.contains(id) && !(element.type == "RIGID BODY" && id != element.id))
          missing.insert(id);
    if (missing.empty()) continue;
    const std::size_t more = missing.size() - 1;
    diagnostics.warn("unknown-grid",
                     fmt::format("{} names grid {}{}, which does not exist",
                                 card_of(element),
                                 *missing.begin(),
                                 more == 0 ? "" : fmt::format(" and {} more", more)));
  }
}

}  // namespace

std::vector<Dof> dependent_dofs(const RawConstraint& constraint) {
  if (!constraint.dependent_dofs.empty()) return constraint.dependent_dofs;
  std::vector<Dof> out;
  for (const std::int64_t id : constraint.dependent)
    for (const char c : constraint.components)
      out.push_back({id, static_cast<std::int8_t>(c - '0')});
  return out;
}

void resolve_constraints(const ImportRequest& request,
                         Gathered& gathered,
                         Diagnostics& diagnostics) {
  FileContents& all = gathered.geometry;
  choose_equations(request, all, diagnostics);
  remove_independent_from_dependent(all, diagnostics);
  warn_long_joints(gathered, diagnostics);
  const std::set<std::int64_t> scalar(all.scalar_points.begin(), all.scalar_points.end());
  for (RawConstraint& element : all.rigid_elements)
    for (auto* dofs : {&element.independent_dofs, &element.dependent_dofs})
      for (Dof& dof : *dofs)
        if (scalar.contains(dof.node)) dof.component = 0;
  for (const RawConstraint& element : all.rigid_elements)
    if (element.type != "RIGID BODY")
      for (const Dof& dof : dependent_dofs(element))
        gathered.dependent.push_back(dof);
  warn_unknown_grids(gathered, diagnostics);
}

}  // namespace femflex::importer
