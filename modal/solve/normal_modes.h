// Finds normal modes of K phi = lambda M phi: the lowest ones, those below a limit, or all.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/progress.h"

#include "solve/shifted_factor.h"
#include "solve/spline_eigenvalues.h"

namespace femflex::modal {

/// Lowest eigenpairs of K phi = lambda M phi in ascending order, with X' M X = 1.
struct NormalModes {
  Eigen::VectorXd lambda;
  Eigen::MatrixXd X;
  SolveReport report;
};

struct NormalRequest {
  std::int64_t count = 0;       ///< number of modes; 0 together with a limit: all below the limit
  std::optional<double> limit;  ///< largest eigenvalue wanted
  bool all = false;             ///< find every finite eigenvalue, by dense matrices
  FindPlaces places;            ///< of the unknowns, for estimates; empty: unknown
  bool at_most = false;         ///< if fewer than `count` modes exist, all of them are wanted
  /// Told the number of modes before the search, to check that there is memory for them; or empty.
  std::function<void(std::int64_t)> foretell;
};

/// Finds the requested eigenpairs without gaps. Known rigid modes are taken as they are. A Sturm
/// count tells how many eigenpairs exist, and missing ones are searched for until all are found.
/// @param rigid  M-orthonormal motions without strain energy, the first modes of the result
/// @throws ModelError      more modes requested than exist
/// @throws NumericalError  no convergence
NormalModes normal_modes(ShiftedFactor& factor,
                         const Eigen::MatrixXd& rigid,
                         const NormalRequest& request,
                         const SolveOptions& options,
                         Progress& progress);

}  // namespace femflex::modal
