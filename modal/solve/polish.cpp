// Improves eigenpairs (lambda, x) by the residual r = K x - lambda M x in twice the digits: first
// by rounding x with regard to r, then by corrections within the span of the pairs found and
// outside it.
#include "solve/polish.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "femflex/parallel.h"

#include "dense/symmetric_eigen.h"
#include "dense/tall_products.h"
#include "solve/exact_product.h"
#include "solve/feedback_rounding.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

using ColumnIndices = std::vector<Eigen::Index>;

/// The columns `chosen` of X.
Eigen::MatrixXd copy_columns(const Eigen::MatrixXd& X, const ColumnIndices& chosen, int threads) {
  Eigen::MatrixXd out(X.rows(), static_cast<Eigen::Index>(chosen.size()));
  run_parallel(threads, static_cast<int>(chosen.size()), [&](int c) {
    out.col(c) = X.col(chosen[static_cast<std::size_t>(c)]);
  });
  return out;
}

/// Stores the columns of `part` as the columns `chosen` of X.
void store_columns(const Eigen::MatrixXd& part,
                   const ColumnIndices& chosen,
                   Eigen::MatrixXd& X,
                   int threads) {
  run_parallel(threads, static_cast<int>(chosen.size()), [&](int c) {
    X.col(chosen[static_cast<std::size_t>(c)]) = part.col(c);
  });
}

/// |r| / |K x| of each column, with K x = r + right. For motions without strain energy (rigid ones
/// of a second part, mechanisms) K x is only round-off; they are `strainless` and have no error.
struct Residuals {
  Eigen::VectorXd relative;
  std::vector<char> strainless;
  /// Columns above the goal, without the strainless ones.
  ColumnIndices beyond(double goal) const {
    ColumnIndices out;
    for (Eigen::Index j = 0; j < relative.size(); ++j)
      if (!(relative(j) <= goal) && strainless[static_cast<std::size_t>(j)] == 0) out.push_back(j);
    return out;
  }
};

Residuals residuals_of(const Eigen::VectorXd& diagonal,
                       const Eigen::Ref<const Eigen::MatrixXd>& X,
                       const Eigen::MatrixXd& right,
                       const Eigen::MatrixXd& R,
                       int threads) {
  // |K x| / |D x|, D the diagonal of K, at which K x is only round-off of its terms
  constexpr double kNoEnergy = 1e-12;
  Residuals out{Eigen::VectorXd::Zero(R.cols()),
                std::vector<char>(static_cast<std::size_t>(R.cols()), 0)};
  run_parallel(threads, static_cast<int>(R.cols()), [&](int j) {
    const double size = (right.col(j) + R.col(j)).norm();
    const bool strainless = !(size > kNoEnergy * diagonal.cwiseProduct(X.col(j)).norm());
    out.strainless[static_cast<std::size_t>(j)] = strainless ? 1 : 0;
    if (!strainless) out.relative(j) = R.col(j).norm() / size;
  });
  return out;
}

/// M X diag(lambda).
Eigen::MatrixXd times_lambda(const SparseMatrix& M,
                             const Eigen::Ref<const Eigen::MatrixXd>& X,
                             const Eigen::VectorXd& lambda,
                             int threads) {
  Eigen::MatrixXd out = symmetric_product(M, X, threads);
  run_parallel(threads, static_cast<int>(X.cols()), [&](int j) { out.col(j) *= lambda(j); });
  return out;
}

/// First-order corrections among the pairs found: x_j += sum_i x_i e_ij with e_ij = x_i' r_j /
/// (lambda_j - lambda_i). For exact numbers e_ij + e_ji = -m_ij, so that orthogonality is corrected
/// as well. If the gap is small, round-off prevents that, and only the difference e_ij - e_ji is
/// used. Copies of one eigenvalue are only made orthogonal.
/// @param e  x_i' r_j;  @param m  x_i' M x_j, both (pairs x chosen)
Eigen::MatrixXd within_span(Eigen::MatrixXd e,
                            const Eigen::MatrixXd& m,
                            const Eigen::VectorXd& lambda,
                            const ColumnIndices& chosen,
                            Eigen::Index first) {
  // largest e_ij for a first-order correction, which leaves its square as error
  constexpr double kFirstOrder = 1e-6;
  const Eigen::MatrixXd projected = e;
  ColumnIndices position(static_cast<std::size_t>(e.rows()), -1);
  for (std::size_t c = 0; c < chosen.size(); ++c)
    position[static_cast<std::size_t>(chosen[c])] = static_cast<Eigen::Index>(c);
  for (std::size_t c = 0; c < chosen.size(); ++c) {
    const auto col = static_cast<Eigen::Index>(c);
    const Eigen::Index j = chosen[c];
    for (Eigen::Index i = 0; i < e.rows(); ++i) {
      const Eigen::Index other = position[static_cast<std::size_t>(i)];
      if (i == j) {
        e(i, col) = 0.5 * (1.0 - m(i, col));
      } else if (i < first) {
        const bool small = std::abs(projected(i, col)) < kFirstOrder * std::abs(lambda(j));
        e(i, col) = small ? projected(i, col) / lambda(j) : -m(i, col);
      } else if (other < 0) {
        e(i, col) = -m(i, col);  // x_i is unchanged
      } else {
        const double gap = lambda(j) - lambda(i);
        const double size = std::max(std::abs(projected(i, col)), std::abs(projected(j, other)));
        const double rotation = size < kFirstOrder * std::abs(gap)
                                    ? 0.5 * (projected(i, col) + projected(j, other)) / gap
                                    : 0.0;
        e(i, col) = rotation - 0.5 * m(i, col);
      }
    }
  }
  return e;
}

/// Corrects the columns `chosen` of X once or twice. lambda(i) belongs to column i of X; R is the
/// exact residual of the chosen columns.
void correct(const ShiftedFactor& factor,
             ColumnIndices chosen,
             Eigen::Index first,
             Eigen::MatrixXd R,
             Eigen::VectorXd& lambda,
             Eigen::MatrixXd& X) {
  // |R| / |right| that one pass takes down to round-off, because it gains at least six digits with
  // an exact factor; a second one would only round again
  const double enough_for_one = factor.is_rough() ? 0.0 : 1e-6;
  // smaller couplings of vectors of unit mass are round-off of their products
  constexpr double kCoupled = 1e-12;
  for (int pass = 0; pass < 2; ++pass) {
    const auto count = static_cast<Eigen::Index>(chosen.size());
    const Eigen::MatrixXd part = X(Eigen::all, chosen);
    const Eigen::MatrixXd M_part = symmetric_product(factor.M(), part, factor.threads());
    const Eigen::MatrixXd right = M_part * lambda(chosen).asDiagonal();
    if (pass > 0) R = exact_difference(factor.K(), part, right, factor.threads());
    ColumnIndices unfinished;
    for (Eigen::Index c = 0; c < count; ++c)
      if (!(R.col(c).norm() <= enough_for_one * right.col(c).norm()))
        unfinished.push_back(chosen[static_cast<std::size_t>(c)]);
    Eigen::VectorXd shift(count);
    for (Eigen::Index c = 0; c < count; ++c)
      shift(c) = part.col(c).dot(R.col(c)) / part.col(c).dot(M_part.col(c));
    R -= M_part * shift.asDiagonal();
    for (Eigen::Index c = 0; c < count; ++c)
      lambda(chosen[static_cast<std::size_t>(c)]) += shift(c);
    const Eigen::MatrixXd m = tall_transposed_product(X, M_part, factor.threads());
    const Eigen::MatrixXd E =
        within_span(tall_transposed_product(X, R, factor.threads()), m, lambda, chosen, first);
    // correction outside their span by (K - sigma M)^-1, because the pairs lie below all others
    factor.solve(R);
    const Eigen::MatrixXd MR = symmetric_product(factor.M(), R, factor.threads());
    Eigen::MatrixXd change = -R;
    add_tall_product(
        change, X, E + tall_transposed_product(X, MR, factor.threads()), 1.0, factor.threads());
    X(Eigen::all, chosen) += change;
    // If the export of K was rounded, K resists rigid motion slightly and couples it with elastic
    // modes.
    const Eigen::MatrixXd share = (E + m).topRows(first);
    if (first > 0 && share.cwiseAbs().maxCoeff() > kCoupled)
      add_product(X.leftCols(first), part, share.transpose(), -1.0);
    if (unfinished.empty()) break;
    chosen = unfinished;
  }
}

/// Residuals of pairs, and K X - M X diag(lambda).
struct Rounded {
  Residuals residuals;
  Eigen::MatrixXd R;
};

/// Rounds those columns of X whose residual exceeds `goal`.
Rounded round_pairs(const ShiftedFactor& factor,
                    const Eigen::VectorXd& diagonal,
                    double goal,
                    const Eigen::VectorXd& lambda,
                    const Eigen::Ref<Eigen::MatrixXd>& X) {
  // largest number of entries; rounding copies both triangles, 16 bytes per entry
  constexpr Eigen::Index kMaxEntries = 64'000'000;
  const int threads = factor.threads();
  const SparseMatrix& K = factor.K();
  const Eigen::MatrixXd right = times_lambda(factor.M(), X, lambda, threads);
  Rounded out;
  out.R = exact_difference(K, X, right, threads);
  out.residuals = residuals_of(diagonal, X, right, out.R, threads);
  const ColumnIndices large = out.residuals.beyond(goal);
  if (large.empty() || K.nonZeros() > kMaxEntries) return out;
  round_with_feedback(K, large, X, out.R, threads);
  out.residuals = residuals_of(diagonal, X, right, out.R, threads);
  return out;
}

}  // namespace

void sort_pairs(Eigen::Index first, Eigen::VectorXd& lambda, Eigen::MatrixXd& X) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(lambda.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin() + std::min(first, lambda.size()),
                   order.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return lambda(a) < lambda(b); });
  lambda = lambda(order).eval();
  X = X(Eigen::all, order).eval();
}

Eigen::VectorXd polish_pairs(const ShiftedFactor& factor,
                             double goal,
                             Eigen::Index first,
                             Eigen::VectorXd& lambda,
                             Eigen::MatrixXd& X) {
  const Eigen::Index count = X.cols() - first;
  if (count == 0) return {};
  const int threads = factor.threads();
  const DenseThreads alone(1);
  const Eigen::VectorXd diagonal = factor.K().diagonal();
  // Rounding comes first, because a converged pair needs nothing else.
  Rounded rounded = round_pairs(factor, diagonal, goal, lambda.tail(count), X.rightCols(count));
  Eigen::VectorXd residual = rounded.residuals.relative;
  const ColumnIndices remaining = rounded.residuals.beyond(goal);
  // a shift above the pairs would enlarge what they hold of modes just above it
  const bool corrects = !(factor.is_rough() && factor.sigma() > 0.0);
  if (!remaining.empty() && corrects) {
    ColumnIndices chosen = remaining;
    for (Eigen::Index& column : chosen)
      column += first;
    rounded.R = copy_columns(rounded.R, remaining, threads);
    correct(factor, chosen, first, std::move(rounded.R), lambda, X);
    Eigen::MatrixXd corrected = copy_columns(X, chosen, threads);
    residual(remaining) =
        round_pairs(factor, diagonal, goal, lambda(chosen), corrected).residuals.relative;
    store_columns(corrected, chosen, X, threads);
  }
  return residual;
}

double worst_residual(const SparseMatrix& K,
                      const SparseMatrix& M,
                      const Eigen::VectorXd& lambda,
                      const Eigen::MatrixXd& X,
                      int threads) {
  if (X.cols() == 0) return 0.0;
  const Eigen::MatrixXd right = times_lambda(M, X, lambda, threads);
  const Eigen::MatrixXd R = exact_difference(K, X, right, threads);
  return residuals_of(K.diagonal(), X, right, R, threads).relative.maxCoeff();
}

}  // namespace femflex::modal
