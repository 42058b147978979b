// Lowest eigenvalues computed by the library SLEPc. The modal benchmarks compare femflex with it.
#pragma once

#include <optional>

#include <Eigen/Core>

#include "femflex/sparse.h"

namespace femflex::bench {

/// The `count` lowest eigenvalues of K x = lambda M x. SLEPc runs Krylov-Schur iterations on K^-1 M
/// (shift-invert at shift 0) with CHOLMOD's Cholesky factor and ordering. Each call factors
/// anew. Empty if SLEPc was not found when the build was configured.
/// @param K,M        lower triangles; K positive definite
/// @param tolerance  largest relative residual of a pair, as SLEPc defines it
std::optional<Eigen::VectorXd> slepc_modes(const SparseMatrix& K,
                                           const SparseMatrix& M,
                                           int count,
                                           double tolerance);

}  // namespace femflex::bench
