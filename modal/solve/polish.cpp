#include "solve/polish.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "dense/symmetric_eigen.h"
#include "dense/tall_products.h"
#include "solve/exact_product.h"
#include "solve/feedback_rounding.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

/// |r| over |K x| of each column, K x = r + right.
Eigen::VectorXd relative(const Eigen::MatrixXd& right, const Eigen::MatrixXd& R) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(R.cols());
  for (Eigen::Index j = 0; j < R.cols(); ++j)
    if (const double size = (right.col(j) + R.col(j)).norm(); size > 0.0)
      out(j) = R.col(j).norm() / size;
  return out;
}

/// Columns beyond the goal. Motions without strain energy (rigid ones of a second part, mechanisms)
/// have a K x of round-off alone: they are left out.
std::vector<Eigen::Index> beyond(double goal,
                                 const Eigen::VectorXd& diagonal,
                                 const Eigen::MatrixXd& X,
                                 const Eigen::MatrixXd& right,
                                 const Eigen::MatrixXd& R) {
  constexpr double no_energy = 1e-12;
  const Eigen::VectorXd residual = relative(right, R);
  std::vector<Eigen::Index> out;
  for (Eigen::Index j = 0; j < R.cols(); ++j)
    if (!(residual(j) <= goal) &&
        (right.col(j) + R.col(j)).norm() > no_energy * diagonal.cwiseProduct(X.col(j)).norm())
      out.push_back(j);
  return out;
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

/// One or two corrections of the columns `chosen` of X, the lambda(i) of which belong to X(i); R is
/// their exact residual.
void correct(const ShiftedFactor& factor,
             std::vector<Eigen::Index> chosen,
             Eigen::Index first,
             Eigen::MatrixXd R,
             Eigen::VectorXd& lambda,
             Eigen::MatrixXd& X) {
  const Eigen::MatrixXd MX = symmetric_product(factor.M(), X, factor.threads());
  for (int pass = 0; pass < 2; ++pass) {
    const auto count = static_cast<Eigen::Index>(chosen.size());
    const Eigen::MatrixXd part = X(Eigen::all, chosen);
    const Eigen::MatrixXd M_part = symmetric_product(factor.M(), part, factor.threads());
    const Eigen::MatrixXd right = M_part * lambda(chosen).asDiagonal();
    if (pass > 0) R = exact_difference(factor.K(), part, right, factor.threads());
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
    const Eigen::MatrixXd m = tall_transposed_product(X, M_part, factor.threads());
    const Eigen::MatrixXd E =
        within_span(tall_transposed_product(X, R, factor.threads()), m, lambda, chosen, first);
    // outside their span: (K - sigma M)^-1, as for any pair below those that follow
    factor.solve(R);
    Eigen::MatrixXd change = -R;
    add_tall_product(
        change, X, E + tall_transposed_product(MX, R, factor.threads()), 1.0, factor.threads());
    X(Eigen::all, chosen) += change;
    // A K that resists rigid motion by the round-off of its export couples them with elastic modes.
    const Eigen::MatrixXd share = (E + m).topRows(first);
    if (first > 0 && share.cwiseAbs().maxCoeff() > 1e-12)
      add_product(X.leftCols(first), part, share.transpose(), -1.0);
    if (left.empty()) break;
    chosen = left;
  }
}

}  // namespace

double polish_pairs(const ShiftedFactor& factor,
                    double goal,
                    Eigen::Index first,
                    Eigen::VectorXd& lambda,
                    Eigen::MatrixXd& X) {
  const OneDenseThread alone(factor.threads());
  constexpr Eigen::Index most = 64'000'000;  // rounding copies both triangles: 16 bytes an entry
  const SparseMatrix& K = factor.K();
  const Eigen::VectorXd diagonal = K.diagonal();
  Eigen::VectorXd residual = Eigen::VectorXd::Zero(X.cols());
  std::vector<Eigen::Index> doubtful(static_cast<std::size_t>(X.cols() - first));
  std::iota(doubtful.begin(), doubtful.end(), first);
  // Rounding first: it is all that a converged pair lacks.
  for (int round = 0; round < 2 && !doubtful.empty(); ++round) {
    Eigen::MatrixXd part = X(Eigen::all, doubtful);
    Eigen::MatrixXd right =
        symmetric_product(factor.M(), part, factor.threads()) * lambda(doubtful).asDiagonal();
    Eigen::MatrixXd R = exact_difference(K, part, right, factor.threads());
    const std::vector<Eigen::Index> rough = beyond(goal, diagonal, part, right, R);
    if (!rough.empty() && K.nonZeros() <= most) {
      Eigen::MatrixXd mended = part(Eigen::all, rough);
      Eigen::MatrixXd left = R(Eigen::all, rough);
      round_with_feedback(K, mended, left, factor.threads());
      part(Eigen::all, rough) = mended;
      R(Eigen::all, rough) = left;
      X(Eigen::all, doubtful) = part;
    }
    residual(doubtful) = relative(right, R);
    const std::vector<Eigen::Index> still = beyond(goal, diagonal, part, right, R);
    if (round > 0 || still.empty()) break;
    R = R(Eigen::all, still).eval();
    std::vector<Eigen::Index> chosen;
    for (const Eigen::Index c : still)
      chosen.push_back(doubtful[static_cast<std::size_t>(c)]);
    correct(factor, chosen, first, std::move(R), lambda, X);
    doubtful = chosen;
  }
  return residual.size() > 0 ? residual.maxCoeff() : 0.0;
}

double worst_residual(const SparseMatrix& K,
                      const SparseMatrix& M,
                      const Eigen::VectorXd& lambda,
                      const Eigen::MatrixXd& X,
                      int threads) {
  if (X.cols() == 0) return 0.0;
  const Eigen::MatrixXd right = symmetric_product(M, X) * lambda.asDiagonal();
  return relative(right, exact_difference(K, X, right, threads)).maxCoeff();
}

}  // namespace femflex::modal
