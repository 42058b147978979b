#pragma once

#include <cstdint>
#include <optional>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/progress.h"

#include "solve/shifted_factor.h"

namespace femflex::modal {

/// Lowest eigenpairs of K phi = lambda M phi, rising, with X' M X = 1.
struct NormalModes {
  Eigen::VectorXd lambda;
  Eigen::MatrixXd X;
  SolveReport report;
};

struct NormalRequest {
  std::int64_t count = 0;       ///< 0 with a limit: all below it
  std::optional<double> limit;  ///< eigenvalues up to here
  bool all = false;             ///< every finite one, by dense matrices
};

/// Finds all of them: known rigid modes stay exact and out of the iteration, and a Sturm count
/// checks that the interval is complete; pairs that the iteration missed are searched for until the
/// count is met.
/// @param rigid  M-orthonormal motions without strain energy, the first modes of the result
/// @throws ModelError      more modes requested than exist
/// @throws NumericalError  no convergence
NormalModes normal_modes(ShiftedFactor& factor,
                         const Eigen::MatrixXd& rigid,
                         const NormalRequest& request,
                         const SolveOptions& options,
                         Progress& progress);

}  // namespace femflex::modal
