// Finds eigenpairs of a small model by dense matrices. Splits the motions into those with mass
// and those without, condenses the motions without mass statically, and solves for the others.
#include "solve/dense_pairs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "femflex/errors.h"

#include "dense/symmetric_eigen.h"

namespace femflex::modal {
namespace {

// Eigenvalues of M, scaled to unit diagonal, below this count as zero. Consistent masses stay above
// 1e-4; round-off is near 1e-16.
constexpr double kMassless = 1e-11;
constexpr double kIndefinite = -1e-9;
// smallest 1 / |M^-1|, M scaled to unit diagonal, for which M counts as regular: far above
// round-off, which dividing by M enlarges, and below that of consistent masses
constexpr double kRegularMass = 1e-9;
// smallest pivot of the stiffness of the massless unknowns, scaled to unit diagonal, above
// round-off
constexpr double kStiffPivot = 1e-13;
// a smaller one is not a stiffness lost in the digits of the export
constexpr double kNegativePivot = -1e-6;

/// The rows and columns of A at the first `count` places, both triangles; place of each row of A.
Eigen::MatrixXd dense(const SparseMatrix& A,
                      const std::vector<Eigen::Index>& place,
                      Eigen::Index count) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(count, count);
  for (Eigen::Index col = 0; col < A.cols(); ++col)
    for (SparseMatrix::InnerIterator it(A, col); it; ++it) {
      const Eigen::Index i = place[static_cast<std::size_t>(it.row())];
      const Eigen::Index j = place[static_cast<std::size_t>(col)];
      if (i < count && j < count) a(i, j) = a(j, i) = it.value();
    }
  return a;
}

/// Order of the rows: those with mass first. `rows` is the number of these.
std::vector<Eigen::Index> rows_by_mass(const SparseMatrix& M, Eigen::Index& rows) {
  std::vector<char> has_mass(static_cast<std::size_t>(M.rows()), 0);
  for (Eigen::Index col = 0; col < M.cols(); ++col)
    for (SparseMatrix::InnerIterator it(M, col); it; ++it)
      if (it.value() != 0.0)
        has_mass[static_cast<std::size_t>(it.row())] = has_mass[static_cast<std::size_t>(col)] = 1;
  std::vector<Eigen::Index> order(has_mass.size());
  std::iota(order.begin(), order.end(), 0);
  const auto end = std::stable_partition(order.begin(), order.end(), [&](Eigen::Index i) {
    return has_mass[static_cast<std::size_t>(i)] != 0;
  });
  rows = end - order.begin();
  return order;
}

Eigen::VectorXd unit_diagonal(const Eigen::MatrixXd& a) {
  Eigen::VectorXd scale(a.rows());
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    scale(i) = a(i, i) > 0.0 ? 1.0 / std::sqrt(a(i, i)) : 1.0;
  return scale;
}

/// M-orthonormal motions with mass, and motions without mass. Together they span the space.
struct MassSplit {
  Eigen::MatrixXd with;
  Eigen::MatrixXd without;
};

MassSplit split_by_mass(const Eigen::MatrixXd& m) {
  const Eigen::VectorXd scale = unit_diagonal(m);
  const DenseEigen pairs = symmetric_eigen(scale.asDiagonal() * m * scale.asDiagonal());
  if (!pairs.ok) throw NumericalError("no-convergence", "the eigenvalues of M did not converge");
  if (pairs.values(0) < kIndefinite)
    throw ModelError("indefinite-mass",
                     fmt::format("M is indefinite: the smallest eigenvalue of M with unit diagonal "
                                 "is {:.3e}",
                                 pairs.values(0)),
                     {},
                     "check the export: signs, and which triangle it holds");
  Eigen::Index first = 0;
  while (first < pairs.values.size() && pairs.values(first) < kMassless)
    ++first;
  const Eigen::Index rank = pairs.values.size() - first;
  MassSplit out;
  out.without = scale.asDiagonal() * pairs.vectors.leftCols(first);
  out.with = scale.asDiagonal() * pairs.vectors.rightCols(rank) *
             pairs.values.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
  return out;
}

/// Condenses the massless unknowns, those from `first` on, out of k. Returns how they follow the
/// others.
Eigen::MatrixXd condense(Eigen::MatrixXd k, Eigen::Index first, Eigen::MatrixXd& reduced) {
  const Eigen::Index n = k.rows() - first;
  if (n == 0) {
    reduced = std::move(k);
    return {};
  }
  reduced = k.topLeftCorner(first, first);
  const Eigen::MatrixXd corner = k.bottomRightCorner(n, n);
  const Eigen::VectorXd scale = unit_diagonal(corner);
  const Eigen::LDLT<Eigen::MatrixXd> ldlt(scale.asDiagonal() * corner * scale.asDiagonal());
  const double softest = ldlt.vectorD().minCoeff();
  if (softest < kNegativePivot)
    throw ModelError("indefinite",
                     "K is indefinite: a motion without mass has negative stiffness",
                     {},
                     "check the export: signs, and which triangle it holds");
  if (!(softest > kStiffPivot))
    throw NumericalError("singular", "a motion has neither stiffness nor mass");
  const Eigen::MatrixXd right = scale.asDiagonal() * k.bottomLeftCorner(n, first);
  const Eigen::MatrixXd dependence = -(scale.asDiagonal() * ldlt.solve(right));
  add_product(reduced, k.topRightCorner(first, n), dependence);
  reduced = 0.5 * (reduced + reduced.transpose()).eval();
  return dependence;
}

}  // namespace

void dense_pairs(const SparseMatrix& K,
                 const SparseMatrix& M,
                 std::optional<Eigen::Index> lowest,
                 Eigen::VectorXd& lambda,
                 Eigen::MatrixXd& X) {
  Eigen::Index rows = 0;  // number of rows with mass
  const std::vector<Eigen::Index> order = rows_by_mass(M, rows);
  X.resize(K.rows(), 0);
  lambda.resize(0);
  if (rows == 0) return;
  std::vector<Eigen::Index> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    place[static_cast<std::size_t>(order[k])] = static_cast<Eigen::Index>(k);
  Eigen::MatrixXd k_ordered = dense(K, place, K.rows());
  Eigen::MatrixXd reduced;
  Eigen::MatrixXd x;  // rows in the order `order`
  Eigen::MatrixXd L = dense(M, place, rows);
  const Eigen::VectorXd scale = unit_diagonal(L);
  L = scale.asDiagonal() * L * scale.asDiagonal();
  if (cholesky(L) > kRegularMass) {
    const Eigen::MatrixXd dependence = condense(std::move(k_ordered), rows, reduced);
    reduced = scale.asDiagonal() * reduced * scale.asDiagonal();
    DenseEigen pairs = generalised_eigen_of_factor(std::move(reduced), L, lowest);
    if (!pairs.ok) throw NumericalError("no-convergence", "the dense eigensolver failed");
    pairs.vectors = scale.asDiagonal() * pairs.vectors;
    lambda = std::move(pairs.values);
    x = Eigen::MatrixXd::Zero(K.rows(), pairs.vectors.cols());
    x.topRows(rows) = pairs.vectors;
    if (rows < K.rows()) add_product(x.bottomRows(K.rows() - rows), dependence, pairs.vectors);
  } else {
    // columns: motions with mass, motions of these rows without mass, empty rows
    const MassSplit split = split_by_mass(dense(M, place, rows));
    const Eigen::Index rank = split.with.cols();
    Eigen::MatrixXd motions(rows, rows);
    motions << split.with, split.without;
    k_ordered.leftCols(rows) = (k_ordered.leftCols(rows) * motions).eval();
    k_ordered.topRows(rows) = transposed_product(motions, k_ordered.topRows(rows));
    const Eigen::MatrixXd dependence = condense(std::move(k_ordered), rank, reduced);
    DenseEigen pairs = symmetric_eigen(std::move(reduced), lowest);
    if (!pairs.ok) throw NumericalError("no-convergence", "the dense eigensolver failed");
    lambda = std::move(pairs.values);
    Eigen::MatrixXd all(K.rows(), pairs.vectors.cols());
    all.topRows(rank) = pairs.vectors;
    if (rank < K.rows()) all.bottomRows(K.rows() - rank) = dependence * pairs.vectors;
    x.resize(K.rows(), all.cols());
    x.topRows(rows) = motions * all.topRows(rows);
    x.bottomRows(K.rows() - rows) = all.bottomRows(K.rows() - rows);
  }
  X.resize(K.rows(), x.cols());
  X(order, Eigen::all) = x;
}

std::int64_t dofs_with_mass(const SparseMatrix& M) {
  const auto n = static_cast<std::size_t>(M.rows());
  std::vector<std::size_t> root(n);
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto find = [&](std::size_t i) {
    while (root[i] != i)
      i = root[i] = root[root[i]];
    return i;
  };
  std::vector<bool> has_mass(n, false);
  for (Eigen::Index col = 0; col < M.cols(); ++col)
    for (SparseMatrix::InnerIterator it(M, col); it; ++it) {
      if (it.value() == 0.0) continue;
      const auto r = static_cast<std::size_t>(it.row());
      const auto c = static_cast<std::size_t>(col);
      has_mass[r] = has_mass[c] = true;
      root[find(r)] = find(c);
    }
  std::map<std::size_t, std::vector<Eigen::Index>> groups;  // groups of more than one row
  std::int64_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!has_mass[i]) continue;
    ++count;
    if (find(i) != i) groups[find(i)].push_back(static_cast<Eigen::Index>(i));
  }
  constexpr std::size_t kMaxGroup = 64;
  for (auto& [first, members] : groups) {
    members.push_back(static_cast<Eigen::Index>(first));
    if (members.size() > kMaxGroup) continue;
    std::sort(members.begin(), members.end());
    const auto size = static_cast<Eigen::Index>(members.size());
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(size, size);
    for (Eigen::Index j = 0; j < size; ++j)
      for (Eigen::Index i = j; i < size; ++i)
        m(i, j) = m(j, i) =
            M.coeff(members[static_cast<std::size_t>(i)], members[static_cast<std::size_t>(j)]);
    count -= split_by_mass(m).without.cols();
  }
  return count;
}

}  // namespace femflex::modal
