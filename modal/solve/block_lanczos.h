#pragma once

#include <cstdint>

#include <Eigen/Core>

#include "femflex/progress.h"

#include "solve/shifted_factor.h"

namespace femflex::modal {

/// Eigenpairs above the shift, nearest first, as found by a solver: some may have been missed.
struct RitzPairs {
  Eigen::VectorXd lambda;   ///< rising
  Eigen::MatrixXd X;        ///< X' M X = 1
  double next_above = 0.0;  ///< estimated lower bound of the next eigenvalue; 0: unknown
  std::int64_t solves = 0;  ///< columns solved for
  int block = 1;            ///< columns solved for at a time
  bool converged = false;
  bool exhausted = false;  ///< there are no more finite eigenvalues
};

struct LanczosOptions {
  int block = 0;             ///< 0: 8, or 4 up to 15 modes and where memory is short
  double tolerance = 1e-10;  ///< |OP x - theta x|_M / theta
  int basis = 0;             ///< largest basis, 0: chosen
  int restarts = 300;
  unsigned seed = 1;
};

/// Block thick-restart Lanczos [Ericsson 1980], [Grimes 1994] on OP = (K - sigma M)^-1 M in the M
/// inner product, fully reorthogonalised; `factor` holds K - sigma M with sigma below all
/// eigenvalues wanted. docs/theory/modal.md eq. (23) to (26).
/// @param locked  M-orthonormal vectors to which all others are kept orthogonal: rigid modes, pairs
/// found earlier
RitzPairs block_lanczos(const ShiftedFactor& factor,
                        std::int64_t count,
                        const Eigen::MatrixXd& locked,
                        const LanczosOptions& options,
                        Progress& progress);

/// The same pairs by Spectra, with the same operator; for small models and cross-checks.
RitzPairs spectra_lanczos(const ShiftedFactor& factor,
                          std::int64_t count,
                          double tolerance,
                          Progress& progress);

}  // namespace femflex::modal
