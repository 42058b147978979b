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

/// Finds them all: known rigid modes stay exact and out of the iteration, and a Sturm count closes
/// the interval; pairs that the iteration missed are sought until the count is met.
/// @param rigid  M-orthonormal motions without strain energy, first among the result
/// @throws ModelError      more modes asked for than there are
/// @throws NumericalError  no convergence
NormalModes normal_modes(ShiftedFactor& factor,
                         const Eigen::MatrixXd& rigid,
                         const NormalRequest& request,
                         const SolveOptions& options,
                         Progress& progress);

}  // namespace femflex::modal
