#pragma once

#include <Eigen/Core>

#include "femflex/sparse.h"

#include "solve/shifted_factor.h"

namespace femflex::modal {

/// One or two corrections of the pairs from column `first` on whose residual exceeds `goal`, with
/// K phi in twice the digits. What is left then is the rounding of phi itself.
/// docs/theory/modal.md eq. (33), (34).
/// @param factor  holds K - sigma M, sigma below the pairs
/// @param X       M-orthonormal; rigid modes (lambda zero) before `first`
void polish_pairs(const ShiftedFactor& factor,
                  double goal,
                  Eigen::Index first,
                  Eigen::VectorXd& lambda,
                  Eigen::MatrixXd& X);

/// Largest |K x - lambda M x| / |K x| over the pairs that store energy, free of the round-off of
/// its own evaluation.
double worst_residual(const SparseMatrix& K,
                      const SparseMatrix& M,
                      const Eigen::VectorXd& lambda,
                      const Eigen::MatrixXd& X);

}  // namespace femflex::modal
