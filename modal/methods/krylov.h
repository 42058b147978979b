// Computes the shapes of a Krylov reduction, which match the moments of the transfer function.
#pragma once

#include <cstdint>
#include <functional>

#include <Eigen/Core>

#include "femflex/sparse.h"

#include "methods/basis.h"

namespace femflex::modal {

/// Computes vectors whose projection matches the moments of the transfer function.
Basis krylov_basis(const FeModel& model,
                   const ReduceOptions& options,
                   Diagnostics& diagnostics,
                   Progress& progress,
                   ReduceReport& report);

/// Moment-matching vectors, M-orthonormal: the known motions `start`, then the static solutions
/// under the inputs, then those under M times the previous ones, `steps` times.
/// docs/theory/modal.md eq. (30).
/// @param solve  returns the static solutions under given loads
Eigen::MatrixXd krylov_vectors(const SparseMatrix& M,
                               const std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)>& solve,
                               const Eigen::MatrixXd& start,
                               const Eigen::MatrixXd& inputs,
                               std::int64_t steps,
                               Progress& progress);

}  // namespace femflex::modal
