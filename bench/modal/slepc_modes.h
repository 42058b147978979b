// The modal benchmarks' yardstick: the same eigenvalues by SLEPc, another library.
#pragma once

#include <optional>

#include <Eigen/Core>

#include "femflex/sparse.h"

namespace femflex::bench {

/// The lowest eigenvalues by SLEPc: Krylov-Schur on (K - 0 M)^-1 M with CHOLMOD's Cholesky through
/// PETSc and its own ordering, from scratch. Empty if SLEPc was not found at configuration.
/// @param K,M  lower triangles, K definite
std::optional<Eigen::VectorXd> slepc_modes(const SparseMatrix& K,
                                           const SparseMatrix& M,
                                           int count,
                                           double tolerance);

}  // namespace femflex::bench
