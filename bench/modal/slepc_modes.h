// Reference of the modal benchmarks: the same eigenvalues computed by the library SLEPc.
#pragma once

#include <optional>

#include <Eigen/Core>

#include "femflex/sparse.h"

namespace femflex::bench {

/// The lowest eigenvalues by SLEPc, computed from scratch: Krylov-Schur on (K - 0 M)^-1 M, with
/// CHOLMOD's Cholesky factor and ordering through PETSc. Empty if SLEPc was not found at
/// configuration.
/// @param K,M  lower triangles; K positive definite
std::optional<Eigen::VectorXd> slepc_modes(const SparseMatrix& K,
                                           const SparseMatrix& M,
                                           int count,
                                           double tolerance);

}  // namespace femflex::bench
