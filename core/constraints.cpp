// Resolves the constraint equations of an FE model: expresses the displacement of each dependent
// DOF by those of DOFs that have a row in the mass and stiffness matrices. A depth-first search
// with an explicit stack follows chains of dependent DOFs. DOFs in a cycle, or dependent on one,
// are marked.
#include "femflex/constraints.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "femflex/listed.h"

namespace femflex {
namespace {

/// True if the first independent node moves all dependent nodes as one rigid body.
bool has_one_leader(const RigidElement& element) {
  return !element.independent.empty() &&
         (element.type == "RIGID BODY" ||
          (element.type == "RBE2" && element.independent.size() == 1));
}

/// Appends the equations u_P = u_I + theta_I x (P - I) and theta_P = theta_I (small rotations) of
/// rigid element k, one per component.
void add_rigid_rule(const FeModel& model, std::size_t k, std::vector<ConstraintEquation>& out) {
  const RigidElement& element = model.rigid_elements[k];
  const std::int64_t leader = element.independent.front();
  const Node* from = find_node(model, leader);
  if (from == nullptr) return;
  for (const std::int64_t id : element.dependent) {
    const Node* node = id == leader ? nullptr : find_node(model, id);
    if (node == nullptr) continue;
    const Eigen::Matrix3d lever = -cross_matrix(node->position - from->position);
    for (const char letter : element.components) {
      if (letter < '1' || letter > '6') continue;
      const auto component = static_cast<std::int8_t>(letter - '0');
      ConstraintEquation equation{
          {id, component}, {{{leader, component}, 1.0}}, static_cast<std::int64_t>(k)};
      for (int axis = 0; component <= 3 && axis < 3; ++axis)
        if (lever(component - 1, axis) != 0.0)
          equation.terms.push_back(
              {{leader, static_cast<std::int8_t>(4 + axis)}, lever(component - 1, axis)});
      out.push_back(std::move(equation));
    }
  }
}

/// True if the matrices have a row of a DOF that the element makes dependent.
bool has_dependent_rows(const FeModel& model, const RigidElement& element) {
  for (const std::int64_t id : element.dependent) {
    if (model.dofs.find({id, 0}) >= 0) return true;
    for (const char letter : element.components)
      if (letter >= '1' && letter <= '6' &&
          model.dofs.find({id, static_cast<std::int8_t>(letter - '0')}) >= 0)
        return true;
  }
  return false;
}

}  // namespace

Dependence::Dependence(const FeModel& model) {
  if (model.rigid_elements.empty()) return;
  std::vector<bool> has_equation(model.rigid_elements.size(), false);
  for (const ConstraintEquation& equation : model.constraints)
    has_equation[static_cast<std::size_t>(equation.element)] = true;
  std::vector<ConstraintEquation> derived;
  for (std::size_t k = 0; k < has_equation.size(); ++k) {
    if (has_equation[k]) continue;
    const std::size_t before = derived.size();
    if (has_one_leader(model.rigid_elements[k])) add_rigid_rule(model, k, derived);
    if (derived.size() == before && has_dependent_rows(model, model.rigid_elements[k]))
      unapplied_.push_back(static_cast<std::int64_t>(k));
  }
  Equations equations;
  for (const auto* list : {&std::as_const(derived), &model.constraints})
    for (const ConstraintEquation& equation : *list) {
      // The first of two equations holds. Of a DOF without a row this is not told: its rows were
      // taken out by the FE code, which knew both, and only the motion recovered here may differ.
      const auto [it, is_new] = equations.emplace(equation.dependent, &equation);
      if (!is_new && model.dofs.find(equation.dependent) >= 0)
        clashes_.push_back({equation.dependent, it->second->element, equation.element});
    }
  follow_chains(model, equations);
}

// Follows chains with an explicit stack: a chain may be as long as the model.
void Dependence::follow_chains(const FeModel& model, const Equations& equations) {
  const std::set<Dof> fixed(model.fixed.begin(), model.fixed.end());
  std::set<Dof> done;
  std::vector<Dof> to_resolve;
  for (const auto& [first, unused] : equations) {
    to_resolve.push_back(first);
    while (!to_resolve.empty()) {
      const Dof dof = to_resolve.back();
      const ConstraintEquation& equation = *equations.at(dof);
      const auto [entry, is_new] = followers_.try_emplace(dof);
      if (is_new) {
        // provisional: a DOF met again before it is resolved is cyclic
        entry->second.is_cyclic = true;
        for (const ConstraintEquation::Term& term : equation.terms)
          if (equations.contains(term.dof) && !followers_.contains(term.dof))
            to_resolve.push_back(term.dof);
        if (to_resolve.back() != dof) continue;
      }
      to_resolve.pop_back();
      if (done.insert(dof).second) resolve(model, equations, fixed, equation, entry->second);
    }
  }
}

void Dependence::resolve(const FeModel& model,
                         const Equations& equations,
                         const std::set<Dof>& fixed,
                         const ConstraintEquation& equation,
                         Follower& out) const {
  out.element = equation.element;
  out.dof = equation.dependent;
  out.is_support = model.rigid_elements[static_cast<std::size_t>(equation.element)].type == "SPC";
  out.row = model.dofs.find(equation.dependent);
  bool is_cyclic = false;
  for (const ConstraintEquation::Term& term : equation.terms) {
    if (equations.contains(term.dof)) {
      const Follower& leader = *find(term.dof);
      if (leader.is_cyclic) {
        is_cyclic = true;
        out.complete = false;
        out.missing = term.dof;
        continue;
      }
      for (const RowTerm& inner : leader.rows)
        out.rows.push_back({inner.row, term.factor * inner.factor});
      if (!leader.complete) {
        out.complete = false;
        out.missing = leader.missing;
      }
      continue;
    }
    if (const std::int64_t row = model.dofs.find(term.dof); row >= 0) {
      out.rows.push_back({row, term.factor});
    } else if (!fixed.contains(term.dof)) {
      out.complete = false;
      out.missing = term.dof;
    }
  }
  out.is_cyclic = is_cyclic;
  std::sort(out.rows.begin(), out.rows.end(), [](const RowTerm& a, const RowTerm& b) {
    return a.row < b.row;
  });
  std::size_t kept = 0;
  for (const RowTerm& term : out.rows) {
    if (kept > 0 && out.rows[kept - 1].row == term.row)
      out.rows[kept - 1].factor += term.factor;
    else
      out.rows[kept++] = term;
  }
  out.rows.resize(kept);
}

const Dependence::Follower* Dependence::find(const Dof& dof) const {
  const auto it = followers_.find(dof);
  return it == followers_.end() ? nullptr : &it->second;
}

const Dependence::Follower* Dependence::find_node(std::int64_t node) const {
  for (auto it = followers_.lower_bound({node, 0});
       it != followers_.end() && it->first.node == node;
       ++it)
    if (!it->second.is_support) return &it->second;
  return nullptr;
}

std::string card_of(const RigidElement& element) {
  return fmt::format("{} {}{}", element.type, element.type == "SPC" ? "at node " : "", element.id);
}

namespace {

/// "node 4" or "nodes 4, 5, 6", with at most kMaxListed names.
std::string with_noun(const char* noun, const std::vector<std::string>& names) {
  constexpr std::size_t kMaxListed = 8;
  return fmt::format("{}{} {}", noun, names.size() > 1 ? "s" : "", listed(names, kMaxListed));
}

}  // namespace

std::string leaders_of(const FeModel& model, const Dependence::Follower& follower) {
  std::vector<std::string> other_nodes;
  std::vector<std::string> same_node;
  const auto add = [](std::vector<std::string>& to, std::string name) {
    if (std::find(to.begin(), to.end(), name) == to.end()) to.push_back(std::move(name));
  };
  for (const Dependence::RowTerm& term : follower.rows) {
    const Dof& dof = model.dofs[term.row];
    if (dof.node == follower.dof.node)
      add(same_node, to_string(dof));
    else
      add(other_nodes, std::to_string(dof.node));
  }
  if (!follower.complete && other_nodes.empty() && follower.missing.node != follower.dof.node)
    add(other_nodes, std::to_string(follower.missing.node));
  if (!other_nodes.empty()) return with_noun("node", other_nodes);
  return same_node.empty() ? "nothing that moves" : with_noun("DOF", same_node);
}

std::string cards_of(const FeModel& model, const std::vector<std::int64_t>& elements) {
  constexpr std::size_t kMaxListed = 8;
  std::vector<std::string> names;  // the equations of one MPC set share a name
  for (const std::int64_t k : elements) {
    std::string name = card_of(model.rigid_elements[static_cast<std::size_t>(k)]);
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
    if (names.size() > kMaxListed) break;
  }
  std::string text;
  for (std::size_t k = 0; k < std::min(kMaxListed, names.size()); ++k)
    text += (k == 0 ? "" : ", ") + names[k];
  if (names.size() > kMaxListed) text += " and more";
  return text;
}

}  // namespace femflex
