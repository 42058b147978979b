// Solves dense symmetric eigenproblems and multiplies dense matrices, by LAPACK and BLAS if they
// are built in.
#pragma once

#include <Eigen/Core>

namespace femflex::modal {

/// Eigenpairs in ascending order of eigenvalue.
struct DenseEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
  bool ok = true;
};

/// Solves A x = lambda x for a symmetric A (lower triangle read). Uses LAPACK if built in.
DenseEigen symmetric_eigen(Eigen::MatrixXd A);

/// Solves k x = lambda m x with x' m x = 1; `ok` is false if m is not positive definite.
DenseEigen generalised_eigen(const Eigen::MatrixXd& k, const Eigen::MatrixXd& m);

/// A' B through BLAS if built in, because Eigen's own product is compiled for the baseline SIMD
/// instructions only.
Eigen::MatrixXd transposed_product(const Eigen::Ref<const Eigen::MatrixXd>& A,
                                   const Eigen::Ref<const Eigen::MatrixXd>& B);

/// C += factor A B, also through BLAS.
void add_product(Eigen::Ref<Eigen::MatrixXd> C,
                 const Eigen::Ref<const Eigen::MatrixXd>& A,
                 const Eigen::Ref<const Eigen::MatrixXd>& B,
                 double factor = 1.0);

}  // namespace femflex::modal
