// Finds normal modes by dense matrices if the model is small, else by the Lanczos method, or by the
// Davidson method where a factor in single precision suffices. A Sturm count (the number of
// negative pivots of K - sigma M) shows whether pairs are missing, which are then searched for.
#include "solve/normal_modes.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/seconds.h"

#include "solve/block_davidson.h"
#include "solve/block_lanczos.h"
#include "solve/dense_modes.h"
#include "solve/dense_pairs.h"
#include "solve/mode_errors.h"
#include "solve/polish.h"
#include "solve/projection.h"
#include "solve/shift_above.h"
#include "solve/spectrum_slices.h"

namespace femflex::modal {
namespace {

using Clock = std::chrono::steady_clock;

/// Appends pairs found later to those found before.
void join(Eigen::VectorXd& lambda, Eigen::MatrixXd& X, const RitzPairs& more) {
  if (more.lambda.size() == 0) return;
  const Eigen::Index old = lambda.size();
  lambda.conservativeResize(old + more.lambda.size());
  lambda.tail(more.lambda.size()) = more.lambda;
  X.conservativeResize(Eigen::NoChange, old + more.X.cols());
  X.rightCols(more.X.cols()) = more.X;
}

/// One search for the lowest pairs: by dense matrices, or by iteration and a Sturm count.
class Search {
 public:
  Search(ShiftedFactor& factor,
         const Eigen::MatrixXd& rigid,
         const NormalRequest& request,
         const SolveOptions& options,
         Progress& progress)
      : factor_(factor),
        rigid_(rigid),
        request_(request),
        options_(options),
        progress_(progress),
        known_(rigid.cols()) {}

  NormalModes run() {
    decide_count();
    if (request_.foretell) request_.foretell(count_);
    const Eigen::Index n = factor_.size();
    if (request_.all || (suits_dense(n, count_) && is_automatic())) {
      const double seconds_check = out_.report.seconds_check;
      out_ = dense_modes(factor_, rigid_, request_, count_, options_.shift);
      out_.report.seconds_check = seconds_check;
    } else {
      iterate();
      if (options_.sturm_check && out_.lambda.size() > 0) find_missed();
      keep(std::min<Eigen::Index>(count_, out_.lambda.size()));
    }
    out_.report.unknowns = n;
    out_.report.backend = factor_.backend();
    out_.report.rigid_modes = std::min<std::int64_t>(known_, out_.lambda.size());
    out_.report.seconds_order = factor_.seconds_order();
    out_.report.seconds_factor = factor_.seconds_factor();
    fix_signs();
    return std::move(out_);
  }

 private:
  // |OP x - theta x| / theta of a Ritz pair: a tenth of the requested residual, but at most
  // kRitzTolerance; the same share for DavidsonOptions::residual
  static constexpr double kRitzTolerance = 1e-10;
  static constexpr double kRitzShare = 0.1;
  // Distance from an eigenvalue at which a Sturm count is certain: the larger of a share of the
  // eigenvalue's distance from the shift and, because of its round-off, a share of the shift
  static constexpr double kCountDistance = 1e-7;
  // Sturm counts are tried at these distances, one after the other, because on fine meshes a
  // factorisation cannot separate eigenvalues that are as close together as polished pairs
  static constexpr std::array kCountDistances{kCountDistance, 1e-6, 1e-5, 1e-4};
  static constexpr double kShiftDistance = 1e-3;
  // likely distance of an eigenvalue from the user's limit, relative to the limit: a quarter of the
  // usual distance between some twenty eigenvalues
  static constexpr double kLimitDistance = 1e-2;
  // distance relative to the user's limit within which a pair is on the limit
  static constexpr double kLimitTolerance = 1e-9;
  static constexpr unsigned kNextSeed = 7;  // changes the random start; any number would do
  // number of fruitless searches for missed modes after which no further search is made
  static constexpr int kMaxFruitlessRounds = 3;

  /// A limit `at` up to which eigenvalues are counted: how many exist below it, and how many of
  /// them were found.
  struct EigenvalueCount {
    double at = 0.0;
    std::int64_t below = 0, found = 0;
    bool is_counted = true;
  };

  bool is_automatic() const { return options_.eigensolver == Eigensolver::automatic; }

  /// Determines the number of modes wanted; with a limit, `count` is the largest number.
  void decide_count() {
    const std::int64_t exist = dofs_with_mass(factor_.M());
    if (request_.count > exist && !request_.limit && (!request_.at_most || exist == 0))
      throw_too_many(request_.count, exist);
    count_ = std::min(request_.count, exist);
    const Eigen::Index n = factor_.size();
    if (request_.all && n > kMaxDenseOrder)
      throw ModelError("too-many-modes",
                       fmt::format("all modes of {} DOFs are requested", n),
                       {},
                       fmt::format("request a number of modes; all of them are available up to {} "
                                   "DOFs",
                                   kMaxDenseOrder));
    const bool is_dense_anyway = request_.all || (suits_dense(n, 0) && is_automatic());
    if (!request_.limit || is_dense_anyway) return;
    const auto start = Clock::now();
    // rigid modes count as below any limit, although round-off of K may resist them
    const double limit = *request_.limit;
    below_limit_ =
        std::max<std::int64_t>(known_, factor_.count_below(limit, kLimitDistance * limit));
    count_ = count_ > 0 ? std::min(count_, below_limit_) : below_limit_;
    out_.report.seconds_check += seconds_since(start);
  }

  /// Factors K - sigma M with sigma below all modes. If K itself is definite, sigma is zero, so
  /// that one factorisation serves for modes and static solutions.
  void take_shift() {
    shift_ = options_.shift.value_or(0.0);
    check_shift();
    if (!options_.shift && (known_ > 0 || !factor_.at(0.0) || factor_.inertia().negative > 0)) {
      factor_.at_negative_shift();
      shift_ = factor_.negative_shift();
    }
    if (!factor_.at(shift_))
      throw NumericalError("singular",
                           fmt::format("K - sigma M is singular at sigma = {:.6g}", shift_),
                           {},
                           "give another shift");
    if (factor_.inertia().negative > 0) throw_indefinite_at(factor_.inertia().negative, shift_);
    report_factor(shift_);
  }

  /// Takes the pairs of a search, after the rigid modes; Spectra finds these as well.
  void take_pairs(std::string_view eigensolver, const RitzPairs& pairs) {
    out_.report.eigensolver = eigensolver;
    out_.report.solves = pairs.solves;
    out_.report.block = pairs.block;
    next_above_ = pairs.next_above;
    const bool has_rigid = eigensolver == "spectra" && pairs.lambda.size() > 0;
    out_.lambda = Eigen::VectorXd::Zero(has_rigid ? 0 : known_);
    out_.X = rigid_.leftCols(out_.lambda.size());
    join(out_.lambda, out_.X, pairs);
  }

  void report_factor(double shift) {
    out_.report.shift = shift;
    out_.report.factor_entries = factor_.entries();
    out_.report.factor_flops = factor_.flops();
    out_.report.factor_memory = factor_.memory();
  }

  /// Checks the shift. If it is far below the modes, K - sigma M is close to -sigma M and the modes
  /// cannot be separated.
  void check_shift() const {
    const Eigen::VectorXd k = factor_.K().diagonal();
    const Eigen::VectorXd m = factor_.M().diagonal();
    double largest_ratio = 0.0;
    for (Eigen::Index i = 0; i < k.size(); ++i)
      if (m(i) > 0.0) largest_ratio = std::max(largest_ratio, k(i) / m(i));
    if (!options_.shift || shift_ >= -largest_ratio) return;
    throw UsageError(
        "shift",
        fmt::format("a shift of {:.6g} is too far below the modes: the largest "
                    "k_ii / m_ii is {:.3g}",
                    shift_,
                    largest_ratio),
        {},
        "leave --shift out, or give one near the lowest eigenvalue [1/time^2 of the model]");
  }

  /// Factors K - sigma M in single precision, with sigma just above the wanted pairs if possible.
  /// Returns the number of eigenvalues below sigma; nullopt without such a factor.
  std::optional<std::int64_t> take_shift_above() {
    if (request_.limit && factor_.is_rough() && below_limit_ <= most_below(count_))
      return below_limit_;  // the factor of the count is that of the search
    if (!request_.places) return std::nullopt;
    const std::optional<Eigen::VectorXd> bounds = spline_eigenvalues(
        factor_.K(), factor_.M(), request_.places(), most_below(count_) + 1, factor_.threads());
    if (!bounds) return std::nullopt;
    return factor_above(factor_, *bounds, count_, known_);
  }

  /// Finds the pairs with a factor in single precision where that pays; false if it does not, or if
  /// the pairs do not converge so.
  bool iterate_in_single() {
    std::int64_t wanted = count_ - known_;
    DavidsonOptions davidson{.residual = kRitzShare * options_.residual};
    if (options_.shift || options_.block > 0 || options_.eigensolver != Eigensolver::automatic ||
        !options_.sturm_check || wanted <= 0 ||
        !factor_.suits_single(wanted, davidson_vectors(wanted, davidson)))
      return false;
    const auto start = Clock::now();
    const double factored = factor_.seconds_factor();
    const bool was_rough = factor_.is_rough();
    const std::optional<std::int64_t> below = take_shift_above();
    const bool has_factor = below || factor_.at_single_shift();
    RitzPairs pairs;
    if (has_factor) {
      if (below && *below >= count_) {  // the factor counts as well
        counted_ = EigenvalueCount{factor_.sigma(), *below, *below, true};
        wanted = *below - known_;
      }
      davidson.negligible = std::abs(factor_.single_shift().value_or(0.0));
      davidson.needs_next = !counted_;
      pairs = block_davidson(factor_, wanted, rigid_, davidson, progress_);
    }
    if (pairs.converged) {
      // where the factor of the count served the search, its time is that of a factor alone
      if (was_rough && factor_.seconds_factor() == factored) out_.report.seconds_check = 0.0;
      shift_ = factor_.negative_shift();
      take_pairs("block-davidson", pairs);
      report_factor(factor_.sigma());
      sort_and_polish();
      polish_soft_pairs();
    } else {
      counted_.reset();
    }
    out_.report.seconds_modes += seconds_since(start) - (factor_.seconds_factor() - factored);
    return pairs.converged;
  }

  /// Polishes pairs so soft that the search left them coarse, with a factor below them.
  void polish_soft_pairs() {
    constexpr double kStillCoarse = 10.0;  // of the residual wanted, worth an exact factor
    double& worst = out_.report.worst_residual;
    if (worst > options_.residual && factor_.sigma() > 0.0 && factor_.at_single_shift())
      sort_and_polish();
    if (worst > kStillCoarse * options_.residual) {
      take_shift();
      sort_and_polish();
    }
  }

  /// Finds many pairs in slices of the spectrum; false if one search is faster, or if the slices do
  /// not reach the residual wanted.
  bool iterate_in_slices() {
    const std::int64_t wanted = count_ - known_;
    if (options_.eigensolver == Eigensolver::spectra || options_.shift || !options_.sturm_check)
      return false;
    const std::int64_t slices = slice_count(factor_, wanted);
    if (slices == 1) return false;
    const auto start = Clock::now();
    const double factored = factor_.seconds_factor();
    const RitzPairs pairs = spectrum_slices(factor_, wanted, slices, rigid_, lanczos_, progress_);
    const bool is_found = factor_.at(shift_) && pairs.converged;
    if (is_found) {
      take_pairs("block-lanczos", pairs);
      sort_and_polish();
    }
    out_.report.seconds_modes += seconds_since(start) - (factor_.seconds_factor() - factored);
    return is_found && out_.report.worst_residual <= options_.residual;
  }

  void iterate() {
    lanczos_.block = options_.block;
    lanczos_.tolerance = std::min(kRitzTolerance, kRitzShare * options_.residual);
    if (iterate_in_single()) return;
    take_shift();
    if (iterate_in_slices()) return;
    const auto start = Clock::now();
    const bool spectra = options_.eigensolver == Eigensolver::spectra;
    RitzPairs pairs;
    const std::int64_t wanted = std::max<std::int64_t>(0, count_ - known_);
    if (wanted > 0) {
      const auto search = [&] {
        return spectra ? spectra_lanczos(factor_, count_, lanczos_.tolerance, progress_)
                       : block_lanczos(factor_, wanted, rigid_, lanczos_, progress_);
      };
      pairs = search();
      if (!pairs.converged && shift_ == 0.0 && !options_.shift) {
        // one very soft mode dominates K^-1 and hides the others, so move the shift further below
        factor_.at_negative_shift();
        shift_ = factor_.negative_shift();
        out_.report.shift = shift_;
        pairs = search();
      }
      if (!pairs.converged)
        throw NumericalError(
            "no-convergence",
            options_.shift
                ? fmt::format("from a shift of {:.6g} the modes cannot be separated", shift_)
                : fmt::format("not all of {} modes converged", wanted),
            {},
            options_.shift ? "leave --shift out, or give one near the lowest "
                             "eigenvalue [1/time^2 of the model]"
                           : "request fewer modes, or give a larger --block");
      if (!spectra && pairs.exhausted && pairs.lambda.size() < wanted) {
        const std::int64_t exist = known_ + pairs.lambda.size();
        if (!request_.at_most) throw_too_many(count_, exist);
        count_ = exist;
      }
    }
    take_pairs(spectra ? "spectra" : "block-lanczos", pairs);
    sort_and_polish();
    out_.report.seconds_modes += seconds_since(start);
  }

  EigenvalueCount count_eigenvalues() {
    EigenvalueCount out;
    const auto found_below = [&](double at) -> std::int64_t {
      return (out_.lambda.array() < at).count();
    };
    if (counted_) {
      counted_->found = found_below(counted_->at);
      return *counted_;
    }
    if (request_.limit && count_ == below_limit_) {  // already counted
      // a pair on the limit itself may have been counted or not
      const double distance = kLimitTolerance * std::abs(*request_.limit);
      out = {*request_.limit, below_limit_, found_below(*request_.limit - distance)};
      if (out.found < out.below)
        out.found = std::min(out.below, found_below(*request_.limit + distance));
      return out;
    }
    const double last = out_.lambda(std::min<Eigen::Index>(count_, out_.lambda.size()) - 1);
    for (const double part : kCountDistances) {
      const double distance = std::max(part * (last - shift_), kShiftDistance * std::abs(shift_));
      out.at = next_above_ > last + 2.0 * distance ? 0.5 * (last + next_above_) : last + distance;
      out.found = out.below = found_below(out.at);
      try {
        if (factor_.size() != out_.lambda.size())
          out.below = factor_.count_below(out.at, out.at - last);
        out.is_counted = true;
      } catch (const NumericalError&) {
        // the modes are so soft that the round-off of K decides the count
        out.is_counted = false;
        continue;
      }
      if (out.below >= out.found) break;
    }
    return out;
  }

  /// True if all missing modes are further copies of the last requested eigenvalue. The user gets
  /// only as many copies of a multiple eigenvalue as fit into the requested number of modes.
  bool has_enough_copies() {
    if (request_.limit || out_.lambda.size() < count_) return false;
    const double last = out_.lambda(count_ - 1);
    const double at =
        last - std::max(kCountDistance * (last - shift_), kShiftDistance * std::abs(shift_));
    const std::int64_t found = (out_.lambda.array() < at).count();
    if (found < known_ || factor_.count_below(at, last - at) != found) return false;
    out_.report.sturm_expected = count_;
    return true;
  }

  /// Counts the eigenvalues below the last one found by Sturm sequences [Grimes 1994] and searches
  /// for those that are missing, mostly copies of multiple ones, until the count is met.
  void find_missed() {
    const auto start = Clock::now();
    std::int64_t missing = factor_.size();
    int fruitless_rounds = 0;
    while (true) {
      const auto [at, below, found, is_counted] = count_eigenvalues();
      out_.report.sturm_expected = !is_counted ? -1 : counted_ && below == found ? count_ : below;
      if (below == found || (below > found && has_enough_copies())) break;
      if (below < found)
        throw NumericalError(
            "sturm",
            fmt::format("{} eigenvalues found below {:.9g}, but there are {}", found, at, below));
      fruitless_rounds = below - found < missing ? 0 : fruitless_rounds + 1;
      missing = below - found;
      if (!factor_.at(shift_) || factor_.inertia().negative > 0) take_shift();
      lanczos_.seed += kNextSeed;
      next_above_ = 0.0;
      const RitzPairs more = block_lanczos(factor_, missing, out_.X, lanczos_, progress_);
      if (!more.converged || more.lambda.size() == 0 || fruitless_rounds == kMaxFruitlessRounds)
        throw NumericalError(
            "sturm",
            fmt::format("{} of {} eigenvalues below {:.9g} not found", missing, below, at));
      join(out_.lambda, out_.X, more);
      sort_and_polish();
    }
    out_.report.seconds_check += seconds_since(start);
  }

  void sort_and_polish() {
    // rigid modes first, even before modes that round-off puts below zero
    sort_pairs(options_.eigensolver == Eigensolver::spectra ? 0 : known_, out_.lambda, out_.X);
    const Eigen::Index rigid = std::min<Eigen::Index>(known_, out_.X.cols());
    const Eigen::VectorXd residuals =
        polish_pairs(factor_, options_.residual, rigid, out_.lambda, out_.X);
    // pairs found beyond those wanted do not count
    const Eigen::Index judged = std::min<Eigen::Index>(residuals.size(), count_ - rigid);
    out_.report.worst_residual = judged > 0 ? residuals.head(judged).maxCoeff() : 0.0;
  }

  void keep(Eigen::Index count) {
    out_.lambda.conservativeResize(count);
    out_.X.conservativeResize(Eigen::NoChange, count);
  }

  /// Makes the largest entry of each shape positive. The sign is arbitrary, but results then
  /// repeat.
  void fix_signs() {
    for (Eigen::Index j = out_.report.rigid_modes; j < out_.X.cols(); ++j) {
      Eigen::Index row = 0;
      out_.X.col(j).cwiseAbs().maxCoeff(&row);
      if (out_.X(row, j) < 0.0) out_.X.col(j) *= -1.0;
    }
  }

  ShiftedFactor& factor_;
  const Eigen::MatrixXd& rigid_;
  const NormalRequest& request_;
  const SolveOptions& options_;
  Progress& progress_;
  Eigen::Index known_ = 0;  // number of rigid modes
  std::int64_t count_ = 0;
  std::int64_t below_limit_ = -1;  // -1: not counted
  double shift_ = 0.0;
  double next_above_ = 0.0;  // see RitzPairs
  // the count by the factor of the search, if that lies above the wanted pairs
  std::optional<EigenvalueCount> counted_;
  LanczosOptions lanczos_;
  NormalModes out_;
};

}  // namespace

NormalModes normal_modes(ShiftedFactor& factor,
                         const Eigen::MatrixXd& rigid,
                         const NormalRequest& request,
                         const SolveOptions& options,
                         Progress& progress) {
  return Search(factor, rigid, request, options, progress).run();
}

}  // namespace femflex::modal
