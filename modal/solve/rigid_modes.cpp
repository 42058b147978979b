// Finds the rigid modes of a model: the combinations of the geometric rigid motions that K does not
// resist. Improves them by inverse iteration if the node positions have too few digits.
#include "solve/rigid_modes.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Cholesky>

#include "femflex/dense.h"

#include "dense/symmetric_eigen.h"
#include "solve/projection.h"
#include "solve/round_off.h"

namespace femflex::modal {
namespace {

/// Makes independent columns M-orthonormal, from the first column to the last.
void orthonormalise(const SparseMatrix& M, Eigen::MatrixXd& X) {
  for (int pass = 0; pass < 2; ++pass) {
    const Eigen::LLT<Eigen::MatrixXd> llt(project(M, X));
    llt.matrixU().solveInPlace<Eigen::OnTheRight>(X);
  }
}

/// Independent motions that move mass, M-orthonormal; made from the columns of T in their order if
/// these are independent.
Eigen::MatrixXd independent_motions(const SparseMatrix& M,
                                    const RoundOff& round_off,
                                    const Eigen::MatrixXd& T) {
  Eigen::MatrixXd none(T.rows(), 0);
  const Eigen::MatrixXd scale = round_off.largest_forces(T);
  Eigen::MatrixXd unit = T;
  std::vector<Eigen::Index> moving;
  for (Eigen::Index j = 0; j < T.cols(); ++j) {
    const double motion = T.col(j).cwiseAbs().maxCoeff();
    if (!(motion > 0.0)) continue;
    const double largest = scale.col(j).maxCoeff();
    // `motion` is used if no entry of K resists the column at all
    unit.col(j) /= largest > 0.0 ? largest : motion;
    moving.push_back(j);
  }
  if (moving.empty()) return none;
  unit = unit(Eigen::all, moving).eval();
  Eigen::MatrixXd G = project(M, unit);
  // keeps the division by the length of a massless motion finite
  constexpr double kNotZero = 1e-300;
  const Eigen::VectorXd length = G.diagonal().cwiseMax(kNotZero).cwiseSqrt();
  G = length.cwiseInverse().asDiagonal() * G * length.cwiseInverse().asDiagonal();
  const DenseEigen mass = symmetric_eigen(G);
  Eigen::Index first = 0;
  // eigenvalues of the scaled Gram matrix below this are round-off
  constexpr double kDependent = 1e-10;
  while (first < mass.values.size() && mass.values(first) < kDependent)
    ++first;
  if (first == mass.values.size()) return none;
  if (first == 0) {  // all are independent: keep their order
    orthonormalise(M, unit);
    return unit;
  }
  const Eigen::Index rank = mass.values.size() - first;
  return unit * (length.cwiseInverse().asDiagonal() * mass.vectors.rightCols(rank) *
                 mass.values.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal());
}

/// Combinations X V of motions in descending order of the resistance of K. `share` is the largest
/// force |K x| of each, divided by the largest that a row of K would cause without cancelling.
struct Combinations {
  Eigen::MatrixXd X;
  Eigen::VectorXd share;
};

Combinations by_resistance(const SparseMatrix& K,
                           const RoundOff& round_off,
                           const Eigen::MatrixXd& X) {
  const Eigen::MatrixXd force = symmetric_product(K, X);
  // each force is relative to its own unknown, so that a soft support counts even on a stiff
  // structure
  const Eigen::VectorXd most = round_off.largest_forces(X).rowwise().maxCoeff();
  const Eigen::VectorXd weight =
      (most.array() > 0.0).select(most.array().inverse(), Eigen::ArrayXd::Zero(most.size()));
  const Eigen::MatrixXd weighted = weight.asDiagonal() * force;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(
      Eigen::MatrixXd(Eigen::HouseholderQR<Eigen::MatrixXd>(weighted)
                          .matrixQR()
                          .topRows(std::min(force.rows(), force.cols()))
                          .triangularView<Eigen::Upper>()),
      Eigen::ComputeFullV);
  Combinations out;
  out.X = X * svd.matrixV();
  out.share = (force * svd.matrixV()).cwiseAbs().colwise().maxCoeff().transpose();
  const double size = most.size() > 0 ? most.maxCoeff() : 0.0;
  if (size > 0.0) out.share /= size;
  return out;
}

/// Zero-energy columns that are also exact. Rigid motions from rounded positions have almost no
/// energy, but they leave forces.
std::vector<Eigen::Index> exact_columns(const RoundOff& round_off, const Combinations& motions) {
  // largest share of the force: a millionth of that of positions with four digits
  constexpr double kExact = 1e-10;
  constexpr double kTermsOfARow = 10.0;  // number of entries of a row whose errors add up
  const double exact = std::max(kExact, kTermsOfARow * round_off.precision());
  std::vector<Eigen::Index> out;
  for (const Eigen::Index j :
       round_off.zero_energy_columns(round_off.resistance(motions.X), RoundOff::kRigid))
    if (motions.share(j) <= exact) out.push_back(j);
  return out;
}

/// Motions that K resists only slightly. The cause may be round-off of K, rounding of the positions
/// from which T was made (which may have only three digits), or a soft support.
std::vector<Eigen::Index> doubtful_columns(const Combinations& motions) {
  // largest relative resistance of such a motion: three digits
  constexpr double kSmallResistance = 1e-3;
  std::vector<Eigen::Index> out;
  for (Eigen::Index j = 0; j < motions.share.size(); ++j)
    if (motions.share(j) <= kSmallResistance) out.push_back(j);
  return out;
}

/// Tells which of the motions T have no energy. If forces remain all over the part, the positions
/// have too few digits, and `is_certain` is false.
struct MotionTest {
  Combinations motions;
  std::vector<Eigen::Index> free;
  bool is_certain = true;
};

MotionTest tested(const SparseMatrix& K,
                  const RoundOff& round_off,
                  const Eigen::MatrixXd& motions) {
  // forces remain all over the part if the level that nine in ten stay below exceeds this
  constexpr double kWidespreadForce = 1e-11;
  MotionTest out{by_resistance(K, round_off, motions), {}};
  const std::vector<Eigen::Index> doubtful = doubtful_columns(out.motions);
  if (doubtful.empty()) return out;
  out.free = exact_columns(round_off, out.motions);
  if (out.free.size() >= doubtful.size()) return out;
  const RoundOff::Resistance found = round_off.resistance(out.motions.X);
  for (const Eigen::Index j : doubtful)
    if (found.ninth_decile(j) > kWidespreadForce) out.is_certain = false;
  return out;
}

/// Inverse iteration, which removes the elastic share due to rounded positions from the motions.
/// Zero-energy columns must come first, because the iteration would turn all others into them.
void remove_elastic_share(ShiftedFactor& factor, Eigen::MatrixXd& X) {
  if (!factor.at_negative_shift()) return;
  // number of iterations; each divides the share by lambda_1 / |shift|
  constexpr int kIterations = 3;
  for (int round = 0; round < kIterations; ++round) {
    X = symmetric_product(factor.M(), X);
    factor.solve(X);
    orthonormalise(factor.M(), X);
  }
}

/// Combinations of the motions T that K does not resist, M-orthonormal; the motions themselves if
/// all are free.
Eigen::MatrixXd free_motions(ShiftedFactor& factor,
                             const RoundOff& round_off,
                             const Eigen::MatrixXd& T) {
  const SparseMatrix& M = factor.M();
  const Eigen::MatrixXd before = independent_motions(M, round_off, T);
  if (before.cols() == 0) return before;
  const MotionTest test = tested(factor.K(), round_off, before);
  if (static_cast<Eigen::Index>(test.free.size()) == before.cols()) return before;
  if (test.is_certain) return test.motions.X(Eigen::all, test.free);
  std::vector<Eigen::Index> doubtful = doubtful_columns(test.motions);
  std::reverse(doubtful.begin(), doubtful.end());  // the least resisted first
  Eigen::MatrixXd X = test.motions.X(Eigen::all, doubtful);
  remove_elastic_share(factor, X);
  const Combinations refined = by_resistance(factor.K(), round_off, X);
  X = refined.X(Eigen::all, exact_columns(round_off, refined));
  if (X.cols() == before.cols()) {
    X = (X * (X.transpose() * symmetric_product(M, before))).eval();
    orthonormalise(M, X);
  }
  return X;
}

}  // namespace

Eigen::MatrixXd rigid_modes(ShiftedFactor& factor, const std::vector<Eigen::MatrixXd>& motions) {
  Eigen::MatrixXd all(factor.size(), 0);
  if (factor.size() == 0) return all;
  const RoundOff round_off(factor.K());
  for (const Eigen::MatrixXd& T : motions) {
    const Eigen::MatrixXd X = free_motions(factor, round_off, T);
    all.conservativeResize(Eigen::NoChange, all.cols() + X.cols());
    all.rightCols(X.cols()) = X;
  }
  if (all.cols() > 0) orthonormalise(factor.M(), all);
  return all;
}

std::optional<Eigen::MatrixXd> zero_energy_motions(const SparseMatrix& K,
                                                   const SparseMatrix& M,
                                                   const Eigen::MatrixXd& T) {
  const RoundOff round_off(K);
  const Eigen::MatrixXd before = independent_motions(M, round_off, T);
  if (before.cols() == 0) return before;
  const MotionTest test = tested(K, round_off, before);
  if (!test.is_certain) return std::nullopt;
  return test.motions.X(Eigen::all, test.free);
}

}  // namespace femflex::modal
