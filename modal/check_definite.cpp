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
#include "solve/rigid_columns.h"
#include "solve/round_off.h"

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

/// One over the root of the mass of each column, were no two terms of its sum to cancel: at most
/// the sum of u_i^2 times the sum of the magnitudes in row i of M.
Eigen::VectorXd units_of_mass(const SparseMatrix& M, const Eigen::MatrixXd& U) {
  const Eigen::MatrixXd rows = symmetric_product(M.cwiseAbs(), Eigen::MatrixXd::Ones(M.cols(), 1));
  const auto terms = U.array().square().colwise() * rows.col(0).array();
  return terms.colwise().sum().transpose().rsqrt().matrix();
}

/// Combinations of columns that M tells apart: eigenvectors of m, each column scaled by `unit`,
/// without those whose mass is round-off.
Eigen::MatrixXd distinct_combinations(const Eigen::MatrixXd& m, const Eigen::VectorXd& unit) {
  constexpr double kTold = 1e-11;  // share of the mass, as in dense_pairs()
  const DenseEigen pairs = symmetric_eigen(unit.asDiagonal() * m * unit.asDiagonal());
  const double most = pairs.values(pairs.values.size() - 1);
  const Eigen::Index count = (pairs.values.array() > kTold * most).count();
  return unit.asDiagonal() * pairs.vectors.rightCols(count);
}

/// The set without the shapes that follow others statically.
ReducedSet vibrating(const ReducedSet& set) {
  ReducedSet out;
  out.U = set.U * set.follow;
  out.pencil = {set.follow.transpose() * set.pencil.m * set.follow,
                set.follow.transpose() * set.pencil.k * set.follow};
  return out;
}

/// Throws if K is definite on the shapes that M tells apart: then it is their number that is wrong.
void check_number(const ReducedSet& set,
                  const Eigen::VectorXd& unit,
                  const RoundOff& round_off,
                  double limit) {
  const Eigen::MatrixXd Y = distinct_combinations(set.pencil.m, unit);
  const Eigen::Index all = set.pencil.m.cols();
  if (Y.cols() == all || !unit.allFinite()) return;  // shapes that move no mass are told elsewhere
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
                   fmt::format("choose at most {} shapes: by fewer normal modes (--normal), "
                               "Krylov vectors or interface nodes",
                               Y.cols()));
}

/// The largest share of negative energy that counts as round-off.
double energy_limit(const FeModel& model, const RoundOff& round_off) {
  // kDigitFactor times the precision of the entries of K, or kSumRoundOff (of sums in double
  // precision) if that is larger
  constexpr double kDigitFactor = 100.0;
  constexpr double kSumRoundOff = 1e-12;
  // K of few digits, rotated at import, does not show them. Its rigid motions do: by what they
  // leave.
  constexpr double kRigidFactor = 10.0;
  return std::max({kSumRoundOff,
                   kDigitFactor * round_off.precision(),
                   kRigidFactor * energy_left_by_rigid_motions(model, round_off)});
}

}  // namespace

void check_told_apart(const FeModel& model, const ReducedSet& set) {
  if (set.follow.size() > 0) return check_told_apart(model, vibrating(set));
  // smallest distance of m from a singular matrix, in units of the terms of its sums, that is not
  // their round-off
  constexpr double kSingular = 1e-14;
  if (!model.mass || !model.stiffness || model.dofs.size() == 0 || set.U.cols() == 0) return;
  const Eigen::VectorXd unit = units_of_mass(*model.mass, set.U);
  if (!unit.allFinite()) return;  // shapes that move no mass are told elsewhere
  Eigen::MatrixXd scaled = unit.asDiagonal() * set.pencil.m * unit.asDiagonal();
  if (cholesky(scaled) > kSingular) return;
  const RoundOff round_off(*model.stiffness);
  check_number(set, unit, round_off, energy_limit(model, round_off));
}

void check_definite(const FeModel& model, const ReducedSet& set, const ColumnSet& columns) {
  const Eigen::VectorXd& lambda = columns.lambda;
  const Eigen::MatrixXd below = negative_columns(lambda, columns.V);
  if (below.cols() == 0) return;
  // negative energy, relative to the energy of single entries of K or, without K, of the stiffest
  // mode
  double share = 0.0;
  // largest share that counts as round-off without K; with K it is energy_limit()
  constexpr double kHighestShare = 1e-9;
  double limit = kHighestShare;
  if (model.stiffness && model.dofs.size() > 0) {
    const RoundOff round_off(*model.stiffness);
    share = energy_of(round_off, set.U, below);
    limit = energy_limit(model, round_off);
    if (share > limit && model.mass) {
      const ReducedSet& told = set.follow.size() > 0 ? vibrating(set) : set;
      check_number(told, units_of_mass(*model.mass, told.U), round_off, limit);
    }
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
