// Computes residuals A x - b with about twice the digits of a double.
#pragma once

#include <Eigen/Core>

#include "femflex/sparse.h"

namespace femflex::modal {

/// A x - b of a symmetric A stored by its lower triangle, as if computed with twice the digits of a
/// double and rounded at the end. With more than one thread, two halves of A run in parallel.
///
/// In K phi of a low mode the terms cancel to 1e-8 of their size, so a residual computed in doubles
/// would be only round-off.  docs/theory/modal.md eq. (33).
Eigen::MatrixXd exact_difference(const SparseMatrix& lower,
                                 const Eigen::Ref<const Eigen::MatrixXd>& X,
                                 const Eigen::Ref<const Eigen::MatrixXd>& B,
                                 int threads = 1);

}  // namespace femflex::modal
