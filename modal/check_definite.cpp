// Tells a K that is indefinite from shapes that are more than the mass tells apart, whose negative
// eigenvalues are round-off.
#include "check_definite.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/modal/orthogonalise.h"

#include "dense/symmetric_eigen.h"
#include "solve/projection.h"
#include "solve/round_off.h"
#include "solve/static_solutions.h"

namespace femflex::modal {
namespace {

/// The largest relative energy of the rigid motions of a free body, which is round-off of K; 0 for
/// a body that is held.
double energy_left_by_rigid_motions(const FeModel& model, const RoundOff& round_off) {
  constexpr double kHeld = 1e-8;  // K of nine digits leaves less, supports leave more
  const Eigen::MatrixXd T = rigid_body_shapes(model, model.dofs, middle(model));
  if (T.cols() == 0) return 0.0;
  const double left = round_off.resistance(T).energy.maxCoeff();
  return left < kHeld ? left : 0.0;
}

/// The columns V of which lambda is negative.
Eigen::MatrixXd negative_columns(const Eigen::VectorXd& lambda, const Eigen::MatrixXd& V) {
  std::vector<Eigen::Index> below;
  for (Eigen::Index i = 0; i < lambda.size(); ++i)
    if (lambda(i) < 0.0) below.push_back(i);
  return V(Eigen::all, below);
}

/// The largest energy of combinations U V, relative to that of single entries of K.
double energy_of(const RoundOff& round_off, const Eigen::MatrixXd& U, const Eigen::MatrixXd& V) {
  if (V.cols() == 0) return 0.0;
  Eigen::MatrixXd Phi = Eigen::MatrixXd::Zero(U.rows(), V.cols());
  add_product(Phi, U, V);
  return round_off.resistance(Phi).energy.maxCoeff();
}

/// Combinations of columns that M tells apart: eigenvectors of m, each column scaled by the mass
/// that single entries of M give it, without those whose mass is round-off.
Eigen::MatrixXd distinct_combinations(const SparseMatrix& M,
                                      const Eigen::MatrixXd& U,
                                      const Eigen::MatrixXd& m) {
  constexpr double kTold = 1e-11;  // share of the mass, as in dense_pairs()
  const Eigen::MatrixXd largest = symmetric_product(M.cwiseAbs(), U.cwiseAbs());
  const Eigen::VectorXd single = U.cwiseAbs().cwiseProduct(largest).colwise().sum().transpose();
  const Eigen::VectorXd unit = single.cwiseSqrt().cwiseInverse();
  const DenseEigen pairs = symmetric_eigen(unit.asDiagonal() * m * unit.asDiagonal());
  const double most = pairs.values(pairs.values.size() - 1);
  const Eigen::Index count = (pairs.values.array() > kTold * most).count();
  return unit.asDiagonal() * pairs.vectors.rightCols(count);
}

/// Throws if K is definite on the shapes that M tells apart: then it is their number that is wrong.
void check_number(const SparseMatrix& M,
                  const ReducedSet& set,
                  const RoundOff& round_off,
                  double limit) {
  const Eigen::MatrixXd Y = distinct_combinations(M, set.U, set.pencil.m);
  const Eigen::Index all = set.pencil.m.cols();
  if (Y.cols() == all) return;
  const OrthogonalBasis distinct =
      orthogonalise(Y.transpose() * set.pencil.m * Y, Y.transpose() * set.pencil.k * Y);
  const Eigen::MatrixXd V = Y * negative_columns(distinct.lambda, distinct.V);
  if (energy_of(round_off, set.U, V) > limit) return;
  throw ModelError("too-many-shapes",
                   fmt::format("too many shapes are chosen: the mass of the model tells {} of {} "
                               "apart, the rest differs from them by round-off alone",
                               Y.cols(),
                               all),
                   {},
                   fmt::format("choose fewer than {} shapes: by fewer normal modes (--normal), "
                               "Krylov vectors or interface nodes",
                               Y.cols()));
}

}  // namespace

void check_definite(const FeModel& model, const ReducedSet& set, const ColumnSet& columns) {
  const Eigen::VectorXd& lambda = columns.lambda;
  const Eigen::MatrixXd below = negative_columns(lambda, columns.V);
  if (below.cols() == 0) return;
  // negative energy, relative to the energy of single entries of K or, without K, of the stiffest
  // mode
  double share = 0.0;
  // Largest share that counts as round-off. Without K it is kHighestShare. With K it is
  // kDigitFactor times the precision of the entries of K, or kSumRoundOff (of sums in double
  // precision) if that is larger.
  constexpr double kHighestShare = 1e-9;
  constexpr double kDigitFactor = 100.0;
  constexpr double kSumRoundOff = 1e-12;
  // K of few digits, rotated at import, does not show them. Its rigid motions do: by what they
  // leave.
  constexpr double kRigidFactor = 10.0;
  double limit = kHighestShare;
  if (model.stiffness && model.dofs.size() > 0) {
    const RoundOff round_off(*model.stiffness);
    share = energy_of(round_off, set.U, below);
    limit = std::max({kSumRoundOff,
                      kDigitFactor * round_off.precision(),
                      kRigidFactor * energy_left_by_rigid_motions(model, round_off)});
    if (share > limit && model.mass) check_number(*model.mass, set, round_off, limit);
  } else {
    share = -lambda.minCoeff() / lambda.cwiseAbs().maxCoeff();
  }
  if (share <= limit) return;
  throw ModelError("indefinite-stiffness",
                   fmt::format("the stiffness of the chosen shapes is indefinite: {} of {} "
                               "eigenvalues lie below zero, the lowest is {:.4g} rad^2/s^2",
                               below.cols(),
                               lambda.size(),
                               lambda.minCoeff()),
                   {},
                   "check the export of K: signs, and which triangle it holds");
}

}  // namespace femflex::modal
