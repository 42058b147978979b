#pragma once

#include <Eigen/Core>

#include "femflex/fe_model.h"

namespace femflex {

/// What K leaves of the rigid motions of a model, free of units:
///
///     |K R| = max_ij |(K R)_i| / s_i / max_i (s_i |R_ij|)
///
/// with s_i^2 the largest k_ii of the translations, of the rotations or of the scalar points, as
/// row i is one of them: a change of the unit of length scales numerator and denominator alike,
/// where one norm of all of K would weigh rotations in N mm a thousand times those in N m.
/// docs/theory/import.md, Proofs.
struct RigidResidual {
  double value = 0.0;
  Eigen::Index row = 0;  ///< of FeModel::dofs, where it is largest
  int motion = 0;        ///< translations x y z, rotations x y z about the middle of the nodes
};

/// @param model  with a stiffness matrix
RigidResidual rigid_residual(const FeModel& model);

}  // namespace femflex
