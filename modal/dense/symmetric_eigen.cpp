// Solves dense symmetric eigenproblems and multiplies dense matrices, by LAPACK and BLAS if they
// are built in, else by Eigen. Generalised problems use the Cholesky factor of m, scaled to a unit
// diagonal.
#include "dense/symmetric_eigen.h"

#include <utility>

#include <Eigen/Cholesky>

#include "femflex/dense.h"

#if FEMFLEX_HAVE_LAPACK
#include <cblas.h>
#include <lapacke.h>
#endif

namespace femflex::modal {

DenseEigen symmetric_eigen(Eigen::MatrixXd A) {
  DenseEigen out;
  const Eigen::Index n = A.rows();
  if (n == 0) return out;
#if FEMFLEX_HAVE_LAPACK
  if (n > 24) {
    out.values.resize(n);
    const auto order = static_cast<lapack_int>(n);
    out.ok =
        LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', order, A.data(), order, out.values.data()) == 0;
    out.vectors = std::move(A);
    return out;
  }
#endif
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
  out.ok = solver.info() == Eigen::Success;
  out.values = solver.eigenvalues();
  out.vectors = solver.eigenvectors();
  return out;
}

DenseEigen generalised_eigen(const Eigen::MatrixXd& k, const Eigen::MatrixXd& m) {
  // Columns of very different length (a constraint mode and a unit-mass mode) cost digits in the
  // Cholesky factor of m: scale to a unit diagonal first.
  const Eigen::Index n = m.rows();
  Eigen::VectorXd scale(n);
  for (Eigen::Index i = 0; i < n; ++i)
    scale(i) = m(i, i) > 0.0 ? 1.0 / std::sqrt(m(i, i)) : 1.0;
  const Eigen::MatrixXd ms = scale.asDiagonal() * m * scale.asDiagonal();
  const Eigen::LLT<Eigen::MatrixXd> factor(ms);
  DenseEigen out;
  if (factor.info() != Eigen::Success) {
    out.ok = false;
    return out;
  }
  // L^-1 k L^-T y = lambda y, x = L^-T y
  Eigen::MatrixXd A = scale.asDiagonal() * k * scale.asDiagonal();
  factor.matrixL().solveInPlace(A);
  A.transposeInPlace();
  factor.matrixL().solveInPlace(A);
  A = 0.5 * (A + A.transpose()).eval();
  out = symmetric_eigen(std::move(A));
  factor.matrixU().solveInPlace(out.vectors);
  out.vectors = scale.asDiagonal() * out.vectors;
  return out;
}

Eigen::MatrixXd transposed_product(const Eigen::Ref<const Eigen::MatrixXd>& A,
                                   const Eigen::Ref<const Eigen::MatrixXd>& B) {
  Eigen::MatrixXd C(A.cols(), B.cols());
#if FEMFLEX_HAVE_LAPACK
  if (C.size() == 0 || A.rows() == 0) {
    C.setZero();
    return C;
  }
  cblas_dgemm(CblasColMajor,
              CblasTrans,
              CblasNoTrans,
              static_cast<blasint>(A.cols()),
              static_cast<blasint>(B.cols()),
              static_cast<blasint>(A.rows()),
              1.0,
              A.data(),
              static_cast<blasint>(A.outerStride()),
              B.data(),
              static_cast<blasint>(B.outerStride()),
              0.0,
              C.data(),
              static_cast<blasint>(C.rows()));
#else
  C.noalias() = A.transpose() * B;
#endif
  return C;
}

void add_product(Eigen::Ref<Eigen::MatrixXd> C,
                 const Eigen::Ref<const Eigen::MatrixXd>& A,
                 const Eigen::Ref<const Eigen::MatrixXd>& B,
                 double factor) {
  if (C.size() == 0 || A.cols() == 0) return;
#if FEMFLEX_HAVE_LAPACK
  cblas_dgemm(CblasColMajor,
              CblasNoTrans,
              CblasNoTrans,
              static_cast<blasint>(A.rows()),
              static_cast<blasint>(B.cols()),
              static_cast<blasint>(A.cols()),
              factor,
              A.data(),
              static_cast<blasint>(A.outerStride()),
              B.data(),
              static_cast<blasint>(B.outerStride()),
              1.0,
              C.data(),
              static_cast<blasint>(C.outerStride()));
#else
  C.noalias() += factor * (A * B);
#endif
}

}  // namespace femflex::modal
