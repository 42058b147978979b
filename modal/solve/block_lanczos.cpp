// Finds eigenpairs of K x = lambda M x near a shift by block thick-restart Lanczos. Notation:
// OP = (K - sigma M)^-1 M; V is its M-orthonormal basis, T = V' M OP V; theta = 1 / (lambda -
// sigma) are the eigenvalues of OP, Y the eigenvectors of T; B couples the last block to the next
// one; b_ is the number of columns per block.
#include "solve/block_lanczos.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>

#include "femflex/parallel.h"

#include "dense/symmetric_eigen.h"
#include "dense/tall_products.h"
#include "solve/correction.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Block sizes as [Grimes 1994] recommends: wide enough for an efficient use of the factor, narrower
// if few modes are wanted or memory is short.
constexpr Index kUsualBlock = 8;
constexpr Index kNarrowBlock = 4;
// up to this number of modes a narrow block needs fewer solves
constexpr Index kFewModes = 15;
// smallest number of blocks of a basis beyond the wanted modes
constexpr Index kMinBlocks = 10;
// columns beyond the wanted modes, in halves of their number, with which few searches restart: it
// takes 2.6 to 2.9 columns per mode to find 100 to 165 modes of a ladder frame
constexpr Index kAmple = 5;
constexpr double kMemoryBudget = 2e9;  // [byte] largest memory of the basis and M times it
constexpr Index kKeptFraction = 3;     // a restart keeps one third of the unwanted Ritz vectors

// passes of orthogonalisation; two suffice [Parlett 1998] except for refills
constexpr int kPasses = 3;
// directions whose squared length, relative to the largest, is below this are round-off
constexpr double kRankLost = 1e-24;
// smallest eigenvalue or pivot allowed in a Gram matrix of unit vectors
constexpr double kOrthonormal = 0.1;
// if a pass leaves less than this of a unit vector, it was only round-off
constexpr double kHalfLost = 0.5;
// remaining share of the length at which a vector has lost three digits
constexpr double kCancelled = 1e-3;
// remaining share of the length that is round-off of what was removed
constexpr double kVanished = 1e-13;
constexpr double kThetaRoundOff = 1e-14;  // accuracy of every theta, relative to the largest

class BlockLanczos {
 public:
  BlockLanczos(const ShiftedFactor& factor,
               std::int64_t count,
               const MatrixXd& locked,
               const LanczosOptions& options,
               Progress& progress)
      : factor_(factor),
        M_(factor.M()),
        times_M_(factor.M(), factor.threads()),
        count_(count),
        locked_(locked),
        options_(options),
        progress_(progress),
        n_(factor.size()),
        random_(options.seed) {
    if (options.refines) correct_.emplace(factor);
    b_ = options.block > 0 ? options.block : kUsualBlock;
    if (options.block == 0 && (count_ <= kFewModes || exceeds_memory(basis(options))))
      b_ = kNarrowBlock;
    b_ = std::max<Index>(1, std::min<Index>(b_, n_ - locked.cols()));
    Index m = basis(options);
    m = std::min(m, n_ - locked.cols());
    blocks_ = std::max<Index>(m / b_, 1);
    basis_ = factor.make_basis((blocks_ + 1) * b_);
    T_.setZero((blocks_ + 1) * b_, (blocks_ + 1) * b_);
    if (locked_.cols() > 0) M_locked_ = symmetric_product(M_, locked_, factor.threads());
  }

  RitzPairs run() {
    const DenseThreads alone(1);
    progress_.begin("modes", static_cast<double>(count_), "modes");
    RitzPairs out;
    if (!start_block()) {
      out.exhausted = true;
      out.converged = count_ == 0;
      out.X.resize(n_, 0);
      return out;
    }
    Index k = 0;  // number of columns whose image is known
    for (int restart = 0; restart <= options_.restarts; ++restart) {
      while (k + b_ <= blocks_ * b_) {
        expand(k);
        k += b_;
        if (exhausted_) break;
        if (k >= count_ + b_ && may_have_converged(k) && has_converged(k)) break;
      }
      if (exhausted_ || has_converged(k) || restart == options_.restarts) break;
      k = shrink(k);
    }
    has_converged(k);
    return harvest(k, std::move(out));
  }

 private:
  /// Number of columns of the basis before a restart.
  Index basis(const LanczosOptions& options) const {
    if (options.basis > 0) return options.basis;
    const Index ample = count_ + std::max<Index>(kAmple * count_ / 2, kMinBlocks * b_);
    if (!exceeds_memory(ample) && factor_.has_room_for_basis(ample + b_)) return ample;
    return count_ + std::max<Index>(count_, kMinBlocks * b_);
  }
  /// True if this number of columns, and M times them, exceed the memory budget.
  bool exceeds_memory(Index columns) const {
    constexpr double kBytes = 16.0;  // two doubles
    return kBytes * static_cast<double>(columns * n_) > kMemoryBudget;
  }

  void remove_locked(MatrixXd& W) const {
    if (locked_.cols() == 0) return;
    const MatrixXd C = tall_transposed_product(M_locked_, W, factor_.threads());
    add_tall_product(W, locked_, C, -1.0, factor_.threads());
  }

  void remove_basis(MatrixXd& W, Index k) {
    remove_locked(W);
    if (k > 0) basis_->remove(W, 0, k);
  }

  MatrixXd random_columns(Index columns) {
    MatrixXd R(n_, columns);
    for (Index j = 0; j < columns; ++j)
      for (Index i = 0; i < n_; ++i)
        R(i, j) = 0x1p-63 * static_cast<double>(random_()) - 1.0;
    return R;
  }

  /// Puts an M-orthonormal block of random vectors at the start of the basis; false if no motion
  /// has mass.
  bool start_block() {
    // multiply by M first, because OP on random motions of massless DOFs gives noise
    MatrixXd W = symmetric_product(M_, random_columns(b_));
    apply(W);
    remove_basis(W, 0);
    remove_basis(W, 0);
    MatrixXd B;
    return orthonormalise(W, 0, 0.0, 0.0, B);
  }

  void apply(MatrixXd& W) {
    if (options_.refines) rest_ = W;
    factor_.solve(W);
    solves_ += W.cols();
    if (options_.refines) {
      (*correct_)(W, rest_);
      W += rest_;
      solves_ += W.cols();
    }
    progress_.step(static_cast<double>(done_));
  }

  /// Makes W M-orthonormal and stores it after column k - 1: W = W_new B. Directions shorter than
  /// `min_length` have vanished and are replaced (see refill). `before` is the length of W before
  /// its share in the basis was removed. False if no direction is left at all.
  bool orthonormalise(MatrixXd& W, Index k, double before, double min_length, MatrixXd& B) {
    MW_.resize(n_, b_);
    times_M_(W, MW_);
    B = MatrixXd::Identity(b_, b_);
    last_.resize(n_, b_);
    M_last_.resize(n_, b_);
    for (int pass = 0; pass < kPasses; ++pass) {
      const MatrixXd G = tall_transposed_product(W, MW_, factor_.threads());
      const DenseEigen pairs = symmetric_eigen(0.5 * (G + G.transpose()));
      const double largest = std::max(pairs.values(b_ - 1), 0.0);
      const double floor =
          pass == 0 ? std::max(min_length * min_length, kRankLost * largest) : kOrthonormal;
      if (!(pairs.values(0) > floor)) return refill(W, k, pairs, floor, B);
      // W E g^-1/2 avoids the Cholesky factor of an ill-conditioned Gram matrix, which would lose
      // digits
      const VectorXd lengths = pairs.values.cwiseSqrt();
      const MatrixXd to = pairs.vectors * lengths.cwiseInverse().asDiagonal();
      set_tall_product(last_, W, to, factor_.threads());
      set_tall_product(M_last_, MW_, to, factor_.threads());
      B = lengths.asDiagonal() * pairs.vectors.transpose() * B;
      // A short block contains the round-off of the removed share: remove it again.
      const bool is_short = pass == 0 && lengths(0) < kCancelled * before;
      if (!is_short && (pass > 0 || lengths(0) > kCancelled * lengths(b_ - 1))) break;
      W = last_;
      if (is_short) remove_basis(W, k);
      if (is_short)
        times_M_(W, MW_);
      else
        MW_ = M_last_;
    }
    basis_->store(k, last_, M_last_);
    return true;
  }

  /// Some directions of the block have vanished: the basis holds an invariant subspace. Random
  /// directions replace them with zero coupling, so that copies of multiple eigenvalues are still
  /// found; if the space is full, zero columns replace them, which add theta = 0.
  bool refill(const MatrixXd& W, Index k, const DenseEigen& pairs, double floor, MatrixXd& B) {
    MatrixXd block = MatrixXd::Zero(n_, b_);
    MatrixXd coupling = MatrixXd::Zero(b_, b_);
    Index kept = 0;
    for (Index j = b_ - 1; j >= 0 && pairs.values(j) > floor; --j, ++kept) {
      const double length = std::sqrt(pairs.values(j));
      block.col(kept) = W * pairs.vectors.col(j) / length;
      coupling.row(kept) = length * pairs.vectors.col(j).transpose() * B;
    }
    Index filled = 0;
    if (kept > 0) {
      MatrixXd part = block.leftCols(kept);
      remove_basis(part, k);
      MatrixXd L;
      filled = renormalise(part, L);
      if (filled < kept) filled = 0;  // all new directions were round-off
      block.leftCols(kept) = filled > 0 ? part : MatrixXd::Zero(n_, kept);
      coupling.topRows(kept) =
          filled > 0 ? MatrixXd(L * coupling.topRows(kept)) : MatrixXd::Zero(kept, b_);
    }
    MatrixXd R = symmetric_product(M_, random_columns(b_ - kept));
    apply(R);
    for (int pass = 0; pass < kPasses && R.cols() > 0; ++pass) {
      remove_basis(R, k);
      if (filled > 0) {
        const MatrixXd done = block.leftCols(kept);
        add_product(R, done, transposed_product(symmetric_product(M_, done), R), -1.0);
      }
      // Normalise between the passes: the remainder may be only round-off, and then the next pass
      // removes most of it.
      const VectorXd lengths =
          R.cwiseProduct(symmetric_product(M_, R)).colwise().sum().cwiseMax(0.0).cwiseSqrt();
      if (!(lengths.minCoeff() > (pass == 0 ? 0.0 : kHalfLost))) {
        R.setZero();
        break;
      }
      R = (R * lengths.cwiseInverse().asDiagonal()).eval();
    }
    MatrixXd L;
    if (R.cols() > 0 && renormalise(R, L) == R.cols()) {
      block.rightCols(R.cols()) = R;
      filled += R.cols();
    }
    B = coupling;
    last_ = block;
    M_last_ = symmetric_product(M_, block);
    basis_->store(k, last_, M_last_);
    return filled > 0;
  }

  /// W <- W L^-1 with L'L = W' M W; returns the number of columns, or 0 if they are dependent.
  Index renormalise(MatrixXd& W, MatrixXd& L) const {
    const MatrixXd G = project(M_, W);
    const Eigen::LLT<MatrixXd> llt(G);
    if (llt.info() != Eigen::Success) return 0;
    L = llt.matrixU();
    if (L.diagonal().minCoeff() < kOrthonormal) return 0;
    llt.matrixU().solveInPlace<Eigen::OnTheRight>(W);
    return W.cols();
  }

  void expand(Index k) {
    work_ = M_last_;
    apply(work_);
    remove_locked(work_);
    const Index known = k + b_;
    // OP couples a block with itself and the previous one or, after a restart, with the whole
    // basis. That share is removed first, then round-off along the whole basis.
    const Index from = k == restarted_at_ ? 0 : std::max<Index>(k - b_, 0);
    MatrixXd near;
    T_.block(0, k, known, b_) = basis_->remove_twice(work_, from, known, near);
    const double before = near.colwise().norm().maxCoeff();
    if (!orthonormalise(work_, known, before, kVanished * before, B_)) {
      B_ = MatrixXd::Zero(b_, b_);
      exhausted_ = true;
    }
  }

  /// True if a convergence test is worth its cost: each step makes about as many pairs converge as
  /// a block has columns.
  bool may_have_converged(Index k) const { return k >= next_test_; }

  /// Computes the Ritz pairs of the first k columns; true if all wanted pairs have converged.
  bool has_converged(Index k) {
    if (k != tested_at_) {
      MatrixXd T = T_.topLeftCorner(k, k);
      // the measured column V' M OP q is in the upper triangle
      T.triangularView<Eigen::StrictlyLower>() = T.transpose();
      DenseEigen pairs = symmetric_eigen(std::move(T));
      const std::vector<Index> order = nearest_first(pairs.values);
      theta_ = pairs.values(order);
      Y_ = pairs.vectors(Eigen::all, order);
      estimate_ = (B_ * Y_.bottomRows(b_)).colwise().norm();
      tested_at_ = k;
    }
    if (exhausted_) return true;
    done_ = 0;
    const Index wanted = std::min<Index>(count_, k);
    const double floor = kThetaRoundOff * theta_.cwiseAbs().maxCoeff();
    for (Index i = 0; i < wanted; ++i)
      if (estimate_(i) <= std::max(options_.tolerance * std::abs(theta_(i)), floor)) ++done_;
    progress_.step(static_cast<double>(done_));
    next_test_ = k + b_ * (1 + (count_ - done_) / (2 * b_));
    return wanted == count_ && done_ == count_;
  }

  /// The order in which Ritz values, in ascending order, are wanted: first those of the pairs below
  /// the shift, nearest first, then those above it, then the others, nearest first.
  std::vector<Index> nearest_first(const VectorXd& values) const {
    const Index k = values.size();
    const Index below = std::min<Index>(options_.below, k);
    std::vector<Index> order(static_cast<std::size_t>(k));
    std::iota(order.begin(), order.begin() + below, 0);
    std::iota(order.rbegin(), order.rend() - below, below);  // descending
    const auto others = order.begin() + std::max<Index>(below, std::min<Index>(count_, k));
    if (below > 0)
      std::stable_sort(others, order.end(), [&](Index i, Index j) {
        return std::abs(values(i)) > std::abs(values(j));
      });
    return order;
  }

  /// Thick restart [Grimes 1994]: keeps only the best Ritz vectors and the residual block.
  Index shrink(Index k) {
    Index keep =
        std::min<Index>(k - b_, count_ + std::max<Index>(b_, (k - count_) / kKeptFraction));
    keep = std::max<Index>(keep, 1);
    basis_->rotate(Y_.topLeftCorner(k, keep));
    basis_->move(keep, k, b_);
    T_.setZero();
    T_.topLeftCorner(keep, keep).diagonal() = theta_.head(keep);
    tested_at_ = -1;
    next_test_ = 0;
    restarted_at_ = keep;
    return keep;
  }

  RitzPairs harvest(Index k, RitzPairs out) {
    Index take = std::min<Index>(count_, k);
    if (exhausted_)
      while (take > options_.below &&
             !(theta_(take - 1) > kThetaRoundOff * theta_.cwiseAbs().maxCoeff()))
        --take;
    const Index found = take;
    basis_->drop_products();
    MatrixXd X = basis_->combine(0, Y_.topLeftCorner(k, found));
    if (!exhausted_) {
      // OP x = theta x + Q B y_last: a step of OP without a solve, which removes errors from x
      const MatrixXd rest =
          B_ * Y_.block(k - b_, 0, b_, found) * theta_.head(found).cwiseInverse().asDiagonal();
      add_tall_product(X, last_, rest, 1.0, factor_.threads());
    }
    basis_.reset();
    const MatrixXd G =
        tall_transposed_product(X, symmetric_product(M_, X, factor_.threads()), factor_.threads());
    const Eigen::LLT<MatrixXd> llt(G);
    if (found > 0 && llt.info() == Eigen::Success) llt.matrixU().solveInPlace<Eigen::OnTheRight>(X);
    out.lambda = (theta_.head(found).cwiseInverse().array() + factor_.sigma()).matrix();
    out.X = std::move(X);
    out.converged = exhausted_ || (found == count_ && done_ == count_);
    out.exhausted = exhausted_;
    out.solves = solves_;
    out.block = static_cast<int>(b_);
    if (found < k && !exhausted_ && options_.below == 0) {
      const double bound = theta_(found) + estimate_(found);
      if (bound > 0.0) out.next_above = factor_.sigma() + 1.0 / bound;
    }
    progress_.end();
    return out;
  }

  const ShiftedFactor& factor_;
  const SparseMatrix& M_;
  SymmetricProduct times_M_;
  std::optional<Correction> correct_;  // if solutions are refined
  Index count_;
  const MatrixXd& locked_;
  MatrixXd M_locked_;
  LanczosOptions options_;
  Progress& progress_;
  Index n_ = 0, b_ = 0, blocks_ = 0;
  std::mt19937_64 random_;
  std::unique_ptr<LanczosBasis> basis_;  // M-orthonormal V, and M V
  MatrixXd last_, M_last_;               // the last block of V, and M times it
  MatrixXd T_;                           // V' M OP V, upper triangle
  MatrixXd B_;                           // coupling to the block after the last
  VectorXd theta_, estimate_;
  MatrixXd Y_;
  // scratch blocks, kept because allocating new memory costs as much as a product
  MatrixXd work_, MW_, rest_;
  Index tested_at_ = -1, done_ = 0, next_test_ = 0, restarted_at_ = 0;
  std::int64_t solves_ = 0;
  bool exhausted_ = false;
};

}  // namespace

RitzPairs block_lanczos(const ShiftedFactor& factor,
                        std::int64_t count,
                        const Eigen::MatrixXd& locked,
                        const LanczosOptions& options,
                        Progress& progress) {
  return BlockLanczos(factor, count, locked, options, progress).run();
}

}  // namespace femflex::modal
