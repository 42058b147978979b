#include "solve/rigid_modes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "dense/symmetric_eigen.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

/// Significant decimal digits that it takes to write x; 17 where it takes more than 13.
int digits_of(double x) {
  char text[32];
  for (int digits = 1; digits <= 13; ++digits) {
    const auto end =
        std::to_chars(text, text + sizeof text, x, std::chars_format::scientific, digits - 1).ptr;
    double back = 0.0;
    std::from_chars(text, end, back);
    if (back == x) return digits;
  }
  return 17;
}

/// How much of |K| |t| may be left in K t of a motion t that costs nothing: round-off, or the last
/// digit of a K that was written with 7 to 13 of them or in single precision. Such a file shows:
/// nearly all entries have so many digits, no more and, unlike numbers made by hand, no fewer.
/// docs/theory/modal.md eq. (27).
double rigid_share(const SparseMatrix& K) {
  constexpr double full_precision = 1e-10;
  constexpr double single_precision = 1.2e-7;
  constexpr double nearly_all = 0.85;
  constexpr double most = 0.6;
  const Eigen::Index step = 1 + K.nonZeros() / 2000;
  std::vector<double> counts(18, 0.0);
  double total = 0.0;
  double singles = 0.0;
  for (Eigen::Index k = 0; k < K.nonZeros(); k += step) {
    const double value = K.valuePtr()[k];
    if (value == 0.0) continue;
    ++counts[static_cast<std::size_t>(digits_of(value))];
    if (std::abs(value) < 1e38 && static_cast<double>(static_cast<float>(value)) == value)
      ++singles;
    ++total;
  }
  double sum = 0.0;
  for (std::size_t d = 1; d < 7; ++d)
    sum += counts[d];
  if (total == 0.0 || sum > (1.0 - most) * total) return full_precision;  // numbers made by hand
  // large singles are integers of few digits: they first
  if (singles >= nearly_all * total) return single_precision;
  std::size_t digits = 7;
  for (sum += counts[7]; digits < 17 && sum < nearly_all * total;)
    sum += counts[++digits];
  if (digits > 13 || counts[digits] + counts[digits - 1] < most * total) return full_precision;
  return std::clamp(std::pow(10.0, 1.0 - static_cast<double>(digits)), full_precision, 1e-6);
}

/// |K|, entry by entry.
SparseMatrix sizes_of(const SparseMatrix& K) {
  SparseMatrix K_abs = K;
  for (Eigen::Index k = 0; k < K_abs.nonZeros(); ++k)
    K_abs.valuePtr()[k] = std::abs(K_abs.valuePtr()[k]);
  return K_abs;
}

/// Makes independent columns M-orthonormal, the first ones first.
void orthonormalise(const SparseMatrix& M, Eigen::MatrixXd& X) {
  for (int pass = 0; pass < 2; ++pass) {
    const Eigen::LLT<Eigen::MatrixXd> llt(project(M, X));
    llt.matrixU().solveInPlace<Eigen::OnTheRight>(X);
  }
}

/// Motions that move mass and are independent, M-orthonormal; those of T themselves where they are.
Eigen::MatrixXd independent_motions(const SparseMatrix& M,
                                    const SparseMatrix& K_abs,
                                    const Eigen::MatrixXd& T) {
  Eigen::MatrixXd none(T.rows(), 0);
  const Eigen::MatrixXd scale = symmetric_product(K_abs, T.cwiseAbs());
  Eigen::MatrixXd unit = T;
  std::vector<Eigen::Index> moving;
  for (Eigen::Index j = 0; j < T.cols(); ++j) {
    const double motion = T.col(j).cwiseAbs().maxCoeff();
    if (!(motion > 0.0)) continue;
    const double largest = scale.col(j).maxCoeff();
    unit.col(j) /= largest > 0.0 ? largest : motion;  // nothing may resist at all
    moving.push_back(j);
  }
  if (moving.empty()) return none;
  unit = unit(Eigen::all, moving).eval();
  Eigen::MatrixXd G = project(M, unit);
  const Eigen::VectorXd length = G.diagonal().cwiseMax(1e-300).cwiseSqrt();
  G = length.cwiseInverse().asDiagonal() * G * length.cwiseInverse().asDiagonal();
  const DenseEigen mass = symmetric_eigen(G);
  Eigen::Index first = 0;
  while (first < mass.values.size() && mass.values(first) < 1e-10)
    ++first;
  if (first == mass.values.size()) return none;
  if (first == 0) {  // as they are: translations first, rotations then
    orthonormalise(M, unit);
    return unit;
  }
  const Eigen::Index rank = mass.values.size() - first;
  return unit * (length.cwiseInverse().asDiagonal() * mass.vectors.rightCols(rank) *
                 mass.values.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal());
}

/// Combinations X V of motions, and what K leaves of |K| |X v|: round-off for a rigid motion.
struct Resistance {
  Eigen::MatrixXd V;
  Eigen::VectorXd share;
  std::vector<Eigen::Index> below(double limit) const {
    std::vector<Eigen::Index> out;
    for (Eigen::Index j = 0; j < share.size(); ++j)
      if (share(j) <= limit) out.push_back(j);
    return out;
  }
};

Resistance resistance(const SparseMatrix& K, const SparseMatrix& K_abs, const Eigen::MatrixXd& X) {
  const Eigen::MatrixXd force = symmetric_product(K, X);
  const double size = symmetric_product(K_abs, X.cwiseAbs()).maxCoeff();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(
      Eigen::MatrixXd(Eigen::HouseholderQR<Eigen::MatrixXd>(force)
                          .matrixQR()
                          .topRows(std::min(force.rows(), force.cols()))
                          .triangularView<Eigen::Upper>()),
      Eigen::ComputeFullV);
  Resistance out{svd.matrixV(), {}};
  out.share = (force * out.V).cwiseAbs().colwise().maxCoeff().transpose();
  if (size > 0.0) out.share /= size;
  return out;
}

/// Inverse iteration: the elastic share that rounded positions bring into the motions leaves them.
/// Columns that cost nothing have to come first: all others would turn into them.
void settle(ShiftedFactor& factor, Eigen::MatrixXd& X) {
  if (!factor.at(factor.negative_shift())) return;
  for (int round = 0; round < 3; ++round) {
    X = symmetric_product(factor.M(), X);
    factor.solve(X);
    orthonormalise(factor.M(), X);
  }
}

/// Combinations of the motions T that K does not resist, M-orthonormal; where all are free they
/// stay the motions that they are.
Eigen::MatrixXd free_motions(ShiftedFactor& factor,
                             const SparseMatrix& K_abs,
                             double exact,
                             const Eigen::MatrixXd& T) {
  // positions of three digits and more; what rigid motions become decides, not how near they were
  constexpr double nearly = 1e-3;
  const SparseMatrix& M = factor.M();
  Eigen::MatrixXd X = independent_motions(M, K_abs, T);
  if (X.cols() == 0) return X;
  Resistance resisted = resistance(factor.K(), K_abs, X);
  const auto keep = [&](double limit) {
    X = (X * resisted.V(Eigen::all, resisted.below(limit))).eval();
  };
  if (resisted.below(exact).size() == resisted.below(nearly).size()) {
    if (static_cast<Eigen::Index>(resisted.below(exact).size()) < X.cols()) keep(exact);
    return X;
  }
  const Eigen::MatrixXd before = X;
  keep(nearly);
  X = X.rowwise().reverse().eval();  // the least resisted first
  settle(factor, X);
  resisted = resistance(factor.K(), K_abs, X);
  keep(exact);
  if (X.cols() == before.cols()) {
    X = (X * (X.transpose() * symmetric_product(M, before))).eval();
    orthonormalise(M, X);
  }
  return X;
}

}  // namespace

Eigen::MatrixXd rigid_modes(ShiftedFactor& factor, const std::vector<Eigen::MatrixXd>& motions) {
  const SparseMatrix& K = factor.K();
  Eigen::MatrixXd all(K.rows(), 0);
  if (K.rows() == 0) return all;
  const SparseMatrix K_abs = sizes_of(K);
  const double exact = rigid_share(K);
  for (const Eigen::MatrixXd& T : motions) {
    const Eigen::MatrixXd X = free_motions(factor, K_abs, exact, T);
    all.conservativeResize(Eigen::NoChange, all.cols() + X.cols());
    all.rightCols(X.cols()) = X;
  }
  if (all.cols() > 0) orthonormalise(factor.M(), all);
  return all;
}

}  // namespace femflex::modal
