// Diagonalises a reduced mass and stiffness matrix. Separates linearly dependent shapes from
// independent ones by a Cholesky factorisation of their Gram matrix, column by column.
#include "femflex/modal/orthogonalise.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <utility>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "femflex/errors.h"

#include "dense/symmetric_eigen.h"

namespace femflex::modal {
namespace {

using Lower = Eigen::TriangularView<const Eigen::Block<Eigen::MatrixXd>, Eigen::Lower>;

// largest difference from the transpose, relative to the largest entry
constexpr double kAsymmetry = 1e-8;
/// Squared remaining length of a column below which the Gram matrix, which has half the digits of
/// U, is not trusted: the vectors themselves are then used.
constexpr double kGramLimit = 1e-8;
// columns below this share of the largest weight in a combination are not named
constexpr double kNegligibleWeight = 1e-6;
// columns from this share of the largest weight on are a main part of a combination
constexpr double kMainWeight = 0.1;
// number of passes: two give orthogonality [Parlett 1998], one in reserve
constexpr int kOrthogonalisations = 3;

void check_symmetric(const Eigen::MatrixXd& a, std::string_view name) {
  if (a.rows() != a.cols())
    throw ModelError("not-square",
                     fmt::format("{} is {} x {}, expected square", name, a.rows(), a.cols()));
  if (a.size() == 0) return;
  const double largest = a.cwiseAbs().maxCoeff();
  const double asymmetry = (a - a.transpose()).cwiseAbs().maxCoeff();
  if (!(asymmetry <= kAsymmetry * largest))
    throw ModelError("not-symmetric",
                     fmt::format("{} is not symmetric: |{} - {}'| = {:.1e}, largest entry {:.1e}",
                                 name,
                                 name,
                                 name,
                                 asymmetry,
                                 largest));
}

}  // namespace

OrthogonalBasis orthogonalise(const Eigen::MatrixXd& m, const Eigen::MatrixXd& k) {
  check_symmetric(m, "m");
  check_symmetric(k, "k");
  if (m.rows() != k.rows())
    throw ModelError("size", fmt::format("m has {} rows, k has {}", m.rows(), k.rows()));
  OrthogonalBasis basis;
  if (m.rows() == 0) return basis;
  DenseEigen pairs = generalised_eigen(k, m);
  if (!pairs.ok)
    throw NumericalError("m-not-definite",
                         "the reduced mass matrix is not positive definite",
                         {},
                         "leave out shapes that are dependent or move no mass");
  basis.V = std::move(pairs.vectors);
  basis.lambda = std::move(pairs.values);
  for (Eigen::Index i = 0; i < basis.V.cols(); ++i) {
    Eigen::Index largest = 0;
    basis.V.col(i).cwiseAbs().maxCoeff(&largest);
    const double sign = basis.V(largest, i) < 0.0 ? -1.0 : 1.0;
    basis.V.col(i) *= sign / basis.V.col(i).norm();
  }
  return basis;
}

namespace {

/// True if all eigenvalues of the Gram matrix, scaled to a unit diagonal, lie above `threshold`:
/// then less than that share of the squared length is left of no column, in any order. Takes
/// blocked operations, unlike the search column by column, whose time on thousands of columns is
/// that of reading L again for each.
bool is_clearly_independent(const Eigen::MatrixXd& gram, double threshold) {
  // LAPACK's estimate of |G^-1| may be too low, hardly ever by a factor of ten
  constexpr double kMargin = 100.0;
  if (gram.cols() == 0 || !(gram.diagonal().minCoeff() > 0.0)) return false;
  const Eigen::VectorXd unit = gram.diagonal().cwiseSqrt().cwiseInverse();
  Eigen::MatrixXd L = unit.asDiagonal() * gram * unit.asDiagonal();
  return cholesky(L) > kMargin * threshold;
}

IndependentColumns every_column(Eigen::Index count) {
  IndependentColumns out;
  out.kept.resize(static_cast<std::size_t>(count));
  std::iota(out.kept.begin(), out.kept.end(), Eigen::Index{0});
  return out;
}

/// Cholesky factor of the unit-diagonal Gram matrix, column by column; column r of L' belongs to
/// kept[r]. If less than `threshold` of the squared length is left, `examine` returns the remaining
/// share of the length and whether the column counts as dependent.
template <typename Look>
IndependentColumns select_independent(const Eigen::MatrixXd& gram,
                                      double threshold,
                                      const Look& examine) {
  IndependentColumns out;
  const Eigen::Index n = gram.cols();
  const Eigen::VectorXd length = gram.diagonal().cwiseMax(0.0).cwiseSqrt();
  Eigen::MatrixXd L(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const auto r = static_cast<Eigen::Index>(out.kept.size());
    if (!(length(j) > 0.0)) {
      out.dependent.push_back({j, 0.0, {}});
      continue;
    }
    Eigen::VectorXd g(r);
    for (Eigen::Index i = 0; i < r; ++i) {
      const Eigen::Index kept = out.kept[static_cast<std::size_t>(i)];
      g(i) = gram(kept, j) / (length(kept) * length(j));
    }
    const Lower lower(L.topLeftCorner(r, r));
    const Eigen::VectorXd row = lower.solve(g);
    double remaining = 1.0 - row.squaredNorm();
    if (remaining < threshold) {
      double residual = 0.0;
      if (examine(j, out.kept, length, lower, row, residual)) {
        const Eigen::VectorXd weights = lower.transpose().solve(row);
        DependentColumn dependent{j, residual, {}};
        const double largest = r > 0 ? weights.cwiseAbs().maxCoeff() : 0.0;
        for (Eigen::Index i = 0; i < r; ++i)
          if (std::abs(weights(i)) > kNegligibleWeight * largest)
            dependent.repeats.push_back(out.kept[static_cast<std::size_t>(i)]);
        out.dependent.push_back(std::move(dependent));
        continue;
      }
      remaining = residual * residual;
    }
    L.row(r).head(r) = row.transpose();
    L(r, r) = std::sqrt(remaining);
    out.kept.push_back(j);
  }
  return out;
}

}  // namespace

IndependentColumns independent_columns(const Eigen::MatrixXd& U, double tolerance) {
  const Eigen::MatrixXd gram = transposed_product(U, U);
  if (is_clearly_independent(gram, kGramLimit)) return every_column(gram.cols());
  return select_independent(gram,
                            kGramLimit,
                            [&](Eigen::Index j,
                                const std::vector<Eigen::Index>& kept,
                                const Eigen::VectorXd& length,
                                const Lower& lower,
                                const Eigen::VectorXd& row,
                                double& residual) {
                              const auto r = static_cast<Eigen::Index>(kept.size());
                              Eigen::VectorXd weights = lower.transpose().solve(row);
                              Eigen::VectorXd remainder = U.col(j) / length(j);
                              for (int pass = 0; pass < kOrthogonalisations; ++pass) {
                                if (pass > 0) {
                                  Eigen::VectorXd inner(r);
                                  for (Eigen::Index i = 0; i < r; ++i) {
                                    const Eigen::Index other = kept[static_cast<std::size_t>(i)];
                                    inner(i) = U.col(other).dot(remainder) / length(other);
                                  }
                                  weights = lower.transpose().solve(lower.solve(inner));
                                }
                                for (Eigen::Index i = 0; i < r; ++i) {
                                  const Eigen::Index other = kept[static_cast<std::size_t>(i)];
                                  remainder -= weights(i) / length(other) * U.col(other);
                                }
                              }
                              residual = remainder.norm();
                              return residual < tolerance;
                            });
}

namespace {

/// Removes the last column of each combination of columns that has no mass. Such combinations are
/// left because the round-off of a nearly dependent column can look like an independent column.
void remove_massless(const Eigen::MatrixXd& m, double tolerance, IndependentColumns& columns) {
  std::vector<Eigen::Index>& kept = columns.kept;
  while (!kept.empty()) {
    const Eigen::VectorXd scale = m.diagonal()(kept).cwiseSqrt().cwiseInverse();
    const DenseEigen pairs =
        symmetric_eigen(scale.asDiagonal() * m(kept, kept) * scale.asDiagonal());
    if (pairs.values(0) >= tolerance * tolerance) return;
    const Eigen::VectorXd weights = pairs.vectors.col(0).cwiseAbs();
    const double largest = weights.maxCoeff();
    Eigen::Index last = weights.size() - 1;
    while (weights(last) < kMainWeight * largest)
      --last;
    DependentColumn dependent{
        kept[static_cast<std::size_t>(last)], std::sqrt(std::max(0.0, pairs.values(0))), {}};
    for (Eigen::Index i = 0; i < weights.size(); ++i)
      if (i != last && weights(i) > kNegligibleWeight * largest)
        dependent.repeats.push_back(kept[static_cast<std::size_t>(i)]);
    kept.erase(kept.begin() + last);
    columns.dependent.push_back(std::move(dependent));
  }
}

}  // namespace

IndependentColumns independent_in_mass(const Eigen::MatrixXd& m, double tolerance) {
  if (is_clearly_independent(m, tolerance * tolerance)) return every_column(m.cols());
  IndependentColumns columns =
      select_independent(m,
                         tolerance * tolerance,
                         [](Eigen::Index /*j*/,
                            const std::vector<Eigen::Index>& /*kept*/,
                            const Eigen::VectorXd& /*length*/,
                            const Lower& /*lower*/,
                            const Eigen::VectorXd& row,
                            double& residual) {
                           residual = std::sqrt(std::max(0.0, 1.0 - row.squaredNorm()));
                           return true;
                         });
  remove_massless(m, tolerance, columns);
  return columns;
}

}  // namespace femflex::modal
