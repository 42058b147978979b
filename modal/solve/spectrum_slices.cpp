// Finds many eigenpairs in slices of the spectrum [Grimes 1994]. The first slice lies above the
// first shift; each further one reaches from the last pair found to both sides of a new shift.
#include "solve/spectrum_slices.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

#include "femflex/parallel.h"

#include "dense/symmetric_eigen.h"
#include "solve/correction.h"
#include "solve/polish.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Reports the pairs of a slice as part of all.
class SliceProgress : public Progress {
 public:
  SliceProgress(Progress& all, std::int64_t found) : all_(all), found_(found) {}
  void update(double done) override { all_.update(static_cast<double>(found_) + done); }
  bool stop_requested() const override { return all_.stop_requested(); }

 private:
  Progress& all_;
  std::int64_t found_;
};

class Slices {
 public:
  Slices(ShiftedFactor& factor,
         std::int64_t count,
         std::int64_t slices,
         const MatrixXd& rigid,
         const LanczosOptions& options,
         Progress& progress)
      : factor_(factor),
        count_(count),
        width_((count + slices - 1) / slices),
        rigid_(rigid),
        options_(options),
        progress_(progress) {}

  RitzPairs run() {
    progress_.begin("modes", static_cast<double>(count_), "modes");
    // the last slice may find all pairs below its shift, up to a slice more than wanted
    out_.X.resize(factor_.size(), count_ + width_);
    out_.lambda.resize(count_ + width_);
    bool goes_on = search(width_, 0, rigid_);
    while (goes_on && found_ < count_) {
      const std::optional<std::int64_t> below = take_next_shift();
      goes_on = below && search_around(*below);
    }
    progress_.end();
    return harvest();
  }

 private:
  /// Adds `count` pairs near the shift, `below` of them below it; false if they do not converge.
  bool search(std::int64_t count, std::int64_t below, const MatrixXd& locked) {
    LanczosOptions options = options_;
    options.below = below;
    options.refines = refines_;
    SliceProgress progress(progress_, found_);
    const RitzPairs pairs = block_lanczos(factor_, count, locked, options, progress);
    out_.solves += pairs.solves;
    out_.block = pairs.block;
    if (!pairs.converged || pairs.exhausted || pairs.lambda.size() < count) return false;
    out_.lambda.segment(found_, count) = pairs.lambda;
    out_.X.middleCols(found_, count) = pairs.X;
    if (found_ > 0 && !remove_earlier_pairs(count)) return false;
    first_above_ = found_ + below;
    found_ += count;
    return true;
  }

  /// Makes the `count` shapes of a new slice orthogonal to all earlier ones, to round-off instead
  /// of to the tolerance of their pairs: polishing needs that, because a share of a high mode in a
  /// low one counts in its residual by the ratio of their eigenvalues. False if a shape is an
  /// earlier one, found again in place of one that was missed.
  bool remove_earlier_pairs(Index count) {
    constexpr double kFoundAgain = 0.1;  // share of a shape; else it is that tolerance
    Eigen::Ref<MatrixXd> slice = out_.X.middleCols(found_, count);
    const MatrixXd M_slice = symmetric_product(factor_.M(), slice, factor_.threads());
    const auto earlier = out_.X.leftCols(found_);
    const DenseThreads alone(1);
    for (const Eigen::Ref<const MatrixXd>& known :
         {Eigen::Ref<const MatrixXd>(rigid_), Eigen::Ref<const MatrixXd>(earlier)}) {
      if (known.cols() == 0) continue;
      const MatrixXd shares = transposed_product(known, M_slice);
      if (shares.cwiseAbs().maxCoeff() > kFoundAgain) return false;
      add_product(slice, known, shares, -1.0);
    }
    return true;
  }

  /// Finds the `below` pairs between the last pair and the shift, and as many above it as the slice
  /// has room for.
  bool search_around(std::int64_t below) {
    const std::int64_t above =
        std::min(count_ - found_ - below, std::max(width_ - below, width_ / 2));
    // the pairs above the last shift are nearest to those wanted
    const MatrixXd locked = out_.X.middleCols(first_above_, found_ - first_above_);
    return search(below + std::max<std::int64_t>(0, above), below, locked);
  }

  /// Factors K - sigma M where about half a slice of pairs is expected between the last pair and
  /// sigma: frequencies are taken to be as dense there as below. Returns the number of those pairs;
  /// nullopt if no such factor is sound.
  std::optional<std::int64_t> take_next_shift() {
    constexpr int kMaxShifts = 6;
    constexpr double kMoved = 0.9;  // share of its distance to which a bad shift is moved
    std::vector<double> known(out_.lambda.data(), out_.lambda.data() + found_);
    std::sort(known.begin(), known.end());
    const std::int64_t half = std::min<std::int64_t>(width_ / 2, found_ - 1);
    const auto frequency = [&](std::int64_t back) {
      return std::sqrt(std::max(0.0, known[static_cast<std::size_t>(found_ - 1 - back)]));
    };
    const double next = 2.0 * frequency(0) - frequency(half);
    double distance = next * next - known.back();
    for (int attempt = 0; attempt < kMaxShifts; ++attempt) {
      if (!(distance > 0.0)) return std::nullopt;  // copies of one eigenvalue fill half a slice
      if (factor_.at(known.back() + distance) && is_sound()) {
        const std::int64_t below = factor_.inertia().negative - rigid_.cols() - found_;
        if (below < 0) return std::nullopt;
        if (below <= width_) return below;
        distance *= static_cast<double>(half) / static_cast<double>(below);
      } else {
        distance *= kMoved;
      }
    }
    return std::nullopt;
  }

  /// True if the factor, which has no pivoting, solves well enough, judged by how much a step of
  /// iterative refinement changes a solution [Higham 2002]. If that is more than polishing removes,
  /// every solution is refined.
  bool is_sound() {
    // leaves residuals of the pairs of about its size, which polishing removes for less time than
    // refined solutions take
    constexpr double kSmallChange = 3e-8;
    constexpr double kLargeChange = 1e-5;  // its square is a small change
    constexpr unsigned kSeed = 11;         // any number would do
    std::mt19937 random(kSeed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    MatrixXd b(factor_.size(), 1);
    for (double& value : b.reshaped())
      value = uniform(random);
    b = symmetric_product(factor_.M(), b, factor_.threads());
    MatrixXd x = b;
    factor_.solve(x);
    Correction correct(factor_);
    correct(x, b);
    const double share = b.norm() / x.norm();
    refines_ = share > kSmallChange;
    return share <= kLargeChange;
  }

  RitzPairs harvest() {
    if (found_ < count_) return {};
    out_.lambda.conservativeResize(found_);
    out_.X.conservativeResize(Eigen::NoChange, found_);
    sort_pairs(0, out_.lambda, out_.X);
    out_.lambda.conservativeResize(count_);
    out_.X.conservativeResize(Eigen::NoChange, count_);
    out_.converged = true;
    return std::move(out_);
  }

  ShiftedFactor& factor_;
  std::int64_t count_, width_;
  const MatrixXd& rigid_;
  const LanczosOptions& options_;
  Progress& progress_;
  RitzPairs out_;  // the first found_ pairs, slice after slice
  Index found_ = 0;
  bool refines_ = false;   // the solutions of the factor held
  Index first_above_ = 0;  // the first pair above the last shift
};

}  // namespace

std::int64_t slice_count(const ShiftedFactor& factor, std::int64_t count) {
  constexpr std::int64_t kLeast = 150;  // pairs, below which a slice saves nothing
  // time of an operation of the orthogonalisation, which reads memory, over one of the factor
  constexpr double kSlower = 2.5;
  // operations per unknown and pair of pairs: 2.5 columns per pair, each made orthogonal to 1.25
  // columns per pair on average, by 4 operations
  constexpr double kOperations = 12.5;
  constexpr double kLocked = 1.4;  // the same, with the pairs of the slice before among the columns
  const double alone =
      kSlower * kOperations * static_cast<double>(factor.size()) * std::pow(count, 2);
  std::int64_t best = 1;
  double least = alone;
  for (std::int64_t slices = 2; slices <= count / kLeast; ++slices) {
    const auto parts = static_cast<double>(slices);
    // a factor for each but the first, and the first one again
    const double cost = kLocked * alone / parts + parts * factor.flops();
    if (cost >= least) continue;
    best = slices;
    least = cost;
  }
  return best;
}

RitzPairs spectrum_slices(ShiftedFactor& factor,
                          std::int64_t count,
                          std::int64_t slices,
                          const Eigen::MatrixXd& rigid,
                          const LanczosOptions& options,
                          Progress& progress) {
  return Slices(factor, count, slices, rigid, options, progress).run();
}

}  // namespace femflex::modal
