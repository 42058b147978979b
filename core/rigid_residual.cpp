// Checks that rigid-body motions of an FE model cause no forces: multiplies K by the six motions R
// and finds the largest force, relative to the stiffness of the same kind of DOF.
#include "femflex/rigid_residual.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "femflex/mean_position.h"

namespace femflex {
namespace {

/// 0 scalar point, 1 translation, 2 rotation: within a kind all stiffnesses have the same unit.
std::size_t kind_of(const Dof& dof) {
  return dof.component == 0 ? 0 : dof.component <= 3 ? 1 : 2;
}

/// Per row: square root of the largest diagonal entry among the rows of its kind.
Eigen::VectorXd scales(const FeModel& model) {
  const Eigen::VectorXd diagonal = model.stiffness->diagonal();
  std::array<double, 3> largest{};
  for (Eigen::Index row = 0; row < diagonal.size(); ++row) {
    double& of_kind = largest[kind_of(model.dofs[row])];
    of_kind = std::max(of_kind, std::abs(diagonal(row)));
  }
  Eigen::VectorXd out(diagonal.size());
  for (Eigen::Index row = 0; row < diagonal.size(); ++row)
    out(row) = std::sqrt(largest[kind_of(model.dofs[row])]);
  return out;
}

}  // namespace

RigidResidual rigid_residual(const FeModel& model) {
  const Eigen::Matrix<double, Eigen::Dynamic, 6> R =
      rigid_body_shapes(model, model.dofs, mean_position(model.nodes));
  const Eigen::Matrix<double, Eigen::Dynamic, 6> force =
      model.stiffness->selfadjointView<Eigen::Lower>() * R;
  const Eigen::VectorXd s = scales(model);
  RigidResidual out;
  for (int j = 0; j < 6; ++j) {
    const double motion = s.cwiseProduct(R.col(j)).cwiseAbs().maxCoeff();
    if (!(motion > 0.0)) continue;
    for (Eigen::Index i = 0; i < s.size(); ++i) {
      if (force(i, j) == 0.0) continue;
      // infinite if a row carries a force although its kind has no diagonal stiffness
      const double value = std::abs(force(i, j)) / (s(i) * motion);
      if (!(value <= out.value)) out = {value, i, j};
    }
  }
  return out;
}

}  // namespace femflex
