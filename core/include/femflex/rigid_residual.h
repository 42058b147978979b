// Checks a stiffness matrix: rigid-body motions must cause no forces.
#pragma once

#include <Eigen/Core>

#include "femflex/fe_model.h"

namespace femflex {

/// Residual forces of K under the rigid motions of a model, dimensionless:
///
///     |K R| = max_ij |(K R)_ij| / (s_i max_l (s_l |R_lj|))
///
/// where s_i^2 is the largest k_ii among the DOFs of the same kind as row i (translations,
/// rotations or scalar points). A change of the unit of length then scales numerator and
/// denominator alike; a single norm of all of K would weigh rotations in N mm a thousand times
/// those in N m. docs/theory/import.md, Proofs.
struct RigidResidual {
  double value = 0.0;
  Eigen::Index row = 0;  ///< row of FeModel::dofs where the residual is largest
  int motion = 0;        ///< translations x y z, rotations x y z about the middle of the nodes
};

/// @param model  with a stiffness matrix
RigidResidual rigid_residual(const FeModel& model);

}  // namespace femflex
