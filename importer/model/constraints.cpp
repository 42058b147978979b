// Decides which multipoint constraints apply, and which DOFs they and the rigid elements make
// dependent.
#include "model/constraints.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "femflex/constraints.h"
#include "femflex/errors.h"

namespace femflex::importer {
namespace {

std::string numbers(const std::set<std::int64_t>& ids) {
  std::string text;
  for (const std::int64_t id : ids)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", id);
  return text;
}

/// Resolves MPCADD, which combines MPC sets but not other MPCADDs, because NASTRAN refuses those.
std::set<std::int64_t> with_sums(const RawConstraintSets& sets,
                                 const std::set<std::int64_t>& there,
                                 const std::set<std::int64_t>& named,
                                 Diagnostics& diagnostics) {
  std::set<std::int64_t> out = named;
  for (const std::int64_t id : named) {
    const auto it = sets.sums.find(id);
    if (it == sets.sums.end()) continue;
    for (const std::int64_t part : it->second) {
      if (sets.sums.contains(part))
        throw ModelError("mpc-set",
                         part == id ? fmt::format("MPCADD {} names itself", id)
                                    : fmt::format("MPCADD {} names {}, another MPCADD", id, part),
                         {},
                         "name the sets of MPC cards themselves");
      if (!there.contains(part))
        diagnostics.warn("mpc-set",
                         fmt::format("MPCADD {} names MPC set {}, which does not exist", id, part));
      out.insert(part);
    }
  }
  return out;
}

/// The sets that apply, with MPCADDs resolved; empty if this cannot be determined.
std::optional<std::set<std::int64_t>> sets_that_hold(const ImportRequest& request,
                                                     const RawConstraintSets& sets,
                                                     const std::set<std::int64_t>& there,
                                                     Diagnostics& diagnostics) {
  std::set<std::int64_t> named;
  std::set<std::int64_t> summed;
  for (const auto& [id, parts] : sets.sums)
    summed.insert(parts.begin(), parts.end());
  std::set<std::int64_t> outermost;
  for (const std::int64_t id : there)
    if (!summed.contains(id)) outermost.insert(id);
  for (const auto& [id, parts] : sets.sums)
    outermost.insert(id);
  const auto known = [&](std::int64_t id) { return there.contains(id) || sets.sums.contains(id); };
  if (request.mpc) {
    if (!known(*request.mpc))
      throw UsageError("no-such-set",
                       fmt::format("the files hold no MPC set {}", *request.mpc),
                       {},
                       there.empty() ? "leave out --mpc" : "they hold " + numbers(outermost));
    named.insert(*request.mpc);
  } else if (!sets.chosen.empty()) {
    const std::int64_t first = sets.chosen.front();
    for (const std::int64_t set : sets.chosen)
      if (set != first)
        diagnostics.warn("mpc-set",
                         fmt::format("the case control chooses MPC sets {} and {}: {} is taken "
                                     "(--mpc takes another one)",
                                     first,
                                     set,
                                     first));
    if (!known(first))
      diagnostics.warn(
          "mpc-set",
          fmt::format("the case control chooses MPC set {}, which does not exist", first));
    named.insert(first);
  } else if (sets.case_control) {
    if (!there.empty())
      diagnostics.warn(
          "mpc-set",
          fmt::format("the case control does not choose any of the MPC sets {}: none is used "
                      "(--mpc takes one)",
                      numbers(outermost)));
  } else if (outermost.size() == 1) {
    named = outermost;
  } else if (!outermost.empty()) {
    diagnostics.warn(
        "mpc-set",
        fmt::format("it is not known which of the MPC sets {} applies: none is applied; name "
                    "it by --mpc",
                    numbers(outermost)));
    return std::nullopt;
  }
  return with_sums(sets, there, named, diagnostics);
}

bool same_equation(const RawConstraint& a, const RawConstraint& b) {
  return a.id == b.id && a.factors == b.factors && a.dependent_dofs == b.dependent_dofs &&
         a.independent_dofs == b.independent_dofs;
}

void choose_equations(const ImportRequest& request, FileContents& all, Diagnostics& diagnostics) {
  std::set<std::int64_t> there;
  for (const RawConstraint& element : all.rigid_elements)
    if (element.type == "MPC") there.insert(element.id);
  const auto hold = sets_that_hold(request, all.constraint_sets, there, diagnostics);
  std::map<Dof, std::vector<std::size_t>> seen;
  std::vector<RawConstraint> kept;
  for (RawConstraint& element : all.rigid_elements) {
    if (element.type == "MPC") {
      if (hold && !hold->contains(element.id)) continue;
      if (!hold) element.law = RawConstraint::Law::unknown;
      if (element.dependent_dofs.size() == 1) {  // the same equation may come from two files
        std::vector<std::size_t>& same = seen[element.dependent_dofs.front()];
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

/// Removes the reference node from bodies that list it among their own nodes; that entry has no
/// effect.
void drop_own_leaders(FileContents& all, Diagnostics& diagnostics) {
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
void name_long_joints(const Gathered& gathered, Diagnostics& diagnostics) {
  const auto place = [&](std::int64_t id) -> const Node* {
    const auto it = std::lower_bound(
        gathered.nodes.begin(), gathered.nodes.end(), id, [](const Node& n, std::int64_t wanted) {
          return n.id < wanted;
        });
    return it != gathered.nodes.end() && it->id == id ? &*it : nullptr;
  };
  constexpr double kCoincident = 1e-6;  // of the model's size: the digits of a card
  double size = 0.0;
  for (const Node& node : gathered.nodes)
    size = std::max(size, node.position.cwiseAbs().maxCoeff());
  for (const RawConstraint& element : gathered.geometry.rigid_elements) {
    if (element.type != "RJOINT") continue;
    const Node* a = place(element.independent.front());
    const Node* b = place(element.dependent.front());
    if (a == nullptr || b == nullptr) continue;
    if (const double apart = (a->position - b->position).norm(); apart > kCoincident * size)
      diagnostics.warn("rigid-element",
                       fmt::format("{} joins nodes {} and {}, which are {:.4g} apart: taken as a "
                                   "rigid body between them",
                                   card_of(element),
                                   a->id,
                                   b->id,
                                   apart));
  }
}

void name_unknown_grids(const Gathered& gathered, Diagnostics& diagnostics) {
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
  drop_own_leaders(all, diagnostics);
  name_long_joints(gathered, diagnostics);
  const std::set<std::int64_t> scalar(all.scalar_points.begin(), all.scalar_points.end());
  for (RawConstraint& element : all.rigid_elements)
    for (auto* dofs : {&element.independent_dofs, &element.dependent_dofs})
      for (Dof& dof : *dofs)
        if (scalar.contains(dof.node)) dof.component = 0;
  for (const RawConstraint& element : all.rigid_elements)
    if (element.type != "RIGID BODY")
      for (const Dof& dof : dependent_dofs(element))
        gathered.dependent.push_back(dof);
  name_unknown_grids(gathered, diagnostics);
}

}  // namespace femflex::importer
