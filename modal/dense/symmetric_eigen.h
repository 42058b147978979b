// Solves dense symmetric eigenproblems and multiplies dense matrices, by LAPACK and BLAS if they
// are built in.
#pragma once

#include <optional>

#include <Eigen/Core>

namespace femflex::modal {

/// Eigenpairs in ascending order of eigenvalue.
struct DenseEigen {
  Eigen::VectorXd values;   ///< all of them
  Eigen::MatrixXd vectors;  ///< of the lowest values, as many as were wanted
  bool ok = true;
};

/// Solves A x = lambda x for a symmetric A (lower triangle read). Uses LAPACK if built in.
/// @param lowest  number of eigenvectors wanted, those of the lowest values; absent: all
DenseEigen symmetric_eigen(Eigen::MatrixXd A, std::optional<Eigen::Index> lowest = {});

/// Solves k x = lambda m x with x' m x = 1 (lower triangles read); `ok` is false if m is not
/// positive definite.
DenseEigen generalised_eigen(Eigen::MatrixXd k,
                             Eigen::MatrixXd m,
                             std::optional<Eigen::Index> lowest = {});

/// Solves k x = lambda L L' x with x' L L' x = 1 (lower triangles read).
DenseEigen generalised_eigen_of_factor(Eigen::MatrixXd k,
                                       const Eigen::MatrixXd& L,
                                       std::optional<Eigen::Index> lowest);

/// Replaces the lower triangle of A by L, A = L L'. Returns an estimate of 1 / |A^-1| (largest sum
/// of a column), which for a unit diagonal tells how far A is from singular; 0 if A is not positive
/// definite.
double cholesky(Eigen::MatrixXd& A);

/// X <- X L'^-1: makes columns with the Gram matrix L L' orthonormal.
void divide_by_transposed(const Eigen::MatrixXd& L, Eigen::Ref<Eigen::MatrixXd> X);

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
