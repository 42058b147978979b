// Chooses the fixed-interface modes of a Craig-Bampton set by the error of the interface frequency
// response: docs/theory/modal.md eq. (16), (17). Where a Craig-Chang set with fewer modes has an
// error as small, that set is taken.
//
// The condensed dynamic stiffness of the interface is Z(w) = Z_bb - Z_bi Z_ii^-1 Z_ib (b interface,
// i interior). With all fixed-interface modes and structural damping (1 + i g) K,
//   Z = (1 + i g) (k_bb - s m_bb - sum_j s^2 p_j p_j' / (lambda_j - s)),  s = w^2 / (1 + i g),
// with p_j the coupling mass of mode j. InterfaceSampler gives the full Z, which includes the modes
// that are not computed.
#include "methods/automatic.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "dense/symmetric_eigen.h"
#include "methods/craig_bampton.h"
#include "methods/craig_chang.h"
#include "methods/free_set_response.h"
#include "methods/interface_error.h"
#include "methods/interface_response.h"
#include "methods/response_search.h"
#include "solve/hertz.h"
#include "solve/projection.h"
#include "solve/rigid_columns.h"
#include "solve/rigid_modes.h"

namespace femflex::modal {
namespace {

constexpr double kLossFactor = 0.02;  // structural damping i g K on both sides of a comparison
constexpr int kSamples = 16;          // number of frequencies in the band to begin with
// maximum number of rounds that add frequencies at which the choice errs
constexpr int kRounds = 16;
// largest error with all candidates, relative to the tolerance
constexpr double kCandidates = 0.25;
// first frequency limit of the candidates and of the sampler, relative to the band's end
constexpr double kFirstReach = 1.5;
constexpr double kReachGrowth = 1.6;  // factor by which that limit grows
// Candidates beyond this multiple of the band's end are found by number, not by frequency.
// kFirstCount is the first number, kMaxCandidates the largest.
constexpr double kMaxReach = 400.0;
constexpr std::int64_t kFirstCount = 10;
constexpr std::int64_t kMaxCandidates =
    2000;  // above this, their dense problems would take longer than the sparse one
// share of the tolerance used at the points, because the error between them may be larger
constexpr double kMargin = 0.95;

// largest relative distance of two frequencies that count as one
constexpr double kSameFrequency = 1e-6;

bool is_wide(const Interface& inter) {
  return inter.k_bb.rows() > kWidestInterface;
}

/// The smallest choice of modes found that meets the tolerance. Ranks the modes by the error that
/// leaving out each one causes, takes as many of the first as needed, and then drops those without
/// which the tolerance is still met.
Choice smallest_choice(const Interface& inter,
                       const InterfaceScale& scale,
                       std::vector<Target>& targets,
                       double tolerance,
                       Progress& progress) {
  const Eigen::VectorXd omission_error = omission_errors(inter, scale, targets);
  Choice ranked = inter.all();
  std::stable_sort(ranked.begin(), ranked.end(), [&](Eigen::Index a, Eigen::Index b) {
    return omission_error(a) > omission_error(b);
  });
  const auto prefix = [&](std::size_t count) {
    return Choice(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count));
  };
  std::size_t low = 0;
  std::size_t high = ranked.size();
  if (meets_tolerance(inter, scale, targets, {}, tolerance)) return {};
  while (high - low > 1) {
    progress.step(0.0);
    const std::size_t middle = (low + high) / 2;
    (meets_tolerance(inter, scale, targets, prefix(middle), tolerance) ? high : low) = middle;
  }
  Choice kept = prefix(high);
  if (inter.k_bb.rows() > kWideInterface) return kept;
  for (std::size_t k = kept.size(); k-- > 0;) {  // from the mode of smallest error on
    progress.step(0.0);
    Choice fewer = kept;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
    if (meets_tolerance(inter, scale, targets, fewer, tolerance)) kept = std::move(fewer);
  }
  return kept;
}

/// Elastic resonances of the free component within the band [w^2], in ascending order, computed
/// from all candidates. With s > 0 the pencil m x = mu (k + s m) x is definite even if m is not,
/// and lambda = 1 / mu - s, which loses digits if s is far above lambda.
std::vector<double> resonances(const Interface& inter, double from, double to) {
  // lambda / s below which a motion is rigid: half the digits of 1 / mu - s
  constexpr double kRigid = 1e-8;
  const Eigen::Index nb = inter.k_bb.rows();
  const Eigen::Index n = nb + inter.lambda.size();
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(n, n);
  Eigen::MatrixXd m = Eigen::MatrixXd::Identity(n, n);
  k.topLeftCorner(nb, nb) = inter.k_bb;
  k.diagonal().tail(n - nb) = inter.lambda;
  m.topLeftCorner(nb, nb) = inter.m_bb;
  m.topRightCorner(nb, n - nb) = inter.p;
  m.bottomLeftCorner(n - nb, nb) = inter.p.transpose();
  const double s = inter.lambda.size() > 0 ? std::min(to, inter.lambda.minCoeff()) : to;
  k += s * m;
  std::vector<double> out;
  const DenseEigen pairs = generalised_eigen(m, k);
  if (!pairs.ok) return out;
  for (const double mu : pairs.values) {
    const double lambda = mu > 0.0 ? 1.0 / mu - s : -1.0;
    if (lambda > std::max(from, kRigid * s) && lambda < to) out.push_back(lambda);
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// The response of the full model over the band, at resonances and at points so close that between
/// two of them no error exceeds the errors at both.
std::vector<Target> response_points(const Interface& inter,
                                    InterfaceSampler& sampler,
                                    const InterfaceScale& scale,
                                    const FeModel& model,
                                    const FrequencyBand& band,
                                    Progress& progress) {
  constexpr Eigen::Index kMaxDenseOrder = 3000;  // largest order of the dense eigenproblem
  const double to = eigenvalue_of_hz(model, band.to_hz);
  std::vector<double> hz;
  if (inter.k_bb.rows() + inter.lambda.size() <= kMaxDenseOrder)
    for (const double w2 : resonances(inter, eigenvalue_of_hz(model, band.from_hz), to))
      hz.push_back(hz_of_eigenvalue(model, w2));
  double last = hz.empty() ? 0.0 : hz.back();
  if (inter.lambda.size() > 0)
    last = std::max(last, hz_of_eigenvalue(model, inter.lambda.maxCoeff()));
  std::vector<Target> points;
  for (const double f : response_frequencies({.band = band,
                        .resonances = std::move(hz),
                        .last_resonance = last > 0.0 ? last : band.to_hz,
                        .relative_step = search_step(sampler, to),
                        .nearest = kSameFrequency})) {
    progress.step(0.0);
    points.push_back(target_of(scale, sampler.at(eigenvalue_of_hz(model, f))));
  }
  return points;
}

void check_options(const ReduceOptions& options) {
  if (!options.band)
    throw UsageError(
        "band", "--method auto needs a frequency band", {}, "give one, for example --band 0-100Hz");
  if (!(options.tolerance > 0.0 && options.tolerance < 1.0))
    throw UsageError("tolerance",
                     fmt::format("the tolerance is {}", options.tolerance),
                     {},
                     "give a number between 0 and 1 (--tolerance)");
}

/// The search: candidates, frequencies at which a choice is tested, and the kept modes.
class AutomaticChoice {
 public:
  AutomaticChoice(const FeModel& model,
                  const ReduceOptions& options,
                  Diagnostics& diagnostics,
                  Progress& progress,
                  ReduceReport& report)
      : model_(model),
        options_(options),
        progress_(progress),
        report_(report),
        solver_(model, options.solve, diagnostics),
        possible_(solver_.possible_modes()),
        sampler_(solver_, kLossFactor),
        scale_(sampler_.k_bb(), sampler_.m_bb()) {
    // else the motions of a free part would be resonances near 0 Hz, and start the points there
    const System& system = solver_.parts().system;
    if (const std::optional<Eigen::MatrixXd> rigid =
            zero_energy_motions(system.K, system.M, rigid_columns(model, system)))
      sampler_.remove_rigid_stiffness((*rigid)(solver_.parts().part.b, Eigen::all));
    sampler_.prepare_modes(eigenvalue_of_hz(model, options.band->to_hz), possible_, progress);
    inter_ = interface_of(sampler_, solver_.parts().normal);
  }

  Basis basis() {
    place_points();
    find_candidates();
    Choice kept = best_choice();
    // A sample is added where the choice errs between the samples.
    Errors errors;
    for (int round = 0;; ++round) {
      errors = errors_of(kept, kMargin * options_.tolerance);
      if (errors.peaks.empty() || round == kRounds) break;
      for (const double w2 : errors.peaks)
        targets_.push_back(target_at(w2));
      if (max_error(inter_, scale_, targets_, inter_.all()) > kCandidates * options_.tolerance)
        find_candidates();
      kept = best_choice();
    }
    if (errors.highest > options_.tolerance) {
      kept = inter_.all();
      errors = errors_of(kept, options_.tolerance);
    }
    if (std::optional<Basis> fewer = smaller_free_set(static_cast<std::int64_t>(kept.size())))
      return *std::move(fewer);
    record_curve(kept, errors.highest);
    record_reasons(kept);
    std::sort(kept.begin(), kept.end());
    return solver_.parts().basis(model_, kept);
  }

 private:
  /// The errors of a choice at and between the points.
  struct Errors {
    double highest = 0.0;
    // [w^2] of the highest errors above the tolerance that are not sampled yet
    std::vector<double> peaks;
  };

  Choice best_choice() {
    return smallest_choice(inter_, scale_, targets_, options_.tolerance, progress_);
  }

  /// The target with its size from the envelope of the response.
  Target measured(Target target) const {
    target.size = envelope_->at(hz_of_eigenvalue(model_, target.w2), target.size);
    return target;
  }
  Target target_at(double w2) { return measured(target_of(scale_, sampler_.at(w2))); }

  /// Sets the search points and the first targets, with sizes from the envelope of the response.
  void place_points() {
    const FrequencyBand& band = *options_.band;
    points_ = response_points(inter_, sampler_, scale_, model_, band, progress_);
    std::vector<ResponseEnvelope::Point> sizes;
    for (const Target& point : points_)
      sizes.push_back({hz_of_eigenvalue(model_, point.w2), point.size});
    envelope_.emplace(std::move(sizes));
    for (Target& point : points_)
      point = measured(std::move(point));
    for (int k = 1; k <= kSamples; ++k) {
      const double hz = band.from_hz + (band.to_hz - band.from_hz) * k / kSamples;
      targets_.push_back(target_at(eigenvalue_of_hz(model_, hz)));
    }
  }

  /// Adds candidates until all of them together meet the tolerance: by frequency first, and by
  /// number if the band ends far below the first mode.
  void find_candidates() {
    double error = 0.0;
    for (;; reach_ *= kReachGrowth) {
      NormalRequest request;
      request.limit = eigenvalue_of_hz(model_, reach_ * options_.band->to_hz);
      if (min_count_ > 0) request = {std::min(min_count_, possible_), std::nullopt, false};
      if (!std::exchange(are_candidates_found_, false))
        solver_.find_normal_modes(request, progress_);
      inter_ = interface_of(sampler_, solver_.parts().normal);
      error = max_error(inter_, scale_, targets_, inter_.all());
      const std::int64_t found = inter_.lambda.size();
      if (error <= kCandidates * options_.tolerance || found >= possible_ || found > kMaxCandidates)
        break;
      if (reach_ > kMaxReach) min_count_ = std::max(kFirstCount, 2 * found);
    }
    report_.solve = solver_.parts().normal.report;
    if (error > options_.tolerance)
      throw NumericalError(
          "auto",
          fmt::format("the interface response keeps an error of {:.1e} with {} of {} modes, "
                      "above the tolerance {:.1e}",
                      error,
                      inter_.lambda.size(),
                      possible_,
                      options_.tolerance),
          {},
          "widen the tolerance or narrow the band");
  }

  bool is_sampled(double w2) const {
    return std::any_of(targets_.begin(), targets_.end(), [&](const Target& sample) {
      return std::abs(sample.w2 - w2) < kSameFrequency * w2;
    });
  }

  Errors errors_of(const Choice& chosen, double tolerance) {
    return errors_of([&](const Target& target) { return error_at(inter_, scale_, target, chosen); },
                     tolerance);
  }

  /// @param error_of  the error of a set of modes at a target
  Errors errors_of(const std::function<double(const Target&)>& error_of, double tolerance) {
    constexpr std::size_t kMaxPeaksPerRound = 6;  // largest number of further samples per round
    // peaks lower than this share of the largest error are not searched
    constexpr double kRefinedShare = 0.7;
    std::vector<double> error{0.0};
    for (const Target& point : points_)
      error.push_back(error_of(point));
    error.push_back(0.0);
    Errors out;
    out.highest = *std::max_element(error.begin(), error.end());
    std::vector<std::pair<double, double>> peaks;  // error, w^2
    for (std::size_t k = 1; k <= points_.size(); ++k) {
      const double w2 = points_[k - 1].w2;
      if (!(error[k] > kRefinedShare * std::min(tolerance, out.highest) &&
            error[k] >= error[k - 1] && error[k] > error[k + 1]))
        continue;
      Peak peak{error[k], w2};
      if (!is_wide(inter_) && k > 1 && k < points_.size())
        peak = refine_peak(
            [&](double x) { return error_of(target_at(x)); }, points_[k - 2].w2, w2, points_[k].w2);
      out.highest = std::max(out.highest, peak.value);
      if (peak.value > tolerance && !is_sampled(peak.argument))
        peaks.emplace_back(peak.value, peak.argument);
    }
    std::sort(peaks.begin(), peaks.end(), std::greater<>());
    for (std::size_t k = 0; k < std::min(kMaxPeaksPerRound, peaks.size()); ++k)
      out.peaks.push_back(peaks[k].second);
    return out;
  }

  /// A Craig-Chang set that was tried.
  struct FreeSet {
    Basis basis;
    std::vector<double> elastic;     // [1/time^2] eigenvalues of its elastic modes
    std::int64_t first_elastic = 1;  // number of the first of them
    double error = std::numeric_limits<double>::infinity();  // if its matrices are not definite
  };

  FreeSet free_set(std::int64_t normal) {
    ReduceOptions options = options_;
    options.method = Method::craig_chang;
    options.normal = normal;
    options.fmax_hz.reset();
    Diagnostics known;  // the held set has told all of it
    ReduceReport report;
    FreeSet out;
    out.basis = craig_chang_basis(model_, options, known, progress_, report);
    const FreeSetResponse response(solver_.parts(), out.basis, kLossFactor);
    if (!response.is_valid()) return out;
    out.elastic = response.elastic();
    out.first_elastic = response.first_elastic();
    const auto error_of = [&](const Target& target) {
      const Eigen::MatrixXcd H = scale_.receptance(response.stiffness(target.w2), target.w2);
      return (H - target.H).norm() / target.size;
    };
    out.error = errors_of(error_of, kMargin * options_.tolerance).highest;
    free_steps_.push_back({static_cast<std::int64_t>(out.elastic.size()),
                           hz_of_eigenvalue(model_, out.elastic.empty() ? 0.0 : out.elastic.back()),
                           out.error});
    return out;
  }

  /// The smallest Craig-Chang set found with fewer than `held` elastic normal modes that meets the
  /// tolerance; none if there is none. Both kinds of sets hold one more mode for each interface
  /// DOF, if rigid modes are dropped.
  std::optional<Basis> smaller_free_set(std::int64_t held) {
    if (held < 2 || is_wide(inter_) || options_.rigid_modes == RigidModes::keep)
      return std::nullopt;
    std::int64_t low = 0;  // a number that does not meet the tolerance, or 0
    std::int64_t high = held - 1;
    FreeSet best = free_set(high);
    if (!(best.error <= options_.tolerance) && best.first_elastic > 1) {
      low = high;  // rigid modes are among the number
      high += best.first_elastic - 1;
      best = free_set(high);
    }
    if (!(best.error <= options_.tolerance)) return std::nullopt;
    while (high - low > 1) {
      const std::int64_t middle = (low + high) / 2;
      FreeSet fewer = free_set(middle);
      const bool meets = fewer.error <= options_.tolerance;
      (meets ? high : low) = middle;
      if (meets) best = std::move(fewer);
    }
    record_free_set(best, held);
    return std::move(best.basis);
  }

  void record_free_set(const FreeSet& set, std::int64_t held) {
    std::sort(free_steps_.begin(), free_steps_.end(), [](const auto& a, const auto& b) {
      return a.normal_modes < b.normal_modes;
    });
    report_.curve = free_steps_;
    for (std::size_t j = 0; j < set.elastic.size(); ++j)
      report_.kept_why.push_back(fmt::format(
          "dynamic:{} at {:.6g} Hz: a mode of the free part; {} of them do where {} with "
          "the interface held are needed",
          set.first_elastic + static_cast<std::int64_t>(j),
          hz_of_eigenvalue(model_, set.elastic[j]),
          set.elastic.size(),
          held));
  }

  /// Records the error against the number of modes, adding the most effective modes first.
  /// @param highest_error  largest error found with the kept modes at any point
  void record_curve(const Choice& kept, double highest_error) {
    const std::size_t n = kept.size();
    std::vector<std::size_t> counts{0, n / 8, n / 4, n / 2, 3 * n / 4, 7 * n / 8, n - (n > 0), n};
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    const auto stride = static_cast<std::size_t>(1 + inter_.k_bb.rows() / 12);  // b^3 at each point
    const auto add = [&](const Choice& modes) {
      double highest = 0.0;
      for (const Eigen::Index j : modes)
        highest = std::max(highest, inter_.lambda(j));
      report_.curve.push_back({static_cast<std::int64_t>(modes.size()),
                               hz_of_eigenvalue(model_, highest),
                               modes.size() == n
                                   ? highest_error
                                   : std::max(max_error(inter_, scale_, targets_, modes),
                                              max_error(inter_, scale_, points_, modes, stride))});
    };
    for (const std::size_t count : counts)
      add(Choice(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(count)));
    if (inter_.lambda.size() > static_cast<Eigen::Index>(n)) add(inter_.all());
  }

  /// Records what each kept mode contributes.
  void record_reasons(const Choice& kept) {
    const Eigen::VectorXd omission_error = omission_errors(inter_, scale_, targets_);
    Choice rising = kept;
    std::sort(rising.begin(), rising.end());
    for (const Eigen::Index j : rising)
      report_.kept_why.push_back(
          fmt::format("dynamic:{} at {:.6g} Hz: without it the interface response errs by {:.1e}",
                      j + 1,
                      hz_of_eigenvalue(model_, inter_.lambda(j)),
                      omission_error(j)));
  }

  const FeModel& model_;
  const ReduceOptions& options_;
  Progress& progress_;
  ReduceReport& report_;
  CraigBamptonSolver solver_;
  std::int64_t possible_;  // number of normal modes that exist
  InterfaceSampler sampler_;
  InterfaceScale scale_;
  Interface inter_;                           // interface with all candidates found so far
  std::optional<ResponseEnvelope> envelope_;  // set by place_points()
  // frequencies so close that an error at any of them shows every peak of the error
  std::vector<Target> points_;
  std::vector<Target> targets_;  // the few frequencies at which a choice must meet the tolerance
  std::vector<ReduceReport::AutoStep> free_steps_;  // Craig-Chang sets that were tried
  // frequency limit of the candidates, relative to the band's end
  double reach_ = kFirstReach;
  std::int64_t min_count_ = 0;  // number of candidates to find; 0: found by frequency
  // true until find_candidates() searches: the sampler has then found the first candidates
  bool are_candidates_found_ = true;
};

}  // namespace

Basis automatic_basis(const FeModel& model,
                      const ReduceOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress,
                      ReduceReport& report) {
  check_options(options);
  return AutomaticChoice(model, options, diagnostics, progress, report).basis();
}

}  // namespace femflex::modal
