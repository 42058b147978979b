// Lanczos eigensolvers: find the lowest eigenpairs of K x = lambda M x from a factorisation of
// K - sigma M.
#pragma once

#include <cstdint>

#include <Eigen/Core>

#include "femflex/progress.h"

#include "solve/shifted_factor.h"

namespace femflex::modal {

/// Eigenpairs nearest to the shift, above it or on both sides, as a solver finds them. It may have
/// missed some.
struct RitzPairs {
  Eigen::VectorXd lambda;  ///< those below the shift, nearest first, then ascending ones above it
  Eigen::MatrixXd X;       ///< X' M X = 1
  /// estimated lower bound of the next eigenvalue; 0: unknown, also with pairs on both sides
  double next_above = 0.0;
  std::int64_t solves = 0;  ///< number of columns solved for
  int block = 1;            ///< number of columns solved for at a time
  bool converged = false;
  bool exhausted = false;  ///< true if there are no more finite eigenvalues
};

struct LanczosOptions {
  /// columns per block; 0: 8, or 4 for up to 15 modes and if memory is short
  int block = 0;
  double tolerance = 1e-10;  ///< largest |OP x - theta x|_M / theta of a converged pair
  int basis = 0;             ///< largest number of columns of the basis; 0: chosen automatically
  int restarts = 300;
  unsigned seed = 1;
  bool refines = false;    ///< true: each solution is refined once, with K and M themselves
  std::int64_t below = 0;  ///< number of wanted pairs below the shift, nearest first
};

/// Block thick-restart Lanczos [Ericsson 1980], [Grimes 1994] on OP = (K - sigma M)^-1 M in the M
/// inner product, with full reorthogonalisation. Finds `count` pairs, those of `options.below`
/// below sigma and all others above it; `factor` holds K - sigma M. docs/theory/modal.md eq. (23)
/// to (26).
/// @param locked  M-orthonormal vectors to which all others are kept orthogonal: rigid modes, pairs
/// found earlier
RitzPairs block_lanczos(const ShiftedFactor& factor,
                        std::int64_t count,
                        const Eigen::MatrixXd& locked,
                        const LanczosOptions& options,
                        Progress& progress);

/// Finds the pairs that block_lanczos() finds, by the library Spectra; for small models and
/// cross-checks.
RitzPairs spectra_lanczos(const ShiftedFactor& factor,
                          std::int64_t count,
                          double tolerance,
                          Progress& progress);

}  // namespace femflex::modal
