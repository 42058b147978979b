// How many modes are enough: docs/theory/modal.md eq. (16) and (17).
//
// The condensed dynamic stiffness of the interface is Z(w) = Z_bb - Z_bi Z_ii^-1 Z_ib. With all
// fixed-interface modes and structural damping (1 + i g) K,
// Z = (1 + i g) (k_bb - s m_bb - sum_j s^2 p_j p_j' / (lambda_j - s)), s = w^2 / (1 + i g), with
// p_j the coupling mass of mode j. The full Z is that of all modes, those that nobody computes
// too: InterfaceSampler gives it.
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "dense/symmetric_eigen.h"
#include "methods/component_modes.h"
#include "methods/interface_error.h"
#include "methods/interface_response.h"
#include "methods/response_search.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

constexpr double kLossFactor = 0.02;  // structural damping i g K on both sides of a comparison
constexpr int kSamples = 16;
constexpr int kRounds = 16;
constexpr double kCandidates = 0.25;  // share of the tolerance that all candidates together may use

bool is_wide(const Interface& inter) {
  return inter.k_bb.rows() > kWidest;
}

/// The fewest modes that hold the tolerance: the shortest prefix by worth, less what turns out to
/// be dispensable beside the others.
Choice fewest(const Interface& inter,
              const InterfaceScale& scale,
              std::vector<Target>& targets,
              double tolerance,
              Progress& progress) {
  const Eigen::VectorXd worth = mode_worth(inter, scale, targets);
  Choice ranked = inter.all();
  std::stable_sort(ranked.begin(), ranked.end(), [&](Eigen::Index a, Eigen::Index b) {
    return worth(a) > worth(b);
  });
  const auto prefix = [&](std::size_t count) {
    return Choice(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count));
  };
  std::size_t low = 0;
  std::size_t high = ranked.size();
  if (holds(inter, scale, targets, {}, tolerance)) return {};
  while (high - low > 1) {
    progress.step(0.0);
    const std::size_t middle = (low + high) / 2;
    (holds(inter, scale, targets, prefix(middle), tolerance) ? high : low) = middle;
  }
  Choice kept = prefix(high);
  if (inter.k_bb.rows() > kWide) return kept;
  for (std::size_t k = kept.size(); k-- > 0;) {  // the least worthy first
    progress.step(0.0);
    Choice fewer = kept;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
    if (holds(inter, scale, targets, fewer, tolerance)) kept = std::move(fewer);
  }
  return kept;
}

/// Elastic resonances of the free part between the ends of the band [w^2], rising, by all
/// candidates: with s > 0 the pencil m x = mu (k + s m) x is definite also where m is not, and
/// lambda = 1 / mu - s, which costs digits where s is far above lambda.
std::vector<double> resonances(const Interface& inter, double from, double to) {
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
    if (lambda > std::max(from, 1e-8 * s) && lambda < to) out.push_back(lambda);
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// The full response from end to end of the band, close enough that the error between two points
/// is not above both, and at resonances.
std::vector<Target> response_points(const Interface& inter,
                                    InterfaceSampler& sampler,
                                    const InterfaceScale& scale,
                                    const FeModel& model,
                                    const FrequencyBand& band,
                                    Progress& progress) {
  constexpr Eigen::Index most = 3000;
  constexpr double nearest = 1e-6;
  const double to = eigenvalue_of_hz(model, band.to_hz);
  std::vector<double> hz;
  if (inter.k_bb.rows() + inter.lambda.size() <= most)
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
                        .nearest = nearest})) {
    progress.step(0.0);
    points.push_back(target_of(scale, sampler.at(eigenvalue_of_hz(model, f))));
  }
  return points;
}

/// What a choice errs at and between `points`.
struct Errors {
  double highest = 0.0;
  std::vector<double> peaks;  // above the tolerance, where there is no sample yet: the highest ones
};

Errors errors_between(const Interface& inter,
                      const std::function<Target(double)>& target_at,
                      const InterfaceScale& scale,
                      const std::vector<Target>& points,
                      const std::vector<Target>& samples,
                      const Choice& chosen,
                      double tolerance) {
  constexpr std::size_t most = 6;
  std::vector<double> error{0.0};
  for (const Target& point : points)
    error.push_back(error_at(inter, scale, point, chosen));
  error.push_back(0.0);
  const auto is_sampled = [&](double w2) {
    return std::any_of(samples.begin(), samples.end(), [&](const Target& sample) {
      return std::abs(sample.w2 - w2) < 1e-6 * w2;
    });
  };
  Errors out;
  out.highest = *std::max_element(error.begin(), error.end());
  std::vector<std::pair<double, double>> peaks;  // error, w^2
  for (std::size_t k = 1; k <= points.size(); ++k) {
    const double w2 = points[k - 1].w2;
    if (!(error[k] > 0.7 * std::min(tolerance, out.highest) && error[k] >= error[k - 1] &&
          error[k] > error[k + 1]))
      continue;
    Summit peak{error[k], w2};
    if (!is_wide(inter) && k > 1 && k < points.size())
      peak = summit([&](double x) { return error_at(inter, scale, target_at(x), chosen); },
                    points[k - 2].w2,
                    w2,
                    points[k].w2);
    out.highest = std::max(out.highest, peak.value);
    if (peak.value > tolerance && !is_sampled(peak.place))
      peaks.emplace_back(peak.value, peak.place);
  }
  std::sort(peaks.begin(), peaks.end(), std::greater<>());
  for (std::size_t k = 0; k < std::min(most, peaks.size()); ++k)
    out.peaks.push_back(peaks[k].second);
  return out;
}

/// Error over the number of modes, the worthiest first, and what each kept one buys.
/// @param highest_error of the kept ones, wherever it was looked at
void report_choice(const FeModel& model,
                   const Interface& inter,
                   const InterfaceScale& scale,
                   const std::vector<Target>& targets,
                   const std::vector<Target>& points,
                   const Choice& kept,
                   double highest_error,
                   ReduceReport& report) {
  const std::size_t n = kept.size();
  std::vector<std::size_t> counts{0, n / 8, n / 4, n / 2, 3 * n / 4, 7 * n / 8, n - (n > 0), n};
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  const auto stride = static_cast<std::size_t>(1 + inter.k_bb.rows() / 12);  // b^3 at each point
  const auto add = [&](const Choice& modes) {
    double highest = 0.0;
    for (const Eigen::Index j : modes)
      highest = std::max(highest, inter.lambda(j));
    report.curve.push_back({static_cast<std::int64_t>(modes.size()),
                            hz_of_eigenvalue(model, highest),
                            modes.size() == n
                                ? highest_error
                                : std::max(worst_error(inter, scale, targets, modes),
                                           worst_error(inter, scale, points, modes, stride))});
  };
  for (const std::size_t count : counts)
    add(Choice(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(count)));
  if (inter.lambda.size() > static_cast<Eigen::Index>(n)) add(inter.all());
  const Eigen::VectorXd worth = mode_worth(inter, scale, targets);
  Choice rising = kept;
  std::sort(rising.begin(), rising.end());
  for (const Eigen::Index j : rising)
    report.kept_why.push_back(
        fmt::format("dynamic:{} at {:.6g} Hz: without it the interface response errs by {:.1e}",
                    j + 1,
                    hz_of_eigenvalue(model, inter.lambda(j)),
                    worth(j)));
}

void check_options(const ReduceOptions& options) {
  if (!options.band)
    throw UsageError("band",
                     "an automatic choice needs a frequency band",
                     {},
                     "give one, for example --band 0-100Hz");
  if (!(options.tolerance > 0.0 && options.tolerance < 1.0))
    throw UsageError("tolerance", fmt::format("{} is not a tolerance", options.tolerance));
}

}  // namespace

Basis automatic_basis(const FeModel& model,
                      const ReduceOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress,
                      ReduceReport& report) {
  check_options(options);
  CraigBamptonSolver solver(model, options.solve, diagnostics);
  const std::int64_t possible = solver.possible_modes();
  InterfaceSampler sampler(solver, kLossFactor);
  const InterfaceScale scale(sampler.k_bb(), sampler.m_bb());
  const FrequencyBand& band = *options.band;
  sampler.reach(eigenvalue_of_hz(model, band.to_hz), possible, progress);
  Interface inter = interface_of(sampler, solver.parts().normal);
  std::vector<Target> points = response_points(inter, sampler, scale, model, band, progress);
  std::vector<ResponseEnvelope::Point> sizes;
  for (const Target& point : points)
    sizes.push_back({hz_of_eigenvalue(model, point.w2), point.size});
  const ResponseEnvelope envelope(std::move(sizes));
  const auto measured = [&](Target target) {
    target.size = envelope.at(hz_of_eigenvalue(model, target.w2), target.size);
    return target;
  };
  const auto target_at = [&](double w2) { return measured(target_of(scale, sampler.at(w2))); };
  for (Target& point : points)
    point = measured(std::move(point));
  std::vector<Target> targets;
  for (int k = 1; k <= kSamples; ++k) {
    const double hz = band.from_hz + (band.to_hz - band.from_hz) * k / kSamples;
    targets.push_back(target_at(eigenvalue_of_hz(model, hz)));
  }

  double reach = 1.5;  // what the sampler looked for, too
  bool is_found = true;
  std::int64_t at_least = 0;
  double error = std::numeric_limits<double>::infinity();
  // More and more candidates, until even all of them together are good enough: by frequency first,
  // by number where the band ends far below the first mode.
  const auto find_candidates = [&] {
    for (;; reach *= 1.6) {
      NormalRequest request;
      request.limit = eigenvalue_of_hz(model, reach * band.to_hz);
      if (at_least > 0) request = {std::min(at_least, possible), std::nullopt, false};
      if (!std::exchange(is_found, false)) solver.find_normal_modes(request, progress);
      inter = interface_of(sampler, solver.parts().normal);
      error = worst_error(inter, scale, targets, inter.all());
      const std::int64_t found = inter.lambda.size();
      if (error <= kCandidates * options.tolerance || found >= possible || found > 2000) break;
      if (reach > 400.0) at_least = std::max<std::int64_t>(10, 2 * found);
    }
    report.solve = solver.parts().normal.report;
    if (error > options.tolerance)
      throw NumericalError(
          "auto",
          fmt::format("the interface response keeps an error of {:.1e} with {} of {} modes, "
                      "above the tolerance {:.1e}",
                      error,
                      inter.lambda.size(),
                      possible,
                      options.tolerance),
          {},
          "widen the tolerance or narrow the band");
  };
  find_candidates();
  Choice kept = fewest(inter, scale, targets, options.tolerance, progress);
  // Where the choice errs between the samples, there will be a further one.
  Errors errors;
  for (int round = 0;; ++round) {
    errors =
        errors_between(inter, target_at, scale, points, targets, kept, 0.95 * options.tolerance);
    if (errors.peaks.empty() || round == kRounds) break;
    for (const double w2 : errors.peaks)
      targets.push_back(target_at(w2));
    error = worst_error(inter, scale, targets, inter.all());
    if (error > kCandidates * options.tolerance) find_candidates();
    kept = fewest(inter, scale, targets, options.tolerance, progress);
  }
  if (errors.highest > options.tolerance) {
    kept = inter.all();
    errors = errors_between(inter, target_at, scale, points, targets, kept, options.tolerance);
  }
  report_choice(model, inter, scale, targets, points, kept, errors.highest, report);
  std::sort(kept.begin(), kept.end());
  return solver.parts().basis(model, kept);
}

}  // namespace femflex::modal
