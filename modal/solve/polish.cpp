#include "solve/polish.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dense/symmetric_eigen.h"
#include "solve/exact_product.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

/// Columns whose residual, computed in doubles, exceeds the goal. Motions without strain energy
/// (rigid ones of a second part, mechanisms) have a K x of round-off alone: they are left out.
std::vector<Eigen::Index> doubtful(const SparseMatrix& K,
                                   const Eigen::MatrixXd& X,
                                   const Eigen::MatrixXd& KX,
                                   const Eigen::MatrixXd& right,
                                   double goal,
                                   Eigen::Index first) {
  constexpr double no_energy = 1e-12;
  const Eigen::VectorXd diagonal = K.diagonal();
  std::vector<Eigen::Index> columns;
  for (Eigen::Index j = first; j < KX.cols(); ++j) {
    const double size = KX.col(j).norm();
    if (size <= no_energy * diagonal.cwiseProduct(X.col(j)).norm()) continue;
    if (!((KX.col(j) - right.col(j)).norm() <= goal * size)) columns.push_back(j);
  }
  return columns;
}

/// Corrections among the pairs found, first order: x_j += sum_i x_i e_ij with
/// e_ij = x_i' r_j / (lambda_j - lambda_i). Then e_ij + e_ji = -m_ij, so orthogonality is mended
/// alike. Copies of one eigenvalue are made orthogonal and no more.
/// @param e  x_i' r_j;  @param m  x_i' M x_j, both (pairs x chosen)
Eigen::MatrixXd within_span(Eigen::MatrixXd e,
                            const Eigen::MatrixXd& m,
                            const Eigen::VectorXd& lambda,
                            const std::vector<Eigen::Index>& chosen,
                            Eigen::Index first) {
  constexpr double first_order = 1e-6;  // its square is what the correction leaves
  const Eigen::MatrixXd projected = e;
  std::vector<Eigen::Index> place(static_cast<std::size_t>(e.rows()), -1);
  for (std::size_t c = 0; c < chosen.size(); ++c)
    place[static_cast<std::size_t>(chosen[c])] = static_cast<Eigen::Index>(c);
  for (std::size_t c = 0; c < chosen.size(); ++c) {
    const auto col = static_cast<Eigen::Index>(c);
    const Eigen::Index j = chosen[c];
    for (Eigen::Index i = 0; i < e.rows(); ++i) {
      const Eigen::Index other = place[static_cast<std::size_t>(i)];
      if (i == j) {
        e(i, col) = 0.5 * (1.0 - m(i, col));
      } else if (i < first) {
        const bool small = std::abs(projected(i, col)) < first_order * std::abs(lambda(j));
        e(i, col) = small ? projected(i, col) / lambda(j) : -m(i, col);
      } else if (other < 0) {
        e(i, col) = -m(i, col);  // x_i stays as it is
      } else {
        const double gap = lambda(j) - lambda(i);
        const double size = std::max(std::abs(projected(i, col)), std::abs(projected(j, other)));
        e(i, col) = size < first_order * std::abs(gap) ? projected(i, col) / gap : -0.5 * m(i, col);
      }
    }
  }
  return e;
}

/// Coordinate descent over the last bits of x: rounding a vector entry by entry leaves |K| |x| eps
/// in K x; rounding each entry with the errors of its neighbours in view leaves about half.
void round_with_feedback(const SparseMatrix& K, Eigen::Ref<Eigen::VectorXd> x, Eigen::VectorXd r) {
  for (Eigen::Index j = 0; j < K.cols(); ++j) {
    double slope = 0.0;
    double square = 0.0;
    for (SparseMatrix::InnerIterator it(K, j); it; ++it) {
      slope += it.value() * r(it.row());
      square += it.value() * it.value();
    }
    if (!(square > 0.0)) continue;
    const double before = x(j);
    const double bit = std::nextafter(std::abs(before), 1e300) - std::abs(before);
    const double bits = std::nearbyint(-slope / (square * bit));
    if (bits == 0.0 || std::abs(bits) > 8.0) continue;
    x(j) = before + bits * bit;
    const double step = x(j) - before;
    for (SparseMatrix::InnerIterator it(K, j); it; ++it)
      r(it.row()) += it.value() * step;
  }
}

}  // namespace

void polish_pairs(const ShiftedFactor& factor,
                  double goal,
                  Eigen::Index first,
                  Eigen::VectorXd& lambda,
                  Eigen::MatrixXd& X) {
  if (X.cols() == first) return;
  const Eigen::MatrixXd MX = symmetric_product(factor.M(), X);
  std::vector<Eigen::Index> chosen = doubtful(
      factor.K(), X, symmetric_product(factor.K(), X), MX * lambda.asDiagonal(), goal, first);
  const std::vector<Eigen::Index> corrected = chosen;
  for (int pass = 0; pass < 2 && !chosen.empty(); ++pass) {
    const auto count = static_cast<Eigen::Index>(chosen.size());
    const Eigen::MatrixXd part = X(Eigen::all, chosen);
    const Eigen::MatrixXd M_part = symmetric_product(factor.M(), part);
    const Eigen::MatrixXd right = M_part * lambda(chosen).asDiagonal();
    Eigen::MatrixXd R = exact_difference(factor.K(), part, right);
    // one pass gains six digits and more; a second one would only round anew
    std::vector<Eigen::Index> left;
    for (Eigen::Index c = 0; c < count; ++c)
      if (!(R.col(c).norm() <= 1e-6 * right.col(c).norm()))
        left.push_back(chosen[static_cast<std::size_t>(c)]);
    Eigen::VectorXd shift(count);
    for (Eigen::Index c = 0; c < count; ++c)
      shift(c) = part.col(c).dot(R.col(c)) / part.col(c).dot(M_part.col(c));
    R -= M_part * shift.asDiagonal();
    for (Eigen::Index c = 0; c < count; ++c)
      lambda(chosen[static_cast<std::size_t>(c)]) += shift(c);
    const Eigen::MatrixXd m = transposed_product(X, M_part);
    const Eigen::MatrixXd E = within_span(transposed_product(X, R), m, lambda, chosen, first);
    // outside their span: (K - sigma M)^-1, as for any pair below those that follow
    factor.solve(R);
    Eigen::MatrixXd change = -R;
    add_product(change, X, E + transposed_product(MX, R));
    X(Eigen::all, chosen) += change;
    // A K that resists rigid motion by the round-off of its export couples them with elastic modes.
    const Eigen::MatrixXd share = (E + m).topRows(first);
    if (first > 0 && share.cwiseAbs().maxCoeff() > 1e-12)
      add_product(X.leftCols(first), part, share.transpose(), -1.0);
    if (left.empty()) break;
    chosen = left;
  }
  if (corrected.empty() || factor.K().nonZeros() > 20'000'000) return;  // a copy of K is needed
  const Eigen::MatrixXd part = X(Eigen::all, corrected);
  const Eigen::MatrixXd right =
      symmetric_product(factor.M(), part) * lambda(corrected).asDiagonal();
  const Eigen::MatrixXd R = exact_difference(factor.K(), part, right);
  SparseMatrix K;
  for (std::size_t c = 0; c < corrected.size(); ++c) {
    const auto col = static_cast<Eigen::Index>(c);
    if (R.col(col).norm() <= goal * right.col(col).norm()) continue;
    if (K.rows() == 0) K = mirrored(factor.K());
    round_with_feedback(K, X.col(corrected[c]), R.col(col));
  }
}

double worst_residual(const SparseMatrix& K,
                      const SparseMatrix& M,
                      const Eigen::VectorXd& lambda,
                      const Eigen::MatrixXd& X) {
  if (X.cols() == 0) return 0.0;
  const Eigen::MatrixXd KX = symmetric_product(K, X);
  const Eigen::MatrixXd right = symmetric_product(M, X) * lambda.asDiagonal();
  Eigen::VectorXd rough = Eigen::VectorXd::Zero(X.cols());  // cancellation in doubles adds to it
  for (Eigen::Index i = 0; i < X.cols(); ++i)
    if (const double size = KX.col(i).norm(); size > 0.0)
      rough(i) = (KX.col(i) - right.col(i)).norm() / size;
  // those near the worst, and those that doubles cannot tell from it
  constexpr double in_doubles = 4e-9;
  const double least = std::min(0.1 * rough.maxCoeff(), in_doubles);
  std::vector<Eigen::Index> candidates;
  for (Eigen::Index i = 0; i < X.cols(); ++i)
    if (rough(i) > 0.0 && rough(i) >= least) candidates.push_back(i);
  if (candidates.empty()) return 0.0;
  const Eigen::MatrixXd R =
      exact_difference(K, X(Eigen::all, candidates), right(Eigen::all, candidates));
  double worst = 0.0;
  for (std::size_t c = 0; c < candidates.size(); ++c)
    worst =
        std::max(worst, R.col(static_cast<Eigen::Index>(c)).norm() / KX.col(candidates[c]).norm());
  return worst;
}

}  // namespace femflex::modal
