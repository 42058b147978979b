// Solves dense symmetric eigenproblems and multiplies dense matrices, by LAPACK and BLAS if they
// are built in, else by Eigen. Generalised problems use the Cholesky factor of m, scaled to a unit
// diagonal.
#include "dense/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Cholesky>

#include "femflex/dense.h"

#if FEMFLEX_HAVE_LAPACK
#include <cblas.h>
#include <lapacke.h>
#endif

namespace femflex::modal {

namespace {

#if FEMFLEX_HAVE_LAPACK
// order up to which Eigen's solver is as fast as LAPACK's
constexpr Eigen::Index kSmallOrder = 24;

/// Eigenvalues and the lowest eigenvectors by divide and conquer on the tridiagonal form; only the
/// wanted vectors are transformed back.
DenseEigen lapack_eigen(Eigen::MatrixXd A, Eigen::Index lowest) {
  const auto n = static_cast<lapack_int>(A.rows());
  DenseEigen out;
  out.values.resize(n);
  if (lowest == A.rows()) {
    out.ok = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', n, A.data(), n, out.values.data()) == 0;
    out.vectors = std::move(A);
    return out;
  }
  Eigen::VectorXd beside(n), reflections(n);
  out.vectors.resize(n, n);
  out.ok =
      LAPACKE_dsytrd(LAPACK_COL_MAJOR,
                     'L',
                     n,
                     A.data(),
                     n,
                     out.values.data(),
                     beside.data(),
                     reflections.data()) == 0 &&
      LAPACKE_dstedc(
          LAPACK_COL_MAJOR, 'I', n, out.values.data(), beside.data(), out.vectors.data(), n) == 0;
  out.vectors.conservativeResize(Eigen::NoChange, lowest);
  out.ok = out.ok && LAPACKE_dormtr(LAPACK_COL_MAJOR,
                                    'L',
                                    'L',
                                    'N',
                                    n,
                                    static_cast<lapack_int>(lowest),
                                    A.data(),
                                    n,
                                    reflections.data(),
                                    out.vectors.data(),
                                    n) == 0;
  return out;
}
#endif

}  // namespace

DenseEigen symmetric_eigen(Eigen::MatrixXd A, std::optional<Eigen::Index> lowest) {
  DenseEigen out;
  const Eigen::Index n = A.rows();
  if (n == 0) return out;
  const Eigen::Index wanted = std::clamp<Eigen::Index>(lowest.value_or(n), 0, n);
#if FEMFLEX_HAVE_LAPACK
  if (n > kSmallOrder) return lapack_eigen(std::move(A), wanted);
#endif
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
  out.ok = solver.info() == Eigen::Success;
  out.values = solver.eigenvalues();
  out.vectors = solver.eigenvectors().leftCols(wanted);
  return out;
}

DenseEigen generalised_eigen_of_factor(Eigen::MatrixXd k,
                                       const Eigen::MatrixXd& L,
                                       std::optional<Eigen::Index> lowest) {
  // L^-1 k L^-T y = lambda y, x = L^-T y
#if FEMFLEX_HAVE_LAPACK
  const auto n = static_cast<lapack_int>(L.rows());
  if (n > 0) LAPACKE_dsygst(LAPACK_COL_MAJOR, 1, 'L', n, k.data(), n, L.data(), n);
#else
  k.triangularView<Eigen::StrictlyUpper>() = k.transpose();
  L.triangularView<Eigen::Lower>().solveInPlace(k);
  k.transposeInPlace();
  L.triangularView<Eigen::Lower>().solveInPlace(k);
  k = 0.5 * (k + k.transpose()).eval();
#endif
  DenseEigen out = symmetric_eigen(std::move(k), lowest);
#if FEMFLEX_HAVE_LAPACK
  if (out.vectors.size() > 0)
    cblas_dtrsm(CblasColMajor,
                CblasLeft,
                CblasLower,
                CblasTrans,
                CblasNonUnit,
                n,
                static_cast<blasint>(out.vectors.cols()),
                1.0,
                L.data(),
                n,
                out.vectors.data(),
                n);
#else
  L.triangularView<Eigen::Lower>().transpose().solveInPlace(out.vectors);
#endif
  return out;
}

DenseEigen generalised_eigen(Eigen::MatrixXd k,
                             Eigen::MatrixXd m,
                             std::optional<Eigen::Index> lowest) {
  // Columns of very different length (a constraint mode and a unit-mass mode) cost digits in the
  // Cholesky factor of m: scale to a unit diagonal first.
  const Eigen::Index n = m.rows();
  Eigen::VectorXd scale(n);
  for (Eigen::Index i = 0; i < n; ++i)
    scale(i) = m(i, i) > 0.0 ? 1.0 / std::sqrt(m(i, i)) : 1.0;
  m = scale.asDiagonal() * m * scale.asDiagonal();
  k = scale.asDiagonal() * k * scale.asDiagonal();
  DenseEigen out;
  out.ok = cholesky(m) > 0.0;
  if (!out.ok) return out;
  out = generalised_eigen_of_factor(std::move(k), m, lowest);
  out.vectors = scale.asDiagonal() * out.vectors;
  return out;
}

double cholesky(Eigen::MatrixXd& A) {
  if (A.rows() == 0) return 1.0;
#if FEMFLEX_HAVE_LAPACK
  const auto n = static_cast<lapack_int>(A.rows());
  const double norm = LAPACKE_dlansy(LAPACK_COL_MAJOR, '1', 'L', n, A.data(), n);
  double reciprocal = 0.0;  // of the condition number
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, A.data(), n) != 0 ||
      LAPACKE_dpocon(LAPACK_COL_MAJOR, 'L', n, A.data(), n, norm, &reciprocal) != 0)
    return 0.0;
  return reciprocal * norm;
#else
  const double norm =
      Eigen::MatrixXd(A.selfadjointView<Eigen::Lower>()).cwiseAbs().colwise().sum().maxCoeff();
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> llt(A);
  return llt.info() == Eigen::Success ? llt.rcond() * norm : 0.0;
#endif
}

void divide_by_transposed(const Eigen::MatrixXd& L, Eigen::Ref<Eigen::MatrixXd> X) {
  if (X.size() == 0) return;
#if FEMFLEX_HAVE_LAPACK
  cblas_dtrsm(CblasColMajor,
              CblasRight,
              CblasLower,
              CblasTrans,
              CblasNonUnit,
              static_cast<blasint>(X.rows()),
              static_cast<blasint>(X.cols()),
              1.0,
              L.data(),
              static_cast<blasint>(L.rows()),
              X.data(),
              static_cast<blasint>(X.outerStride()));
#else
  L.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(X);
#endif
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
