#pragma once

#include <Eigen/Core>

#include "femflex/sparse.h"

namespace femflex::modal {

/// A X of a symmetric A stored by its lower triangle, in column blocks that share one pass over A.
Eigen::MatrixXd symmetric_product(const SparseMatrix& lower,
                                  const Eigen::Ref<const Eigen::MatrixXd>& X,
                                  int threads = 1);

/// U' A U, symmetric. With A = L + L', L the strict lower triangle plus half the diagonal,
/// U' A U = W + W', W = U' (L U): half of A is touched, once a block of columns.
Eigen::MatrixXd project(const SparseMatrix& lower, const Eigen::MatrixXd& U);

}  // namespace femflex::modal
