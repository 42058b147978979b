// Finds all eigenpairs of a small model by dense matrices, even if M is singular.
#pragma once

#include <cstdint>
#include <optional>

#include <Eigen/Core>

#include "femflex/sparse.h"

namespace femflex::modal {

/// Computes all finite eigenvalues of a pencil small enough for dense matrices, in ascending order,
/// and the eigenvectors of the lowest ones, with X' M X = 1.
///
/// M may be semidefinite, with empty rows (rotations of lumped models) or without them (a row of
/// masses on a rigid element has no inertia about its own line). Motions without mass follow
/// statically. docs/theory/modal.md eq. (31), (32).
/// @param lowest  number of eigenvectors wanted; absent: all
/// @throws ModelError      M is indefinite, or K for motions without mass
/// @throws NumericalError  "singular": a motion has neither stiffness nor mass
void dense_pairs(const SparseMatrix& K,
                 const SparseMatrix& M,
                 std::optional<Eigen::Index> lowest,
                 Eigen::VectorXd& lambda,
                 Eigen::MatrixXd& X);

/// Number of finite eigenvalues, or an upper limit of it: the rank of M if its rows fall into small
/// groups (lumped masses), else the number of rows that are not empty.
/// @throws ModelError  M is indefinite
std::int64_t dofs_with_mass(const SparseMatrix& M);

}  // namespace femflex::modal
