#pragma once

#include <Eigen/Core>

#include "femflex/sparse.h"

#include "solve/shifted_factor.h"

namespace femflex::modal {

/// Mends the pairs from column `first` on whose residual, with K phi in twice the digits, exceeds
/// `goal`: by the rounding of phi and, where that is not enough, by one or two corrections.
/// docs/theory/modal.md eq. (33), (34).
/// @param factor  holds K - sigma M, sigma below the pairs
/// @param X       M-orthonormal; rigid modes (lambda zero) before `first`
/// @return        largest residual that is left, as worst_residual() would find it
double polish_pairs(const ShiftedFactor& factor,
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
