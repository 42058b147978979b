// Stiffness in the free directions. A QR decomposition of the constraint Jacobian G, which prefers
// stiff coordinates as independent ones, gives a basis of its null space; S is the scaled stiffness
// in this basis.
#include "integrators/free_stiffness.h"

#include <algorithm>
#include <cmath>

#include "femflex/dense.h"

namespace femflex::mbd_solver {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// smallest relative stiffness at which softer and stiffer coordinates are distinguished
constexpr double kMinStiffness = 1e-12;
// difference of S and S', relative to unit stiffness, above which it is not round-off
constexpr double kOneSided = 1e-6;
// stiffness of a direction of length 1, relative to the largest, below which it is round-off of
// differences
constexpr double kDifferenceNoise = 1e-11;

/// Basis B of the null space of G; dependent coordinates are functions of independent ones: B = W P
/// [-R1^-1 R2; 1] from the pivoted decomposition G W P = Q [R1 R2]. The weights W select stiff
/// coordinates as independent. Parts of the system that no row of G connects stay exactly
/// decoupled.
MatrixXd null_space(const MatrixXd& rows, Index rank, const VectorXd& stiffness) {
  const Index n = rows.cols();
  if (rank == 0) return MatrixXd::Identity(n, n);
  const double largest = stiffness.maxCoeff();
  VectorXd weight = VectorXd::Ones(n);
  for (Index j = 0; j < n && largest > 0.0; ++j)
    weight(j) = 1.0 / std::sqrt(std::max(stiffness(j) / largest, kMinStiffness));
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(rows * weight.asDiagonal());
  const MatrixXd R = qr.matrixR().topRows(rank);
  MatrixXd B(n, n - rank);
  const MatrixXd dependent =
      R.leftCols(rank).triangularView<Eigen::Upper>().solve(MatrixXd(R.rightCols(n - rank)));
  B.topRows(rank) = -dependent;
  B.bottomRows(n - rank).setIdentity();
  return weight.asDiagonal() * (qr.colsPermutation() * B);
}

}  // namespace

VectorXd units_of(const Model& model) {
  VectorXd units(model.nv);
  for (const BodyModel& b : model.bodies)
    for (int c = 0; c < b.nr + b.n; ++c)
      units(b.v0 + c) = model.unit_of(b, c);
  return units;
}

MatrixXd scaled_rows(const MatrixXd& G, const VectorXd& units) {
  MatrixXd rows = G * units.asDiagonal();
  for (Index r = 0; r < rows.rows(); ++r)
    if (const double norm = rows.row(r).norm(); norm > 0.0) rows.row(r) /= norm;
  return rows;
}

Index rank_of(const MatrixXd& rows, double tolerance) {
  if (rows.size() == 0) return 0;
  Eigen::ColPivHouseholderQR<MatrixXd> qr(rows.transpose());
  qr.setThreshold(tolerance);
  return qr.rank();
}

MatrixXd independent_rows(const MatrixXd& rows) {
  if (rows.size() == 0) return rows;
  Eigen::ColPivHouseholderQR<MatrixXd> qr(rows.transpose());
  qr.setThreshold(kRankTolerance);
  if (qr.rank() == rows.rows()) return rows;
  MatrixXd out(qr.rank(), rows.cols());
  for (Index k = 0; k < qr.rank(); ++k)
    out.row(k) = rows.row(qr.colsPermutation().indices()(k));
  return out;
}

std::vector<Index> dependent_rows(const MatrixXd& rows) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr(rows.transpose());
  qr.setThreshold(kRankTolerance);
  std::vector<Index> out;
  for (Index k = qr.rank(); k < rows.rows(); ++k)
    out.push_back(qr.colsPermutation().indices()(k));
  std::sort(out.begin(), out.end());
  return out;
}

FreeStiffness free_stiffness(const Model& model,
                             const MatrixXd& G,
                             const MatrixXd& K,
                             const MatrixXd& held) {
  FreeStiffness out;
  out.units = units_of(model);
  out.noise = model.distance_noise();
  const MatrixXd scaled = out.units.asDiagonal() * K * out.units.asDiagonal();  // [J]
  const MatrixXd joints = independent_rows(scaled_rows(G, out.units));
  MatrixXd rows(joints.rows() + held.cols(), out.units.size());
  rows.topRows(joints.rows()) = joints;
  if (held.cols() > 0) rows.bottomRows(held.cols()) = held.transpose();
  const Index rank = held.cols() > 0 ? rank_of(rows) : rows.rows();
  out.B = null_space(rows, rank, scaled.diagonal().cwiseAbs());
  out.S = out.B.transpose() * scaled * out.B;
  const MatrixXd sizes = out.B.cwiseAbs();
  const VectorXd bound =  // value of S_ii if no terms cancelled
      (sizes.array() * (scaled.cwiseAbs() * sizes).array()).colwise().sum();
  const double largest = bound.size() > 0 ? bound.maxCoeff() : 0.0;
  VectorXd scale(bound.size());
  for (Index i = 0; i < scale.size(); ++i) {
    const double stiffness_ii = std::abs(out.S(i, i));
    const double size = stiffness_ii > out.no_stiffness() * bound(i) ? stiffness_ii : bound(i);
    scale(i) = size > 0.0 ? 1.0 / std::sqrt(size)
                          : 1.0 / (out.B.col(i).norm() * std::sqrt(largest > 0.0 ? largest : 1.0));
  }
  out.B = out.B * scale.asDiagonal();
  out.S = scale.asDiagonal() * out.S * scale.asDiagonal();
  return out;
}

bool is_one_sided(const MatrixXd& S, double noise) {
  return S.size() > 0 && (S - S.transpose()).cwiseAbs().maxCoeff() > kOneSided * noise;
}

Unresisted unresisted(const MatrixXd& S, const VectorXd& sizes, double noise) {
  if (S.size() == 0) return {};
  const VectorXd length = sizes.cwiseInverse();
  const MatrixXd equal = length.asDiagonal() * S * length.asDiagonal();
  const double largest = equal.cwiseAbs().maxCoeff();
  // directions outside the range of a matrix: the last columns of Q in A P = Q R
  const auto beyond_reach = [&](const MatrixXd& A) -> MatrixXd {
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
    const Index count =
        (qr.matrixR().diagonal().array().abs() <= kDifferenceNoise * noise * largest).count();
    const MatrixXd Q = qr.householderQ() * MatrixXd::Identity(A.rows(), A.cols());
    return length.asDiagonal() * Q.rightCols(count);
  };
  return {beyond_reach(equal), beyond_reach(equal.transpose())};
}

}  // namespace femflex::mbd_solver
