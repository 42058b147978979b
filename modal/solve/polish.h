// Improves eigenpairs whose residual is too large after a computation in double precision.
#pragma once

#include <Eigen/Core>

#include "femflex/sparse.h"

#include "solve/shifted_factor.h"

namespace femflex::modal {

/// Sorts the pairs from column `first` on by ascending eigenvalue.
void sort_pairs(Eigen::Index first, Eigen::VectorXd& lambda, Eigen::MatrixXd& X);

/// Improves the pairs from column `first` on if their residual exceeds `goal`; K phi is computed
/// with twice the digits of a double. First phi is rounded so that its residual falls; if that is
/// not enough, one or two corrections follow.
/// docs/theory/modal.md eq. (33), (34).
/// @param factor  holds K - sigma M, sigma below the pairs; if it is above them and in single
///                precision, they are only rounded
/// @param X       M-orthonormal; columns before `first` are rigid modes (lambda zero)
/// @return        remaining residuals from column `first` on, as defined by worst_residual()
Eigen::VectorXd polish_pairs(const ShiftedFactor& factor,
                             double goal,
                             Eigen::Index first,
                             Eigen::VectorXd& lambda,
                             Eigen::MatrixXd& X);

/// Largest |K x - lambda M x| / |K x| over the pairs that store energy, free of the round-off of
/// its own evaluation.
double worst_residual(const SparseMatrix& K,
                      const SparseMatrix& M,
                      const Eigen::VectorXd& lambda,
                      const Eigen::MatrixXd& X,
                      int threads = 1);

}  // namespace femflex::modal
