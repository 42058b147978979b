// Gramians of inputs and outputs by the method of Bartels and Stewart, and the basis that makes
// them equal. docs/bibliography.md [Bartels 1972], [Laub 1987].
#include "femflex/balanced_truncation.h"

#include <complex>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"

namespace femflex {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Schur = Eigen::ComplexSchur<MatrixXd>;

// Hankel singular values below this share of the largest are zero to round-off and cannot be scaled
// back.
constexpr double kHankelRounding = 1e-14;

Schur schur_of(const MatrixXd& A) {
  Schur schur(A);
  if (schur.info() != Eigen::Success)
    throw NumericalError("not-converged", "the Schur form of the system did not converge");
  return schur;
}

/// Throws unless each root decays; there must be one.
void check_decay(const Schur& schur, double min_decay) {
  const auto roots = schur.matrixT().diagonal();
  const double slowest = roots.real().maxCoeff();  // [1/s]
  if (slowest < -min_decay * roots.cwiseAbs().maxCoeff()) return;
  throw NumericalError("not-stable",
                       fmt::format("a root has the real part {:.3g} 1/s: balanced truncation needs "
                                   "a system in which everything decays",
                                   slowest),
                       {},
                       "damp all modes, hold free motions by springs, or keep all states");
}

/// A root L of the Gramian P = L L' of A P + P A' + B B' = 0. With A = U T U*, the equation
/// T Y + Y T* = -U* B B' U is solved column by column, from the last column to the first.
MatrixXd gramian_root(const Schur& schur, const MatrixXd& B) {
  const MatrixXcd& T = schur.matrixT();
  const Index n = T.rows();
  const MatrixXcd B_s = schur.matrixU().adjoint() * B;
  const MatrixXcd right = -(B_s * B_s.adjoint());
  MatrixXcd Y(n, n);
  MatrixXcd shifted = T;
  for (Index k = n - 1; k >= 0; --k) {
    Eigen::VectorXcd column = right.col(k);
    const Index after = n - 1 - k;
    if (after > 0) column -= Y.rightCols(after) * T.row(k).tail(after).adjoint();
    shifted.diagonal() = T.diagonal().array() + std::conj(T(k, k));
    Y.col(k) = shifted.triangularView<Eigen::Upper>().solve(column);
  }
  const MatrixXd P = (schur.matrixU() * Y * schur.matrixU().adjoint()).real();
  const MatrixXd symmetric = 0.5 * (P + P.transpose());
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(symmetric);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

}  // namespace

double BalancedBasis::error_bound() const {
  return 2.0 * hankel.tail(hankel.size() - right.cols()).sum();
}

BalancedBasis balance(const StateMatrices& system, Index order, double min_decay) {
  if (system.A.rows() == 0) return {Eigen::VectorXd(0), MatrixXd(0, 0), MatrixXd(0, 0)};
  const Schur forward = schur_of(system.A);
  check_decay(forward, min_decay);
  const MatrixXd controllability_root = gramian_root(forward, system.B);
  const MatrixXd observability_root =
      gramian_root(schur_of(system.A.transpose()), system.C.transpose());
  const Eigen::BDCSVD<MatrixXd> svd(observability_root.transpose() * controllability_root,
                                    Eigen::ComputeThinU | Eigen::ComputeThinV);
  BalancedBasis out;
  out.hankel = svd.singularValues();
  Index kept = 0;
  while (kept < std::min(order, system.A.rows()) &&
         out.hankel(kept) > kHankelRounding * out.hankel(0))
    ++kept;
  const Eigen::VectorXd scale = out.hankel.head(kept).cwiseSqrt().cwiseInverse();
  out.right = controllability_root * svd.matrixV().leftCols(kept) * scale.asDiagonal();
  out.left = observability_root * svd.matrixU().leftCols(kept) * scale.asDiagonal();
  return out;
}

}  // namespace femflex
