// Modes of a dense eigensolver, whose errors are round-off of the largest eigenvalue: the lower
// ones are refined, and the rigid ones are replaced by the exact ones.
#include "solve/dense_modes.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "femflex/seconds.h"

#include "dense/symmetric_eigen.h"
#include "solve/dense_pairs.h"
#include "solve/mode_errors.h"
#include "solve/polish.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

/// Makes X M-orthonormal again after a small change of its first `changed` columns.
void restore_orthonormality(const SparseMatrix& M, Eigen::Index changed, Eigen::MatrixXd& X) {
  Eigen::Ref<Eigen::MatrixXd> low = X.leftCols(changed);
  Eigen::MatrixXd L = project(M, low);
  if (!(cholesky(L) > 0.0)) return;
  divide_by_transposed(L, low);
  Eigen::Ref<Eigen::MatrixXd> others = X.rightCols(X.cols() - changed);
  add_product(others, low, transposed_product(symmetric_product(M, low), others), -1.0);
}

/// Refines the lower pairs, because the dense solver errs by round-off of the largest eigenvalue.
/// For the lower half of the spectrum (by orders of magnitude) one step of inverse iteration with
/// (K - sigma M)^-1 and a Rayleigh quotient, lambda = sigma + x1' M x / x1' M x1, corrects the
/// error [Parlett 1998].
/// @param largest  largest eigenvalue of the model, also if it is not among lambda
void refine_low_pairs(ShiftedFactor& factor,
                      double largest,
                      Eigen::VectorXd& lambda,
                      Eigen::MatrixXd& X) {
  constexpr double kDenseEpsilon = 1e-16;  // round-off of the dense solver, relative to the largest
  if (lambda.size() == 0) return;
  double shift = 0.0;
  if (!factor.at(shift) || factor.inertia().negative > 0) {
    if (!factor.at_negative_shift()) return;
    shift = factor.negative_shift();
  }
  const double lowest = std::max(lambda(0) - shift, kDenseEpsilon * largest);
  const double middle = std::sqrt(lowest * largest);
  Eigen::Index low = 0;
  while (low < lambda.size() && lambda(low) - shift <= middle)
    ++low;
  if (low == 0) return;
  Eigen::MatrixXd improved = symmetric_product(factor.M(), X.leftCols(low));
  const Eigen::MatrixXd MX = improved;
  factor.solve(improved);
  const Eigen::MatrixXd M_next = symmetric_product(factor.M(), improved);
  for (Eigen::Index j = 0; j < low; ++j) {
    const double mass = improved.col(j).dot(M_next.col(j));
    lambda(j) = shift + improved.col(j).dot(MX.col(j)) / mass;
    X.col(j) = improved.col(j) / std::sqrt(mass);
  }
  restore_orthonormality(factor.M(), low, X);
}

/// Replaces the rigid modes of a dense solver by the exact ones. If further zero-energy motions are
/// mixed with the rigid modes, as many motions are kept, without their rigid share.
void replace_rigid(const ShiftedFactor& factor, const Eigen::MatrixXd& rigid, NormalModes& modes) {
  Eigen::MatrixXd& X = modes.X;
  const Eigen::Index known = rigid.cols();
  X -= rigid * (rigid.transpose() * symmetric_product(factor.M(), X));
  const Eigen::VectorXd remaining =
      X.cwiseProduct(symmetric_product(factor.M(), X)).colwise().sum().transpose();
  // a mode that keeps this share of its mass has no rigid share
  constexpr double kUntouched = 0.999;
  Eigen::Index mixed = known;
  while (mixed < X.cols() && remaining(mixed) < kUntouched)
    ++mixed;
  const DenseEigen gram = symmetric_eigen(project(factor.M(), X.leftCols(mixed)));
  X.middleCols(known, mixed - known) =
      (X.leftCols(mixed) * gram.vectors.rightCols(mixed - known)).eval();
  X.leftCols(known) = rigid;
  // columns after the last one that lost more than this share of its mass are as they were
  constexpr double kUnchanged = 1e-12;
  Eigen::Index changed = X.cols();
  while (changed > mixed && remaining(changed - 1) > 1.0 - kUnchanged)
    --changed;
  restore_orthonormality(factor.M(), changed, X);
  X.leftCols(known) = rigid;
  modes.lambda.head(known).setZero();
  const Eigen::MatrixXd mechanisms = X.middleCols(known, mixed - known);
  modes.lambda.segment(known, mixed - known) = project(factor.K(), mechanisms).diagonal();
}

}  // namespace

bool suits_dense(Eigen::Index n, std::int64_t count) {
  // Largest orders for any number of modes, for more than a quarter of all modes, and for more than
  // a third; up to kMaxDenseOrder for more than half.
  constexpr Eigen::Index kDenseOrder = 64;
  constexpr Eigen::Index kDenseOrderQuarter = 2500;
  constexpr Eigen::Index kDenseOrderThird = 6000;
  return n <= kDenseOrder || (n <= kDenseOrderQuarter && count > n / 4) ||
         (n <= kDenseOrderThird && count > n / 3) || (n <= kMaxDenseOrder && count > n / 2);
}

NormalModes dense_modes(ShiftedFactor& factor,
                        const Eigen::MatrixXd& rigid,
                        const NormalRequest& request,
                        std::int64_t count,
                        std::optional<double> given_shift) {
  // eigenvalues below this share of the largest are zero
  constexpr double kDenseRoundOff = 1e-11;
  const auto start = std::chrono::steady_clock::now();
  const Eigen::Index known = rigid.cols();
  NormalModes out;
  Eigen::VectorXd& lambda = out.lambda;
  std::optional<Eigen::Index> lowest;
  if (!request.all && !request.limit) lowest = count;
  dense_pairs(factor.K(), factor.M(), lowest, lambda, out.X);
  const double largest = lambda.size() > 0 ? lambda(lambda.size() - 1) : 0.0;
  const double shift =
      std::min({factor.negative_shift(), -kDenseRoundOff * largest, given_shift.value_or(0.0)});
  if (lambda.size() > 0 && lambda(0) < shift)
    throw_indefinite_at((lambda.array() < shift).count(), shift);
  if (request.all) count = lambda.size();
  if (request.limit) {
    std::int64_t below = 0;
    while (below < lambda.size() && lambda(below) <= *request.limit)
      ++below;
    below = std::max<std::int64_t>(below, known);  // rigid modes lie below any limit
    count = count > 0 ? std::min(count, below) : below;
  }
  if (count > lambda.size() && !request.at_most) throw_too_many(count, lambda.size());
  count = std::min<std::int64_t>(count, lambda.size());
  lambda.conservativeResize(count);
  out.X.conservativeResize(Eigen::NoChange, count);
  refine_low_pairs(factor, largest, lambda, out.X);
  sort_pairs(0, lambda, out.X);
  if (known > 0 && lambda.size() >= known) replace_rigid(factor, rigid, out);
  out.report.eigensolver = "dense";
  out.report.sturm_expected = count;  // a dense solver finds all eigenvalues
  const Eigen::Index elastic = std::max<Eigen::Index>(0, lambda.size() - known);
  out.report.worst_residual =
      worst_residual(factor.K(), factor.M(), lambda.tail(elastic), out.X.rightCols(elastic));
  out.report.seconds_modes = seconds_since(start);
  return out;
}

}  // namespace femflex::modal
