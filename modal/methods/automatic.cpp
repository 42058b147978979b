// How many modes are enough: docs/theory/modal.md eq. (16) and (17).
//
// The condensed dynamic stiffness of the interface is Z(w) = Z_bb - Z_bi Z_ii^-1 Z_ib. With all
// fixed-interface modes, Z = k_bb - w^2 m_bb - sum_j w^4 p_j p_j' / (lambda_j - w^2), with p_j the
// coupling mass of mode j. The full Z comes from factors of K - w^2 M at sample frequencies,
// without any mode.
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

constexpr double kLossFactor = 0.02;  // structural damping i g k_bb on both sides of a comparison
constexpr int kSamples = 16;
constexpr double kCandidates = 0.25;  // share of the tolerance that all candidates together may use

using Choice = std::vector<Eigen::Index>;  // fixed-interface modes

/// The pieces of the interface matrices that the normal modes add to.
struct Interface {
  Eigen::MatrixXd k_bb, m_bb;
  Eigen::MatrixXd p;  // b x modes: coupling mass of each normal mode
  Eigen::VectorXd lambda;

  Eigen::MatrixXd stiffness(double w2, const Choice& modes) const {
    Eigen::MatrixXd columns(p.rows(), static_cast<Eigen::Index>(modes.size()));
    Eigen::VectorXd factor(columns.cols());
    for (Eigen::Index k = 0; k < columns.cols(); ++k) {
      const Eigen::Index j = modes[static_cast<std::size_t>(k)];
      columns.col(k) = p.col(j);
      factor(k) = -w2 * w2 / (lambda(j) - w2);
    }
    Eigen::MatrixXd Z = k_bb - w2 * m_bb;
    add_product(Z, columns * factor.asDiagonal(), columns.transpose());
    return Z;
  }
  Choice all() const {
    Choice modes(static_cast<std::size_t>(lambda.size()));
    std::iota(modes.begin(), modes.end(), Eigen::Index{0});
    return modes;
  }
};

Interface interface_of(const CraigBampton& parts) {
  Interface inter;
  inter.k_bb = parts.k_bb;
  const Partition& part = parts.part;
  // M [psi; 1] on the free rows, then m_bb and p
  const Eigen::MatrixXd M_psi =
      symmetric_product(part.M_ii, parts.psi) + Eigen::MatrixXd(part.M_ib);
  inter.m_bb = transposed_product(parts.psi, M_psi) + part.M_ib.transpose() * parts.psi +
               Eigen::MatrixXd(mirrored(part.M_bb));
  inter.m_bb = 0.5 * (inter.m_bb + inter.m_bb.transpose()).eval();
  inter.p = transposed_product(M_psi, parts.normal.X);
  inter.lambda = parts.normal.lambda;
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

Target target_of(const DampedReceptance& damped, double w2, const Eigen::MatrixXd& Z) {
  Target target{w2, damped.of_stiffness(Z), 0.0};
  target.size = target.H.norm();
  return target;
}

double error_at(const Interface& inter,
                const DampedReceptance& damped,
                const Target& target,
                const Choice& modes) {
  return (damped.of_stiffness(inter.stiffness(target.w2, modes)) - target.H).norm() / target.size;
}

double worst_error(const Interface& inter,
                   const DampedReceptance& damped,
                   const std::vector<Target>& targets,
                   const Choice& modes) {
  double worst = 0.0;
  for (const Target& target : targets)
    worst = std::max(worst, error_at(inter, damped, target, modes));
  return worst;
}

/// Whether the tolerance holds at every target. The target that fails moves to the front: it will
/// most likely fail the next choice, too.
bool holds(const Interface& inter,
           const DampedReceptance& damped,
           std::vector<Target>& targets,
           const Choice& modes,
           double tolerance) {
  for (std::size_t k = 0; k < targets.size(); ++k) {
    if (error_at(inter, damped, targets[k], modes) <= tolerance) continue;
    std::rotate(targets.begin(),
                targets.begin() + static_cast<std::ptrdiff_t>(k),
                targets.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    return false;
  }
  return true;
}

/// The error that leaving out one mode alone causes, at its largest: taking -c p p' out of Z, with
/// c = w^4 / (lambda - w^2), changes H by - H p p' H / (1 / c + p' H p).
Eigen::VectorXd mode_worth(const Interface& inter,
                           const DampedReceptance& damped,
                           const std::vector<Target>& targets) {
  const Eigen::MatrixXcd scaled =
      (damped.scale().asDiagonal() * inter.p).cast<std::complex<double>>();
  Eigen::VectorXd worth = Eigen::VectorXd::Zero(inter.lambda.size());
  for (const Target& target : targets) {
    const Eigen::MatrixXcd Hp = target.H * scaled;
    for (Eigen::Index j = 0; j < worth.size(); ++j) {
      const std::complex<double> pHp = scaled.col(j).transpose() * Hp.col(j);
      const double inverse_c = (inter.lambda(j) - target.w2) / (target.w2 * target.w2);
      worth(j) =
          std::max(worth(j), Hp.col(j).squaredNorm() / (std::abs(inverse_c + pHp) * target.size));
    }
  }
  return worth;
}

/// The fewest modes that hold the tolerance: the shortest prefix by worth, less what turns out to
/// be dispensable beside the others.
Choice fewest(const Interface& inter,
              const DampedReceptance& damped,
              std::vector<Target>& targets,
              double tolerance,
              Progress& progress) {
  const Eigen::VectorXd worth = mode_worth(inter, damped, targets);
  Choice ranked = inter.all();
  std::stable_sort(ranked.begin(), ranked.end(), [&](Eigen::Index a, Eigen::Index b) {
    return worth(a) > worth(b);
  });
  const auto prefix = [&](std::size_t count) {
    return Choice(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count));
  };
  std::size_t low = 0;
  std::size_t high = ranked.size();
  if (holds(inter, damped, targets, {}, tolerance)) return {};
  while (high - low > 1) {
    progress.step(0.0);
    const std::size_t middle = (low + high) / 2;
    (holds(inter, damped, targets, prefix(middle), tolerance) ? high : low) = middle;
  }
  Choice kept = prefix(high);
  if (is_wide(inter)) return kept;
  for (std::size_t k = kept.size(); k-- > 0;) {  // the least worthy first
    progress.step(0.0);
    Choice fewer = kept;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
    if (holds(inter, damped, targets, fewer, tolerance)) kept = std::move(fewer);
  }
  return kept;
}

/// Resonances of the free part between the ends of the band [w^2], by all candidates: with
/// s > 0 the pencil m x = mu (k + s m) x is definite also where m is not, and lambda = 1 / mu - s.
/// Damping of the interface alone leaves some of them narrower than any grid.
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

/// The response of all candidates together between the samples, in steps half as wide as a
/// resonance, and at resonances; coarser where the interface is so wide that each point costs much.
std::vector<Target> points_between(const Interface& inter,
                                   const DampedReceptance& damped,
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
  const Choice all = inter.all();
  std::vector<Target> points;
  for (const double w2 : w2s) {
    progress.step(0.0);
    points.push_back(target_of(damped, w2, inter.stiffness(w2, all)));
  }
  return points;
}

/// Peaks of the error of a choice at `points` above the tolerance, where there is no sample yet:
/// the highest of them [w^2].
std::vector<double> peaks_between(const Interface& inter,
                                  const DampedReceptance& damped,
                                  const std::vector<Target>& points,
                                  const std::vector<Target>& samples,
                                  const Choice& chosen,
                                  double tolerance) {
  constexpr std::size_t most = 6;
  std::vector<double> error{0.0};
  for (const Target& point : points)
    error.push_back(error_at(inter, damped, point, chosen));
  error.push_back(0.0);
  std::vector<std::pair<double, double>> peaks;  // error, w^2
  for (std::size_t k = 1; k <= points.size(); ++k) {
    const double w2 = points[k - 1].w2;
    const bool is_sampled = std::any_of(samples.begin(), samples.end(), [&](const Target& sample) {
      return std::abs(sample.w2 - w2) < 1e-6 * w2;
    });
    if (error[k] > tolerance && error[k] >= error[k - 1] && error[k] > error[k + 1] && !is_sampled)
      peaks.emplace_back(error[k], w2);
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
                   const DampedReceptance& damped,
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
                            worst_error(inter, damped, targets, modes)});
  };
  for (const std::size_t count : counts)
    add(Choice(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(count)));
  if (inter.lambda.size() > static_cast<Eigen::Index>(n)) add(inter.all());
  const Eigen::VectorXd worth = mode_worth(inter, damped, targets);
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
  const DampedReceptance damped(solver.parts().k_bb, kLossFactor);
  std::vector<Target> targets;
  for (const InterfaceSample& sample :
       full_interface_samples(solver, model, *options.band, kSamples, progress))
    targets.push_back(target_of(damped, sample.w2, sample.Z));

  Interface inter = interface_of(solver.parts());
  double reach = 1.5;
  double error = std::numeric_limits<double>::infinity();
  // More and more candidates, until even all of them together are good enough.
  const auto find_candidates = [&] {
    for (;; reach *= 1.6) {
      NormalRequest request;
      request.limit = eigenvalue_of_hz(model, reach * options.band->to_hz);
      solver.find_normal_modes(request, progress);
      inter = interface_of(solver.parts());
      error = worst_error(inter, damped, targets, inter.all());
      if (error <= kCandidates * options.tolerance || inter.lambda.size() >= possible) break;
      if (inter.lambda.size() > 2000 || reach > 400.0) break;
    }
    report.solve = solver.parts().normal.report;
    if (error > options.tolerance)
      throw NumericalError(
          "auto",
          fmt::format("the interface response keeps an error of {:.1e} with {} modes "
                      "up to {:.6g} Hz, above the tolerance {:.1e}",
                      error,
                      inter.lambda.size(),
                      reach * options.band->to_hz,
                      options.tolerance),
          {},
          "widen the tolerance or narrow the band");
  };
  find_candidates();
  Choice kept = fewest(inter, damped, targets, options.tolerance, progress);
  // Where the choice errs between the samples, a further sample is solved in full.
  std::vector<Target> points = points_between(inter, damped, model, *options.band, progress);
  for (int round = 0; round < 8; ++round) {
    const double limit = std::max(0.5 * options.tolerance, options.tolerance - error);
    const std::vector<double> peaks = peaks_between(inter, damped, points, targets, kept, limit);
    if (peaks.empty()) break;
    for (const double w2 : peaks) {
      const InterfaceSample sample = full_interface_sample(solver, w2);
      targets.push_back(target_of(damped, sample.w2, sample.Z));
    }
    error = worst_error(inter, damped, targets, inter.all());
    if (error > kCandidates * options.tolerance) {
      find_candidates();
      points = points_between(inter, damped, model, *options.band, progress);
    }
    kept = fewest(inter, damped, targets, options.tolerance, progress);
  }
  report_choice(model, inter, damped, targets, kept, report);
  std::sort(kept.begin(), kept.end());
  return solver.parts().basis(model, kept);
}

}  // namespace femflex::modal
