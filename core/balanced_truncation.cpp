// Gramians of inputs and outputs by the method of Bartels and Stewart, and the basis that makes
// them equal. docs/bibliography.md [Bartels 1972], [Laub 1987].
#include "femflex/balanced_truncation.h"

#include <complex>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"

namespace femflex {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;

// Hankel singular values below this share of the largest are zero to round-off and cannot be scaled
// back.
constexpr double kHankelRounding = 1e-14;

/// A = U T U*, T upper triangular.
struct SchurForm {
  MatrixXcd T, U;
};

/// The states that A couples with one another, group by group. A part with modal damping falls into
/// one group per mode.
std::vector<std::vector<Index>> coupled_states(const MatrixXd& A) {
  std::vector<std::vector<Index>> groups;
  std::vector<bool> is_taken(static_cast<std::size_t>(A.rows()), false);
  for (Index first = 0; first < A.rows(); ++first) {
    if (is_taken[static_cast<std::size_t>(first)]) continue;
    std::vector<Index> group{first};
    is_taken[static_cast<std::size_t>(first)] = true;
    for (std::size_t k = 0; k < group.size(); ++k)
      for (Index j = 0; j < A.rows(); ++j) {
        if (is_taken[static_cast<std::size_t>(j)]) continue;
        if (A(group[k], j) == 0.0 && A(j, group[k]) == 0.0) continue;
        is_taken[static_cast<std::size_t>(j)] = true;
        group.push_back(j);
      }
    groups.push_back(std::move(group));
  }
  return groups;
}

SchurForm schur_of(const MatrixXd& A) {
  SchurForm out{MatrixXcd::Zero(A.rows(), A.rows()), MatrixXcd::Zero(A.rows(), A.rows())};
  Index begin = 0;
  for (const std::vector<Index>& group : coupled_states(A)) {
    const Eigen::ComplexSchur<MatrixXd> schur(A(group, group));
    if (schur.info() != Eigen::Success)
      throw NumericalError("not-converged", "the Schur form of the system did not converge");
    const auto size = static_cast<Index>(group.size());
    out.T.block(begin, begin, size, size) = schur.matrixT();
    out.U(group, Eigen::seqN(begin, size)) = schur.matrixU();
    begin += size;
  }
  return out;
}

/// The form of the real A': from A = U T U*, A' = conj(U) T^T U^T, and T^T is upper triangular when
/// its rows and columns are taken in reverse order.
SchurForm transposed(const SchurForm& schur) {
  return {schur.T.transpose().reverse(), schur.U.conjugate().rowwise().reverse()};
}

/// Throws unless each root decays; there must be one.
void check_decay(const SchurForm& schur) {
  const auto roots = schur.T.diagonal();
  const double slowest = roots.real().maxCoeff();  // [1/s]
  if (slowest < -kMinDecay * roots.cwiseAbs().maxCoeff()) return;
  throw NumericalError("not-stable",
                       fmt::format("a root has the real part {:.3g} 1/s: balanced truncation needs "
                                   "a system in which everything decays",
                                   slowest),
                       {},
                       "damp all modes, hold free motions by springs, or keep all states");
}

/// A root L of the Gramian P = L L' of A P + P A' + B B' = 0. With A = U T U*, the equation
/// T Y + Y T* = -U* B B' U is solved column by column, from the last column to the first.
MatrixXd gramian_root(const SchurForm& schur, const MatrixXd& B) {
  const MatrixXcd& T = schur.T;
  const Index n = T.rows();
  const MatrixXcd B_s = schur.U.adjoint() * B;
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
  const MatrixXd P = (schur.U * Y * schur.U.adjoint()).real();
  const MatrixXd symmetric = 0.5 * (P + P.transpose());
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(symmetric);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

}  // namespace

double BalancedBasis::error_bound() const {
  return 2.0 * hankel.tail(hankel.size() - right.cols()).sum();
}

BalancedBasis balance(const StateMatrices& system, Index order) {
  if (system.A.rows() == 0) return {Eigen::VectorXd(0), MatrixXd(0, 0), MatrixXd(0, 0)};
  const SchurForm forward = schur_of(system.A);
  check_decay(forward);
  const MatrixXd controllability_root = gramian_root(forward, system.B);
  const MatrixXd observability_root = gramian_root(transposed(forward), system.C.transpose());
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
