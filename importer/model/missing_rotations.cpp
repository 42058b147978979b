// Compares the rows of the matrices with those of the shapes: a file may give translations alone
// for nodes that turn, such as those of shells and beams.
#include "model/missing_rotations.h"

#include <set>

namespace femflex::importer {

std::vector<Dof> missing_rotations(const FeModel& model) {
  std::vector<Dof> out;
  const DofMap& shapes = model.modes.rows;
  const auto has_translation = [&](std::int64_t node) {
    return shapes.find({node, 1}) >= 0 || shapes.find({node, 2}) >= 0 ||
           shapes.find({node, 3}) >= 0;
  };
  std::set<Dof> fixed;
  Eigen::VectorXd weight;  // zero where a row of K and M is empty
  for (std::int64_t row = 0; row < model.dofs.size(); ++row) {
    const Dof& dof = model.dofs[row];
    if (dof.component < 4 || shapes.find(dof) >= 0 || !has_translation(dof.node)) continue;
    if (weight.size() == 0) {  // only now: most shapes lack no rotation
      fixed.insert(model.fixed.begin(), model.fixed.end());
      weight = Eigen::VectorXd::Zero(model.dofs.size());
      for (const auto* matrix : {&model.stiffness, &model.mass})
        if (*matrix) weight += (*matrix)->diagonal().cwiseAbs();
    }
    if (weight(row) != 0.0 && !fixed.contains(dof)) out.push_back(dof);
  }
  return out;
}

}  // namespace femflex::importer
