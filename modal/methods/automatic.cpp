// How many modes are enough: docs/theory/modal.md eq. (16) and (17).
//
// The condensed dynamic stiffness of the interface is Z(w) = Z_bb - Z_bi Z_ii^-1 Z_ib. With all
// fixed-interface modes and structural damping (1 + i g) K,
// Z = (1 + i g) (k_bb - s m_bb - sum_j s^2 p_j p_j' / (lambda_j - s)), s = w^2 / (1 + i g), with
// p_j the coupling mass of mode j. The full Z comes from factors of K - w^2 M at sample
// frequencies, without any mode.
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
#include "methods/interface_response.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

constexpr double kLossFactor = 0.02;  // structural damping i g K on both sides of a comparison
constexpr int kSamples = 16;
constexpr double kCandidates = 0.25;  // share of the tolerance that all candidates together may use

using Choice = std::vector<Eigen::Index>;  // fixed-interface modes

/// The pieces of the interface matrices that the normal modes add to.
struct Interface {
  Eigen::MatrixXd k_bb, m_bb;
  Eigen::MatrixXd p;  // b x modes: coupling mass of each normal mode
  Eigen::VectorXd lambda;
  Eigen::MatrixXcd rest;  // of all modes that are not here, over s^2; their eigenvalues are far

  /// With all modes that there are.
  Eigen::MatrixXcd stiffness(double w2) const {
    const std::complex<double> s = damped_square(w2, kLossFactor);
    return stiffness(w2, all()) + s * s * rest;
  }

  Eigen::MatrixXcd stiffness(double w2, const Choice& modes) const {
    const std::complex<double> s = damped_square(w2, kLossFactor);
    Eigen::MatrixXd columns(p.rows(), static_cast<Eigen::Index>(modes.size()));
    Eigen::VectorXcd factor(columns.cols());
    for (Eigen::Index k = 0; k < columns.cols(); ++k) {
      const Eigen::Index j = modes[static_cast<std::size_t>(k)];
      columns.col(k) = p.col(j);
      factor(k) = s * s / (lambda(j) - s);
    }
    Eigen::MatrixXd real = k_bb - s.real() * m_bb;
    Eigen::MatrixXd imaginary = -s.imag() * m_bb;
    add_product(real, columns * factor.real().asDiagonal(), columns.transpose(), -1.0);
    add_product(imaginary, columns * factor.imag().asDiagonal(), columns.transpose(), -1.0);
    Eigen::MatrixXcd Z(real.rows(), real.cols());
    Z.real() = real - kLossFactor * imaginary;
    Z.imag() = imaginary + kLossFactor * real;
    return Z;
  }
  Choice all() const {
    Choice modes(static_cast<std::size_t>(lambda.size()));
    std::iota(modes.begin(), modes.end(), Eigen::Index{0});
    return modes;
  }
};

/// @param sample  the full answer at the end of the band: what the modes leave of it is that of all
///                others
Interface interface_of(const InterfaceSampler& sampler,
                       const NormalModes& normal,
                       const InterfaceSample& sample) {
  Interface inter;
  inter.k_bb = sampler.k_bb();
  inter.m_bb = sampler.m_bb();
  inter.p = transposed_product(sampler.coupling(), normal.X);
  inter.lambda = normal.lambda;
  const std::complex<double> s = damped_square(sample.w2, kLossFactor);
  inter.rest = (sample.Z - inter.stiffness(sample.w2, inter.all())) / (s * s);
  return inter;
}

/// Each response of a wide interface costs b^3: fewer of them are looked at.
bool is_wide(const Interface& inter) {
  return inter.k_bb.rows() > 120;
}

/// A frequency at which the response of a choice is judged.
struct Target {
  double w2 = 0.0;
  Eigen::MatrixXcd H;  // receptance to come up to
  double size = 0.0;   // its norm
};

Target target_of(const InterfaceScale& scale, double w2, const Eigen::MatrixXcd& Z) {
  Target target{w2, scale.receptance(Z, w2), 0.0};
  target.size = target.H.norm();
  return target;
}

double error_at(const Interface& inter,
                const InterfaceScale& scale,
                const Target& target,
                const Choice& modes) {
  return (scale.receptance(inter.stiffness(target.w2, modes), target.w2) - target.H).norm() /
         target.size;
}

double worst_error(const Interface& inter,
                   const InterfaceScale& scale,
                   const std::vector<Target>& targets,
                   const Choice& modes) {
  double worst = 0.0;
  for (const Target& target : targets)
    worst = std::max(worst, error_at(inter, scale, target, modes));
  return worst;
}

/// Whether the tolerance holds at every target. The target that fails moves to the front: it will
/// most likely fail the next choice, too.
bool holds(const Interface& inter,
           const InterfaceScale& scale,
           std::vector<Target>& targets,
           const Choice& modes,
           double tolerance) {
  for (std::size_t k = 0; k < targets.size(); ++k) {
    if (error_at(inter, scale, targets[k], modes) <= tolerance) continue;
    std::rotate(targets.begin(),
                targets.begin() + static_cast<std::ptrdiff_t>(k),
                targets.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    return false;
  }
  return true;
}

/// The error that leaving out one mode alone causes, at its largest: taking -c p p' out of Z, with
/// c = (1 + i g) s^2 / (lambda - s), changes H by - H p p' H / (1 / c + p' H p).
Eigen::VectorXd mode_worth(const Interface& inter,
                           const InterfaceScale& scale,
                           const std::vector<Target>& targets) {
  Eigen::VectorXd worth = Eigen::VectorXd::Zero(inter.lambda.size());
  for (const Target& target : targets) {
    const Eigen::MatrixXcd scaled =
        (scale.at(target.w2).cwiseInverse().asDiagonal() * inter.p).cast<std::complex<double>>();
    const Eigen::MatrixXcd Hp = target.H * scaled;
    const std::complex<double> s = damped_square(target.w2, kLossFactor);
    for (Eigen::Index j = 0; j < worth.size(); ++j) {
      const std::complex<double> pHp = scaled.col(j).transpose() * Hp.col(j);
      const std::complex<double> inverse_c = (inter.lambda(j) - s) / (s * target.w2);
      worth(j) =
          std::max(worth(j), Hp.col(j).squaredNorm() / (std::abs(inverse_c + pHp) * target.size));
    }
  }
  return worth;
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
  if (is_wide(inter)) return kept;
  for (std::size_t k = kept.size(); k-- > 0;) {  // the least worthy first
    progress.step(0.0);
    Choice fewer = kept;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
    if (holds(inter, scale, targets, fewer, tolerance)) kept = std::move(fewer);
  }
  return kept;
}

/// Resonances of the free part between the ends of the band [w^2], by all candidates: with
/// s > 0 the pencil m x = mu (k + s m) x is definite also where m is not, and lambda = 1 / mu - s.
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
  k += to * m;
  std::vector<double> out;
  const DenseEigen pairs = generalised_eigen(m, k);
  if (!pairs.ok) return out;
  for (const double mu : pairs.values) {
    const double lambda = mu > 0.0 ? 1.0 / mu - to : -1.0;
    if (lambda > from && lambda < to) out.push_back(lambda);
  }
  return out;
}

/// The response of all modes together between the samples, in steps half as wide as a
/// resonance, and at resonances; coarser where the interface is so wide that each point costs much.
std::vector<Target> points_between(const Interface& inter,
                                   const InterfaceScale& scale,
                                   const FeModel& model,
                                   const FrequencyBand& band,
                                   Progress& progress) {
  constexpr Eigen::Index most = 3000;
  const double step = 1.0 + (is_wide(inter) ? 4.0 : 0.5) * kLossFactor;
  double hz = std::max(band.from_hz, (band.to_hz - band.from_hz) / 100.0);
  const double from = eigenvalue_of_hz(model, hz);
  const double to = eigenvalue_of_hz(model, band.to_hz);
  std::vector<double> w2s{to};
  while (hz < band.to_hz) {
    w2s.push_back(eigenvalue_of_hz(model, hz));
    hz *= step;
  }
  if (inter.k_bb.rows() + inter.lambda.size() <= most)
    for (const double lambda : resonances(inter, from, to))
      w2s.push_back(lambda);
  std::sort(w2s.begin(), w2s.end());
  std::vector<Target> points;
  for (const double w2 : w2s) {
    progress.step(0.0);
    points.push_back(target_of(scale, w2, inter.stiffness(w2)));
  }
  return points;
}

/// The highest error between two frequencies [w^2] with a higher one, `middle`, between them.
std::pair<double, double> summit(const std::function<double(double)>& error,
                                 double low,
                                 double middle,
                                 double high) {
  double best = error(middle);
  for (int round = 0; round < 4; ++round) {
    const double left = 0.5 * (low + middle);
    const double right = 0.5 * (middle + high);
    const double at_left = error(left);
    const double at_right = error(right);
    if (at_left > best && at_left >= at_right) {
      high = std::exchange(middle, left);
    } else if (at_right > best) {
      low = std::exchange(middle, right);
    } else {
      low = left;
      high = right;
    }
    best = std::max({best, at_left, at_right});
  }
  return {best, middle};
}

/// Peaks of the error of a choice at and between `points` above the tolerance, where there is no
/// sample yet: the highest of them [w^2].
std::vector<double> peaks_between(const Interface& inter,
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
  std::vector<std::pair<double, double>> peaks;  // error, w^2
  for (std::size_t k = 1; k <= points.size(); ++k) {
    const double w2 = points[k - 1].w2;
    if (!(error[k] > 0.7 * tolerance && error[k] >= error[k - 1] && error[k] > error[k + 1]))
      continue;
    std::pair<double, double> peak{error[k], w2};
    if (!is_wide(inter) && k > 1 && k < points.size())
      peak = summit(
          [&](double x) {
            return error_at(inter, scale, target_of(scale, x, inter.stiffness(x)), chosen);
          },
          points[k - 2].w2,
          w2,
          points[k].w2);
    if (peak.first > tolerance && !is_sampled(peak.second)) peaks.push_back(peak);
  }
  std::sort(peaks.begin(), peaks.end(), std::greater<>());
  std::vector<double> out;
  for (std::size_t k = 0; k < std::min(most, peaks.size()); ++k)
    out.push_back(peaks[k].second);
  return out;
}

/// Error over the number of modes, the worthiest first, and what each kept one buys.
void report_choice(const FeModel& model,
                   const Interface& inter,
                   const InterfaceScale& scale,
                   const std::vector<Target>& targets,
                   const Choice& kept,
                   ReduceReport& report) {
  const std::size_t n = kept.size();
  std::vector<std::size_t> counts{0, n / 8, n / 4, n / 2, 3 * n / 4, 7 * n / 8, n - (n > 0), n};
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  const auto add = [&](const Choice& modes) {
    double highest = 0.0;
    for (const Eigen::Index j : modes)
      highest = std::max(highest, inter.lambda(j));
    report.curve.push_back({static_cast<std::int64_t>(modes.size()),
                            hz_of_eigenvalue(model, highest),
                            worst_error(inter, scale, targets, modes)});
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
    throw UsageError("tolerance", fmt::format("{} is no tolerance", options.tolerance));
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
  std::vector<Target> targets;
  const std::vector<InterfaceSample> samples =
      sampler.over(model, *options.band, kSamples, progress);
  for (const InterfaceSample& sample : samples)
    targets.push_back(target_of(scale, sample.w2, sample.Z));

  Interface inter;
  double reach = 1.5;
  std::int64_t at_least = 0;
  double error = std::numeric_limits<double>::infinity();
  // More and more candidates, until even all of them together are good enough: by frequency first,
  // by number where the band ends far below the first mode.
  const auto find_candidates = [&] {
    for (;; reach *= 1.6) {
      NormalRequest request;
      request.limit = eigenvalue_of_hz(model, reach * options.band->to_hz);
      if (at_least > 0) request = {std::min(at_least, possible), std::nullopt, false};
      solver.find_normal_modes(request, progress);
      inter = interface_of(sampler, solver.parts().normal, samples.back());
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
  // Where the choice errs between the samples, a further sample is solved in full.
  std::vector<Target> points = points_between(inter, scale, model, *options.band, progress);
  for (int round = 0; round < 10; ++round) {
    const std::vector<double> peaks =
        peaks_between(inter, scale, points, targets, kept, 0.95 * options.tolerance);
    if (peaks.empty()) break;
    for (const double w2 : peaks) {
      const InterfaceSample sample = sampler.at(w2);
      targets.push_back(target_of(scale, sample.w2, sample.Z));
    }
    error = worst_error(inter, scale, targets, inter.all());
    if (error > kCandidates * options.tolerance) {
      find_candidates();
      points = points_between(inter, scale, model, *options.band, progress);
    }
    kept = fewest(inter, scale, targets, options.tolerance, progress);
  }
  report_choice(model, inter, scale, targets, kept, report);
  std::sort(kept.begin(), kept.end());
  return solver.parts().basis(model, kept);
}

}  // namespace femflex::modal
