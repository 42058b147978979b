// Finds contradictions among rigid elements and supports, first by the DOFs named on the cards,
// then by the assembled equations.
#include "model/constraint_checks.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::importer {
namespace {

/// Reports contradictions: throws or, with `force`, warns.
class ContradictionCheck {
 public:
  ContradictionCheck(const Gathered& gathered,
                     const FeModel& model,
                     const Constraints& constraints,
                     bool force,
                     Diagnostics& diagnostics)
      : gathered_(gathered),
        model_(model),
        constraints_(constraints),
        force_(force),
        diagnostics_(diagnostics) {}

  /// Checks the DOFs as the cards name them, along the axes of their nodes.
  void check_cards(const std::vector<Dof>& rows) {
    const std::set<Dof> row_set(rows.begin(), rows.end());
    const std::vector<RawConstraint>& elements = gathered_.geometry.rigid_elements;
    for (std::size_t k = 0; k < elements.size(); ++k) {
      const auto at = static_cast<std::int64_t>(k);
      const bool has_no_equation =
          constraints_.refused.contains(at) && !constraints_.contradicting.contains(at);
      if (elements[k].law == RawConstraint::Law::unknown || has_no_equation) continue;
      for (const Dof& dof : dependent_dofs(elements[k])) {
        if (!row_set.contains(dof) || leads_itself(elements[k], dof)) continue;
        const auto [it, is_new] = dependent_.emplace(dof, at);
        if (!is_new) report_double(dof, it->second, at);
      }
    }
    for (const Dof& dof : gathered_.geometry.fixed)
      if (const auto it = dependent_.find(dof); it != dependent_.end())
        report(it->second,
               fmt::format("DOF {} depends on {} and is fixed by a single-point constraint",
                           to_string(dof),
                           card(it->second)),
               "leave it out of the SPC, or fix the DOFs that it depends on");
  }

  /// Finds contradictions that only the equations together show.
  void check_equations(const Dependence& dependence) {
    for (const Dependence::Clash& clash : dependence.clashes())
      report_double(clash.dof, clash.first, clash.second);
    for (const std::int64_t k : constraints_.contradicting)
      if (has_row(k))
        report(k,
               constraints_.refused.at(k),
               "name other dependent components on one of the cards of the node");
    std::vector<std::int64_t> cycle;
    Dof first;
    for (const auto& [dof, follower] : dependence.followers())
      if (follower.is_cyclic && follower.row >= 0) {
        if (cycle.empty()) first = dof;
        if (std::find(cycle.begin(), cycle.end(), follower.element) == cycle.end())
          cycle.push_back(follower.element);
      }
    if (!cycle.empty())
      report(
          cycle.front(),
          fmt::format(
              "rigid elements form a cycle at {}: {}", to_string(first), cards_of(model_, cycle)),
          "make one of their nodes independent: reverse or leave out one of the cards");
  }

  /// Warns of the first DOF that depends on a DOF without a row, and so does not move. Where no DOF
  /// of its leaders has a row, a smaller model leaves out both, and nothing is said.
  void check_leaders(const Dependence& dependence) {
    for (const auto& [dof, follower] : dependence.followers()) {
      if (follower.is_cyclic || follower.complete) continue;
      if (follower.row < 0 && follower.rows.empty()) continue;
      const RigidElement& element =
          model_.rigid_elements[static_cast<std::size_t>(follower.element)];
      const bool is_body = is_rigid_body(element.type);
      diagnostics_.warn("leader-without-row",
                        fmt::format("{}: {} does not move: it follows {}, which is not in the "
                                    "matrices; {}",
                                    card_of(element),
                                    to_string(dof),
                                    to_string(follower.missing),
                                    is_body ? "give the rotations a node of their own (*RIGID "
                                              "BODY, ROT NODE=)"
                                            : "export matrices of the independent DOFs (KLL, "
                                              "KAA)"));
      return;
    }
  }

 private:
  /// True if `dof` is at the reference node of a *RIGID BODY, which may list it as dependent.
  static bool leads_itself(const RawConstraint& element, const Dof& dof) {
    return element.type == "RIGID BODY" && !element.independent.empty() &&
           element.independent.front() == dof.node;
  }
  std::string card(std::int64_t element) const {
    return card_of(model_.rigid_elements[static_cast<std::size_t>(element)]);
  }
  /// True if a dependent DOF of the element has a row in the matrices.
  bool has_row(std::int64_t element) const {
    if (element >= static_cast<std::int64_t>(gathered_.geometry.rigid_elements.size()))
      return false;
    const RawConstraint& raw = gathered_.geometry.rigid_elements[static_cast<std::size_t>(element)];
    const std::vector<Dof> dofs = dependent_dofs(raw);
    return std::any_of(
        dofs.begin(), dofs.end(), [&](const Dof& dof) { return model_.dofs.find(dof) >= 0; });
  }
  /// Reports a DOF that two elements, or one element twice, make dependent.
  void report_double(const Dof& dof, std::int64_t first, std::int64_t second) {
    const std::string a = card(first);
    const std::string b = card(second);
    if (first == second)
      report(first,
             fmt::format("{} makes DOF {} dependent twice", a, to_string(dof)),
             "name it once on the card");
    else
      report(second,
             a == b ? fmt::format("DOF {} depends on two equations of {}", to_string(dof), a)
                    : fmt::format("DOF {} depends on {} and on {}", to_string(dof), a, b),
             "leave it out of one of them, or make another DOF dependent there");
  }
  /// File and card of an element.
  Where where(std::int64_t element) const {
    Where out;
    const RigidElement& wanted = model_.rigid_elements[static_cast<std::size_t>(element)];
    out.record = card_of(wanted);
    for (const FileContents& file : gathered_.files)
      for (const RawConstraint& candidate : file.rigid_elements)
        if (out.file.empty() && candidate.id == wanted.id && candidate.type == wanted.type)
          out.file = file.path;
    return out;
  }
  void report(std::int64_t element, const std::string& message, const std::string& remedy) {
    if (!force_) throw ModelError("rigid-element", message, where(element), remedy);
    diagnostics_.warn("rigid-element", message + "; " + remedy, where(element));
  }

  const Gathered& gathered_;
  const FeModel& model_;
  const Constraints& constraints_;
  bool force_;
  Diagnostics& diagnostics_;
  std::map<Dof, std::int64_t> dependent_;  // element that makes each DOF dependent
};

}  // namespace

void refuse_contradictions(const Gathered& gathered,
                           const Matrices& matrices,
                           const Constraints& constraints,
                           const FeModel& model,
                           bool force,
                           Diagnostics& diagnostics) {
  const Dependence dependence(model);
  ContradictionCheck check(gathered, model, constraints, force, diagnostics);
  check.check_cards(matrices.local);
  check.check_equations(dependence);
  check.check_leaders(dependence);
}

}  // namespace femflex::importer
