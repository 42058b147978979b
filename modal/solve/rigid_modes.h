#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include "solve/shifted_factor.h"

namespace femflex::modal {

/// Zero-energy motions of K, M-orthonormal, near those of T: exact rigid modes. Empty where
/// there are none. The factor is used only where T comes from positions of fewer digits than K.
/// docs/theory/modal.md eq. (27).
/// @param motions  rigid motions by the positions of the nodes (unknowns x 6), of the whole or of
///                 each part
Eigen::MatrixXd rigid_modes(ShiftedFactor& factor, const std::vector<Eigen::MatrixXd>& motions);

/// Combinations of the motions T that K does not resist, M-orthonormal; empty where the positions
/// that T comes from have too few digits.
std::optional<Eigen::MatrixXd> zero_energy_motions(const SparseMatrix& K,
                                                   const SparseMatrix& M,
                                                   const Eigen::MatrixXd& T);

}  // namespace femflex::modal
