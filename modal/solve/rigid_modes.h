#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include "solve/shifted_factor.h"

namespace femflex::modal {

/// Motions that K does not resist, M-orthonormal, near those of T: exact rigid modes. Empty where
/// there are none. The factor is used only where the positions behind T have fewer digits than K.
/// docs/theory/modal.md eq. (27).
/// @param motions  rigid motions by the positions of the nodes (unknowns x 6), of the whole or of
///                 each part
Eigen::MatrixXd rigid_modes(ShiftedFactor& factor, const std::vector<Eigen::MatrixXd>& motions);

/// Combinations of the motions T that K does not resist, M-orthonormal; nothing where the positions
/// behind T have too few digits to tell.
std::optional<Eigen::MatrixXd> unresisted_motions(const SparseMatrix& K,
                                                  const SparseMatrix& M,
                                                  const Eigen::MatrixXd& T);

}  // namespace femflex::modal
