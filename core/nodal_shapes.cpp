// Gives mode shapes with six rows for every node, translations in metres. Rows that the modes have
// are copied; the motion of DOFs that depend on other DOFs through rigid elements is computed from
// these.
#include "femflex/nodal_shapes.h"

#include <algorithm>
#include <set>

namespace femflex {

std::vector<const Dependence::Follower*> known_followers(const FeModel& model,
                                                         const Dependence& dependence,
                                                         const ModeSet& modes) {
  const std::set<Dof> fixed(model.fixed.begin(), model.fixed.end());
  const auto is_known = [&](const Dependence::RowTerm& term) {
    const Dof& dof = model.dofs[term.row];
    return modes.rows.find(dof) >= 0 || fixed.contains(dof);
  };
  std::vector<const Dependence::Follower*> out;
  for (const auto& [dof, follower] : dependence.followers())
    // `complete`: all DOFs on which this one depends lead to matrix rows or are fixed
    if (dof.component != 0 && follower.complete && modes.rows.find(dof) < 0 &&
        std::all_of(follower.rows.begin(), follower.rows.end(), is_known))
      out.push_back(&follower);
  return out;
}

Eigen::MatrixXd nodal_shapes(const FeModel& model, const ModeSet& modes, const Units& units) {
  Eigen::MatrixXd out =
      Eigen::MatrixXd::Zero(6 * static_cast<Eigen::Index>(model.nodes.size()), modes.count());
  for (std::int64_t row = 0; row < modes.rows.size(); ++row) {
    const Dof& dof = modes.rows[row];
    const Node* node = dof.component == 0 ? nullptr : find_node(model, dof.node);
    if (node == nullptr) continue;
    const double factor = dof.component <= 3 ? units.length : 1.0;
    out.row(6 * (node - model.nodes.data()) + dof.component - 1) = factor * modes.shapes.row(row);
  }
  const Dependence dependence(model);
  for (const Dependence::Follower* follower : known_followers(model, dependence, modes)) {
    const Dof& dof = follower->dof;
    const Node* node = find_node(model, dof.node);
    if (node == nullptr) continue;
    const double factor = dof.component <= 3 ? units.length : 1.0;
    auto to = out.row(6 * (node - model.nodes.data()) + dof.component - 1);
    for (const Dependence::RowTerm& term : follower->rows)
      if (const std::int64_t row = modes.rows.find(model.dofs[term.row]); row >= 0)
        to += factor * term.factor * modes.shapes.row(row);
  }
  return out;
}

}  // namespace femflex
