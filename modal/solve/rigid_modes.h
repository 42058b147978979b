// Finds the rigid-body modes of a model from the positions of its nodes.
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include "solve/shifted_factor.h"

namespace femflex::modal {

/// The exact rigid modes: zero-energy motions of K near the given motions, M-orthonormal. No
/// columns if there are none. `factor` is used only if the node positions have fewer digits than K.
/// docs/theory/modal.md eq. (27).
/// @param motions  rigid motions from the positions of the nodes (unknowns x 6), of the whole or of
/// each part
Eigen::MatrixXd rigid_modes(ShiftedFactor& factor, const std::vector<Eigen::MatrixXd>& motions);

/// Combinations of the motions T that K does not resist, M-orthonormal; absent if the node
/// positions from which T was made have too few digits.
std::optional<Eigen::MatrixXd> zero_energy_motions(const SparseMatrix& K,
                                                   const SparseMatrix& M,
                                                   const Eigen::MatrixXd& T);

}  // namespace femflex::modal
