// Multiplies a sparse symmetric matrix A, stored by its lower triangle, with blocks of columns, and
// computes the projection U' A U.
#pragma once

#include <cstdint>

#include <Eigen/Core>

#include "femflex/sparse.h"

#include "dense/aligned_array.h"
#include "solve/halves.h"

namespace femflex::modal {

/// Products with one symmetric A stored by its lower triangle, in column blocks that share one pass
/// over A. Scratch memory is kept between products, because allocating it costs as much as the
/// product.
class SymmetricProduct {
 public:
  /// @param lower  must outlive this
  SymmetricProduct(const SparseMatrix& lower, int threads);
  /// Y <- A X.
  void operator()(const Eigen::Ref<const Eigen::MatrixXd>& X,
                  Eigen::Ref<Eigen::MatrixXd> Y) {  // NOLINT: a view
    run(X, Y, true);
  }
  /// Y <- L X, where L is the strict lower triangle plus half the diagonal.
  void half(const Eigen::Ref<const Eigen::MatrixXd>& X,
            Eigen::Ref<Eigen::MatrixXd> Y) {  // NOLINT: a view
    run(X, Y, false);
  }

 private:
  void run(const Eigen::Ref<const Eigen::MatrixXd>& X,
           Eigen::Ref<Eigen::MatrixXd> Y,
           bool symmetric);

  const SparseMatrix& lower_;
  int threads_;
  Halves halves_;
  AlignedArray x_, y_, overlap_;
  std::int64_t capacity_ = 0;  // capacity of x_ [numbers]
};

/// A X as a single SymmetricProduct.
Eigen::MatrixXd symmetric_product(const SparseMatrix& lower,
                                  const Eigen::Ref<const Eigen::MatrixXd>& X,
                                  int threads = 1);

/// U' A U, symmetric. With A = L + L', where L is the strict lower triangle plus half the diagonal,
/// U' A U = W + W' with W = U' (L U). Only half of A is read, once per block of columns.
Eigen::MatrixXd project(const SparseMatrix& lower, const Eigen::MatrixXd& U);

}  // namespace femflex::modal
