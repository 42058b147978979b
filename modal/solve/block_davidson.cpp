// Finds the lowest eigenpairs of K x = lambda M x by the block Davidson method. Notation: V is the
// M-orthonormal basis, H = V' K V, (theta, y) the eigenpairs of H, x = V y a Ritz vector, r = K x -
// theta M x its residual, w = P^-1 r its correction by the rough factor P of K - sigma M; b_ is the
// number of columns per block.
#include "solve/block_davidson.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "femflex/parallel.h"

#include "dense/symmetric_eigen.h"
#include "dense/tall_products.h"
#include "solve/lanczos_basis.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// blocks of the basis beyond the wanted pairs
constexpr Index kMoreBlocks = 8;
// a restart keeps one third of the unwanted Ritz vectors
constexpr Index kKeptThird = 3;
// blocks of pairs, from the first one that has not converged, whose residuals are looked at first
constexpr Index kLookedAt = 3;
// The search is given up after kFirstBlocks blocks and kColumnsPerPair columns for each pair, twice
// what a good factor takes.
constexpr Index kFirstBlocks = 20;
constexpr Index kColumnsPerPair = 8;
// Directions whose squared length, relative to the longest, is below this are round-off of the Gram
// matrix. What is left of unit columns in the second pass is one, or was round-off.
constexpr double kGramRoundOff = 1e-14;
constexpr double kWasRoundOff = 0.1;
// change of theta, relative to it, up to which a converged pair still is one
constexpr double kSameTheta = 1e-9;
// The error of a theta, relative to it, is about the square of its relative residual over its
// relative distance from other eigenvalues. That of the pair after the wanted ones estimates the
// next eigenvalue if its residual is below this share of its distance from the last wanted one.
constexpr double kNextShare = 0.3;
constexpr double kNextResidual = 1e-3;  // with which it does in any case

Index basis_columns(std::int64_t count, const DavidsonOptions& options) {
  return 2 * count + kMoreBlocks * options.block;
}

class BlockDavidson {
 public:
  BlockDavidson(const ShiftedFactor& factor,
                std::int64_t count,
                const MatrixXd& locked,
                const DavidsonOptions& options,
                Progress& progress)
      : factor_(factor),
        threads_(factor.threads()),
        times_K_(factor.K(), threads_),
        times_M_(factor.M(), threads_),
        count_(count),
        locked_(locked),
        options_(options),
        progress_(progress),
        n_(factor.size()),
        b_(std::min<Index>(options.block, n_ - locked.cols())),
        columns_(std::min(basis_columns(count, options), n_ - locked.cols())),
        V_(n_, columns_),
        MV_(n_, columns_),
        KV_(n_, columns_) {
    H_.setZero(columns_, columns_);
    if (locked_.cols() > 0) M_locked_ = symmetric_product(factor.M(), locked_, threads_);
  }

  RitzPairs run() {
    const DenseThreads alone(1);
    progress_.begin("modes", static_cast<double>(count_), "modes");
    MatrixXd W = symmetric_product(factor_.M(), random_columns(), threads_);
    const Index most = kFirstBlocks + kColumnsPerPair * count_ / b_;
    bool done = false;
    for (Index block = 0; block < most && !done; ++block) {
      correct(W);
      if (!append(W)) break;
      if (!find_ritz_pairs() || is_hopeless()) break;
      done = choose_residuals(W);
      if (!done && k_ + W.cols() > columns_) shrink();
    }
    return harvest(done);
  }

 private:
  MatrixXd random_columns() const {
    std::mt19937_64 random(options_.seed);
    MatrixXd R(n_, b_);
    for (double& value : R.reshaped())
      value = 0x1p-63 * static_cast<double>(random()) - 1.0;
    return R;
  }

  /// W <- P^-1 W.
  void correct(MatrixXd& W) {
    factor_.solve(W);
    solves_ += W.cols();
    progress_.step(static_cast<double>(converged_));
  }

  void remove_known(MatrixXd& W) const {
    if (locked_.cols() > 0)
      add_tall_product(W, locked_, tall_transposed_product(M_locked_, W, threads_), -1.0, threads_);
    if (k_ > 0)
      add_tall_product(W,
                       V_.leftCols(k_),
                       tall_transposed_product(MV_.leftCols(k_), W, threads_),
                       -1.0,
                       threads_);
  }

  /// Adds W to the basis, M-orthonormal, without directions that the basis holds already; false if
  /// none is left.
  bool append(const MatrixXd& more) {
    constexpr int kPasses = 2;  // of orthogonalisation [Parlett 1998]
    MatrixXd W = more;
    MatrixXd MW;
    for (int pass = 0; pass < kPasses; ++pass) {
      // columns of very different lengths would hide each other in the Gram matrix
      W.colwise().normalize();
      remove_known(W);
      MW.resize(n_, W.cols());
      times_M_(W, MW);
      const MatrixXd G = tall_transposed_product(W, MW, threads_);
      const DenseEigen pairs = symmetric_eigen(0.5 * (G + G.transpose()));
      const Index all = pairs.values.size();
      const double floor = pass == 0 ? kGramRoundOff : kWasRoundOff;
      Index lost = 0;
      while (lost < all && !(pairs.values(lost) > floor * pairs.values(all - 1)))
        ++lost;
      if (lost == all || !pairs.ok) return false;
      const MatrixXd to = pairs.vectors.rightCols(all - lost) *
                          pairs.values.tail(all - lost).cwiseSqrt().cwiseInverse().asDiagonal();
      MatrixXd unit(n_, all - lost);
      set_tall_product(unit, W, to, threads_);
      W.swap(unit);
      unit.resize(n_, all - lost);
      set_tall_product(unit, MW, to, threads_);
      MW.swap(unit);
    }
    const Index added = W.cols();
    V_.middleCols(k_, added) = W;
    MV_.middleCols(k_, added) = MW;
    times_K_(W, KV_.middleCols(k_, added));
    H_.block(0, k_, k_ + added, added) =
        tall_transposed_product(V_.leftCols(k_ + added), KV_.middleCols(k_, added), threads_);
    k_ += added;
    return true;
  }

  /// Eigenpairs of H; pairs whose theta has changed have to converge again. False if there are
  /// numbers that are not finite.
  bool find_ritz_pairs() {
    MatrixXd H = H_.topLeftCorner(k_, k_);
    // the measured column V' K v is in the upper triangle
    H.triangularView<Eigen::StrictlyLower>() = H.transpose();
    DenseEigen pairs = symmetric_eigen(std::move(H));
    if (!pairs.ok || !pairs.values.allFinite()) return false;
    const auto is_as_before = [&](Index i) {
      return std::abs(pairs.values(i) - theta_(i)) <=
             kSameTheta * (std::abs(theta_(i)) + options_.negligible);
    };
    Index same = 0;
    while (same < std::min(converged_, theta_.size()) && is_as_before(same))
      ++same;
    converged_ = same;
    theta_ = std::move(pairs.values);
    Y_ = std::move(pairs.vectors);
    return true;
  }

  /// True if the wanted pairs lie so close to zero that sigma hides them. Ritz values are upper
  /// bounds of eigenvalues.
  bool is_hopeless() const {
    constexpr Index kTrial = 4;  // blocks beside two columns for each pair, for good Ritz values
    constexpr double kHidden = 0.2;  // of |sigma|
    return factor_.sigma() < 0.0 && k_ > kTrial * b_ + 2 * count_ &&
           theta_(count_ - 1) < kHidden * std::abs(factor_.sigma());
  }

  /// K x - theta M x of `count` pairs from `first` on, and their sizes relative to |K x| +
  /// |negligible M x|, so that motions without strain energy converge as well.
  VectorXd residuals(Index first, Index count, MatrixXd& R) const {
    const MatrixXd y = Y_.middleCols(first, count);
    R.resize(n_, count);
    MatrixXd MX(n_, count);
    set_tall_product(R, KV_.leftCols(k_), y, threads_);
    set_tall_product(MX, MV_.leftCols(k_), y, threads_);
    const VectorXd size = R.colwise().norm() + options_.negligible * MX.colwise().norm();
    R -= MX * theta_.segment(first, count).asDiagonal();
    return R.colwise().norm().transpose().cwiseQuotient(size);
  }

  /// W <- the largest residuals of wanted pairs, with which the basis grows, then those of pairs
  /// above them; true if all wanted pairs have converged, and the pair after them estimates the
  /// next eigenvalue. As long as pairs are coarse, their residuals are almost combinations of b_
  /// vectors, so that those of the next few pairs serve all.
  bool choose_residuals(MatrixXd& W) {
    const Index first = converged_;
    MatrixXd R;
    VectorXd relative;
    std::vector<Index> wanted, others;
    Index end = first;
    do {
      const Index begin = end;
      end = std::min({k_, std::max(count_ + 1, first + b_), begin + kLookedAt * b_});
      MatrixXd more;
      const VectorXd sizes = residuals(begin, end - begin, more);
      R.conservativeResize(n_, end - first);
      R.rightCols(end - begin) = more;
      relative.conservativeResize(end - first);
      relative.tail(end - begin) = sizes;
      for (Index j = begin - first; j < end - first; ++j) {
        const bool is_wanted = first + j < count_;
        if (!(relative(j) <= options_.residual))
          (is_wanted ? wanted : others).push_back(j);
        else if (is_wanted && first + j == converged_)
          ++converged_;
      }
    } while (std::ssize(wanted) < b_ && end < std::min(k_, count_ + 1));
    next_above_ = end > count_ ? estimate_of_next(relative(count_ - first)) : 0.0;
    std::sort(
        wanted.begin(), wanted.end(), [&](Index a, Index b) { return relative(a) > relative(b); });
    wanted.insert(wanted.end(), others.begin(), others.end());
    wanted.resize(static_cast<std::size_t>(std::min<std::ptrdiff_t>(b_, std::ssize(wanted))));
    W = R(Eigen::all, wanted);
    return converged_ >= count_ && (!options_.needs_next || next_above_ > 0.0 || k_ <= count_);
  }

  /// Estimates the eigenvalue after the wanted ones by its pair; 0 if that is too coarse.
  double estimate_of_next(double relative) const {
    const double next = theta_(count_);
    const double distance = 1.0 - theta_(count_ - 1) / next;
    if (!(relative <= std::max(kNextShare * distance, kNextResidual))) return 0.0;
    return next * (1.0 - relative * relative / std::max(distance, relative));
  }

  /// Restart with the best Ritz vectors.
  void shrink() {
    const Index keep = std::min(k_ - b_, count_ + std::max<Index>(b_, (k_ - count_) / kKeptThird));
    for (MatrixXd* each : {&V_, &MV_, &KV_})
      rotate_rows(*each, Y_.topLeftCorner(k_, keep), threads_);
    H_.setZero();
    H_.topLeftCorner(keep, keep).diagonal() = theta_.head(keep);
    k_ = keep;
  }

  RitzPairs harvest(bool done) {
    RitzPairs out;
    out.converged = done;
    out.solves = solves_;
    out.block = static_cast<int>(b_);
    out.next_above = next_above_;
    if (done) {
      out.lambda = theta_.head(count_);
      out.X.resize(n_, count_);
      set_tall_product(out.X, V_.leftCols(k_), Y_.topLeftCorner(k_, count_), threads_);
    }
    progress_.end();
    return out;
  }

  const ShiftedFactor& factor_;
  int threads_;
  SymmetricProduct times_K_, times_M_;
  Index count_;
  const MatrixXd& locked_;
  MatrixXd M_locked_;
  DavidsonOptions options_;
  Progress& progress_;
  Index n_ = 0, b_ = 0, columns_ = 0;
  MatrixXd V_, MV_, KV_;  // V, M V, K V
  MatrixXd H_;            // upper triangle
  Index k_ = 0;           // number of columns of V
  VectorXd theta_;
  MatrixXd Y_;
  Index converged_ = 0;      // number of the lowest pairs that have converged
  double next_above_ = 0.0;  // see RitzPairs
  std::int64_t solves_ = 0;
};

}  // namespace

Index davidson_vectors(std::int64_t count, const DavidsonOptions& options) {
  return 3 * basis_columns(count, options);  // V, M V, K V
}

RitzPairs block_davidson(const ShiftedFactor& factor,
                         std::int64_t count,
                         const Eigen::MatrixXd& locked,
                         const DavidsonOptions& options,
                         Progress& progress) {
  return BlockDavidson(factor, count, locked, options, progress).run();
}

}  // namespace femflex::modal
