// Block Davidson method: finds the lowest eigenpairs of K x = lambda M x with a factor of
// K - sigma M that is only rough.
#pragma once

#include <cstdint>

#include <Eigen/Core>

#include "femflex/progress.h"

#include "solve/block_lanczos.h"
#include "solve/shifted_factor.h"

namespace femflex::modal {

struct DavidsonOptions {
  int block = 8;  ///< columns per block
  /// largest |K x - lambda M x| / (|K x| + |negligible M x|) of a converged pair
  double residual = 5e-10;
  double negligible = 0.0;  ///< size of an eigenvalue that counts as zero, with which residuals of
                            ///< motions without strain energy are compared
  bool needs_next = true;   ///< true: RitzPairs::next_above is wanted
  unsigned seed = 1;
};

/// Number of vectors that block_davidson() keeps from step to step.
Eigen::Index davidson_vectors(std::int64_t count, const DavidsonOptions& options);

/// Block Davidson method [Davidson 1975], [Morgan 1986] in the M inner product. Where
/// block_lanczos() asks for solutions to the last digit, this method takes residuals with K and M
/// themselves, so that errors of the factor cost steps and no digits. docs/theory/modal.md eq.
/// (47), (48).
/// @param factor  holds K - sigma M, perhaps in single precision, with sigma below the wanted
/// pairs,
///                among them or just above them
/// @param locked  M-orthonormal vectors to which all others are kept orthogonal
/// @return        `converged` is false if the pairs did not: the factor is too rough, or they lie
///                too close to a sigma below them
RitzPairs block_davidson(const ShiftedFactor& factor,
                         std::int64_t count,
                         const Eigen::MatrixXd& locked,
                         const DavidsonOptions& options,
                         Progress& progress);

}  // namespace femflex::modal
