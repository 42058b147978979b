// Finds zero-energy motions as the zero eigenvalues of K scaled to a unit diagonal. For each of
// them that has no mass either, removes one unknown from the system.
#include "solve/mechanisms.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "femflex/dense.h"

#include "solve/normal_modes.h"
#include "solve/parts.h"
#include "solve/projection.h"

namespace femflex::modal {

Eigen::MatrixXd null_motions(const SparseMatrix& A, const std::vector<std::int32_t>& group) {
  // eigenvalues below this are zero: round-off is near 1e-15, elastic motions are far above
  constexpr double kZero = 1e-11;
  constexpr double kShift = -1e-8;  // shift below the zero eigenvalues, by far more than round-off
  // share of the largest diagonal entry below which a row has no stiffness
  constexpr double kEmpty = 1e-14;
  constexpr double kTiny = 1e-300;  // a matrix of zeros
  const Eigen::VectorXd diagonal = A.diagonal();
  const double largest = diagonal.size() > 0 ? std::max(diagonal.maxCoeff(), kTiny) : 1.0;
  std::vector<Entry> entries;
  for (Eigen::Index i = 0; i < diagonal.size(); ++i)
    entries.push_back({i, i, diagonal(i) > kEmpty * largest ? diagonal(i) : largest});
  const SparseMatrix D = assemble(A.rows(), A.cols(), entries);
  SolveOptions options;
  options.shift = kShift;
  ShiftedFactor factor(A, D, group, options);
  return normal_modes(factor, Eigen::MatrixXd(A.rows(), 0), {0, kZero}, options, no_progress()).X;
}

std::vector<std::int64_t> mechanism_unknowns(const SparseMatrix& K,
                                             const std::vector<std::int32_t>& group,
                                             const Eigen::MatrixXd& rigid) {
  return moved_unknowns(null_motions(K, group), rigid);
}

Eigen::MatrixXd without_rigid(const Eigen::MatrixXd& motions, const Eigen::MatrixXd& rigid) {
  if (rigid.cols() == 0) return motions;
  return motions - rigid * Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(rigid).solve(motions);
}

std::vector<std::int64_t> moved_unknowns(const Eigen::MatrixXd& motions,
                                         const Eigen::MatrixXd& rigid) {
  // largest share of its length that a rigid motion keeps when its rigid share is removed
  constexpr double kRigidOnly = 1e-3;
  // unknowns above this share of the largest displacement of a motion move
  constexpr double kMoves = 0.5;
  const Eigen::MatrixXd Z = without_rigid(motions, rigid);
  const Eigen::VectorXd before = motions.colwise().norm();
  Eigen::VectorXd moved = Eigen::VectorXd::Zero(Z.rows());
  for (Eigen::Index j = 0; j < Z.cols(); ++j)
    if (Z.col(j).norm() > kRigidOnly * before(j))
      moved = moved.cwiseMax(Z.col(j).cwiseAbs() / Z.col(j).cwiseAbs().maxCoeff());
  std::vector<std::int64_t> rows;
  for (Eigen::Index i = 0; i < moved.size(); ++i)
    if (moved(i) > kMoves) rows.push_back(i);
  std::stable_sort(rows.begin(), rows.end(), [&](std::int64_t a, std::int64_t b) {
    return moved(a) > moved(b);
  });
  return rows;
}

SmallestPart smallest_part(const SparseMatrix& K, const std::vector<std::int32_t>& group) {
  std::vector<std::vector<std::int64_t>> parts = parts_of(K, group);
  SmallestPart out;
  out.parts = static_cast<std::int64_t>(parts.size());
  for (std::vector<std::int64_t>& unknowns : parts)
    if (out.unknowns.empty() || unknowns.size() < out.unknowns.size())
      out.unknowns = std::move(unknowns);
  return out;
}

namespace {

/// The motions of A without energy in which the unknowns `held`, one per motion, move by one in
/// turn, and those of `may_move` follow: A_ii x_i = -A_ih. Empty if A_ii is singular.
Eigen::MatrixXd motions_of_held(const SparseMatrix& A,
                                const std::vector<std::int32_t>& group,
                                const std::vector<std::int64_t>& held,
                                std::vector<bool> may_move) {
  constexpr int kRounds = 3;  // of the solution and its refinement to the last digit
  for (const std::int64_t unknown : held)
    may_move[static_cast<std::size_t>(unknown)] = false;
  std::vector<Entry> entries;  // unknowns that do not move keep their diagonal
  for (Eigen::Index col = 0; col < A.cols(); ++col)
    for (SparseMatrix::InnerIterator it(A, col); it; ++it)
      if (it.row() == col ||
          (may_move[static_cast<std::size_t>(it.row())] && may_move[static_cast<std::size_t>(col)]))
        entries.push_back({it.row(), col, it.value()});
  const SparseMatrix A_ii = assemble(A.rows(), A.cols(), entries);
  ShiftedFactor factor(A_ii, A_ii, group, SolveOptions{});
  if (!factor.at(0.0)) return {};
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(A.rows(), static_cast<Eigen::Index>(held.size()));
  for (std::size_t j = 0; j < held.size(); ++j)
    x(held[j], static_cast<Eigen::Index>(j)) = 1.0;
  for (int round = 0; round < kRounds; ++round) {
    Eigen::MatrixXd force = symmetric_product(A, x);
    for (Eigen::Index i = 0; i < force.rows(); ++i)
      if (!may_move[static_cast<std::size_t>(i)]) force.row(i).setZero();
    factor.solve(force);
    x -= force;
  }
  return x;
}

constexpr double kNoShare = 1e-10;  // a smaller share is round-off, because the motions are local

/// The same, with the unknowns at rest that hardly move: the round-off of A, which drives the soft
/// motions of the whole part, would move these, and forces would remain where they are left out.
Eigen::MatrixXd local_motions_of_held(const SparseMatrix& A,
                                      const std::vector<std::int32_t>& group,
                                      const std::vector<std::int64_t>& held) {
  std::vector<bool> may_move(static_cast<std::size_t>(A.rows()), true);
  const Eigen::MatrixXd x = motions_of_held(A, group, held, may_move);
  if (x.size() == 0) return x;
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    may_move[static_cast<std::size_t>(i)] = x.row(i).cwiseAbs().maxCoeff() > kNoShare;
  return motions_of_held(A, group, held, std::move(may_move));
}

}  // namespace

MasslessMechanism massless_mechanism(const SparseMatrix& K,
                                     const SparseMatrix& M,
                                     const std::vector<std::int32_t>& group) {
  // K + s M resists motions that have mass; s scales M to the size of K.
  const double k = K.diagonal().cwiseAbs().sum();
  const double m = M.diagonal().cwiseAbs().sum();
  const SparseMatrix A = K + (m > 0.0 ? (k > 0.0 ? k / m : 1.0) : 0.0) * M;
  MasslessMechanism out;
  const Eigen::MatrixXd Z = null_motions(A, group);
  out.motions.resize(K.rows(), Z.cols());
  if (Z.cols() == 0) return out;
  // one unknown per motion, as independent as possible
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(Z.transpose());
  for (Eigen::Index j = 0; j < Z.cols(); ++j)
    out.held.push_back(qr.colsPermutation().indices()(j));
  // rigid motions are corrected by these motions, so that their errors would look like forces
  out.motions = local_motions_of_held(A, group, out.held);
  if (out.motions.size() > 0) return out;
  const Eigen::MatrixXd at_held = Z(out.held, Eigen::all);
  out.motions = Z * Eigen::PartialPivLU<Eigen::MatrixXd>(at_held).inverse();
  return out;
}

System hold_mechanism(const System& system, const MasslessMechanism& mechanism) {
  Partition part = partition(system, mechanism.held);
  System out;
  out.K.swap(part.K_ii);
  out.M.swap(part.M_ii);
  out.is_selection = system.is_selection;
  out.massless = system.massless;
  out.tied = system.tied;
  out.group = std::move(part.group_i);
  out.unknown_of.assign(system.unknown_of.size(), -1);
  std::vector<Entry> columns;
  std::vector<Entry> rows;
  const SparseMatrix S_by_row = system.S.transpose();
  for (std::size_t k = 0; k < part.i.size(); ++k) {
    const std::int64_t old = part.i[k];
    const auto now = static_cast<std::int64_t>(k);
    const std::int64_t row = system.row_of[static_cast<std::size_t>(old)];
    out.row_of.push_back(row);
    out.unknown_of[static_cast<std::size_t>(row)] = now;
    for (SparseMatrix::InnerIterator it(system.T, old); it; ++it)
      columns.push_back({it.row(), now, it.value()});
    for (SparseMatrix::InnerIterator it(S_by_row, old); it; ++it)
      rows.push_back({now, it.row(), it.value()});
    for (std::size_t j = 0; j < mechanism.held.size(); ++j) {
      const double share = mechanism.motions(old, static_cast<Eigen::Index>(j));
      if (std::abs(share) < kNoShare) continue;
      for (SparseMatrix::InnerIterator it(S_by_row, mechanism.held[j]); it; ++it)
        rows.push_back({now, it.row(), -share * it.value()});
    }
  }
  out.T = assemble(system.T.rows(), out.K.rows(), columns);
  out.S = assemble(out.K.rows(), system.T.rows(), rows);
  return out;
}

}  // namespace femflex::modal
