// How many modes are enough: docs/theory/modal.md eq. (16) and (17).
//
// The condensed dynamic stiffness of the interface is Z(w) = Z_bb - Z_bi Z_ii^-1 Z_ib. With all
// fixed-interface modes, Z = k_bb - w^2 m_bb - sum_j w^4 p_j p_j' / (lambda_j - w^2), with p_j the
// coupling mass of mode j: what a mode buys is its own term. The full Z comes from factors of
// K - w^2 M at sample frequencies, without any mode.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <utility>

#include <Eigen/LU>
#include <fmt/format.h>

#include "femflex/errors.h"

#include "dense/symmetric_eigen.h"
#include "methods/component_modes.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

constexpr double kLossFactor = 0.02;  // structural damping i g k_bb on both sides of a comparison
constexpr int kSamples = 16;

struct Sample {
  double w2 = 0.0;       // omega^2 [1/time^2]
  Eigen::MatrixXd full;  // condensed dynamic stiffness of the full model
};

/// The pieces of the interface matrices that the normal modes add to.
struct Interface {
  Eigen::MatrixXd k_bb, m_bb;
  Eigen::MatrixXd p;  // b x modes: coupling mass of each normal mode
  Eigen::VectorXd lambda;

  Eigen::MatrixXd stiffness(double w2, const std::vector<Eigen::Index>& modes) const {
    Eigen::MatrixXd Z = k_bb - w2 * m_bb;
    for (const Eigen::Index j : modes)
      Z.noalias() -= (w2 * w2 / (lambda(j) - w2)) * p.col(j) * p.col(j).transpose();
    return Z;
  }
};

/// Unit diagonal of k_bb: displacements and rotations then compare.
Eigen::VectorXd freedom_scale(const Interface& inter) {
  Eigen::VectorXd d = inter.k_bb.diagonal();
  for (Eigen::Index i = 0; i < d.size(); ++i)
    d(i) = d(i) > 0.0 ? 1.0 / std::sqrt(d(i)) : 1.0;
  return d;
}

Eigen::MatrixXcd receptance(const Eigen::MatrixXd& Z,
                            const Eigen::MatrixXd& k_bb,
                            const Eigen::VectorXd& d) {
  Eigen::MatrixXcd damped = (d.asDiagonal() * Z * d.asDiagonal()).cast<std::complex<double>>();
  damped += std::complex<double>(0.0, kLossFactor) *
            (d.asDiagonal() * k_bb * d.asDiagonal()).cast<std::complex<double>>();
  return damped.partialPivLu().inverse();
}

double frf_error(const Interface& inter,
                 const std::vector<Sample>& samples,
                 const std::vector<Eigen::Index>& modes) {
  const Eigen::VectorXd d = freedom_scale(inter);
  double worst = 0.0;
  for (const Sample& sample : samples) {
    const Eigen::MatrixXcd full = receptance(sample.full, inter.k_bb, d);
    const Eigen::MatrixXcd reduced = receptance(inter.stiffness(sample.w2, modes), inter.k_bb, d);
    worst = std::max(worst, (reduced - full).norm() / full.norm());
  }
  return worst;
}

/// Z(w) of the full model at frequencies over the band, each by one factor of K_ii - w^2 M_ii.
std::vector<Sample> full_samples(CraigBamptonSolver& solver,
                                 const FeModel& model,
                                 const FrequencyBand& band,
                                 Progress& progress) {
  const Partition& part = solver.parts().part;
  std::vector<Sample> samples;
  progress.begin("frequency response", kSamples, "points");
  for (int k = 0; k < kSamples; ++k) {
    const double hz =
        band.from_hz + (band.to_hz - band.from_hz) * (k + 1.0) / static_cast<double>(kSamples);
    Sample sample;
    sample.w2 = eigenvalue_of_hz(model, hz);
    // a sample on a fixed-interface resonance says nothing: step aside
    for (int aside = 0; aside < 4 && !solver.factor().at(sample.w2); ++aside)
      sample.w2 *= 1.0 + 1e-6;
    const Eigen::MatrixXd Z_ib =
        Eigen::MatrixXd(part.K_ib) - sample.w2 * Eigen::MatrixXd(part.M_ib);
    Eigen::MatrixXd x = Z_ib;
    solver.factor().solve(x);
    const Eigen::MatrixXd Z_bb =
        Eigen::MatrixXd(mirrored(part.K_bb)) - sample.w2 * Eigen::MatrixXd(mirrored(part.M_bb));
    sample.full = Z_bb - transposed_product(Z_ib, x);
    samples.push_back(std::move(sample));
    progress.step(k + 1.0);
  }
  progress.end();
  return samples;
}

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

/// Largest share of each mode's own term in the interface stiffness over the band.
Eigen::VectorXd mode_worth(const Interface& inter, const std::vector<Sample>& samples) {
  const Eigen::VectorXd d = freedom_scale(inter);
  Eigen::VectorXd worth = Eigen::VectorXd::Zero(inter.lambda.size());
  for (const Sample& sample : samples) {
    const double size = (d.asDiagonal() * sample.full * d.asDiagonal()).norm();
    for (Eigen::Index j = 0; j < worth.size(); ++j) {
      const double distance =
          std::max(std::abs(inter.lambda(j) - sample.w2), kLossFactor * inter.lambda(j));
      worth(j) = std::max(worth(j),
                          sample.w2 * sample.w2 / distance *
                              (d.asDiagonal() * inter.p.col(j)).squaredNorm() / size);
    }
  }
  return worth;
}

}  // namespace

Basis automatic_basis(const FeModel& model,
                      const ReduceOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress,
                      ReduceReport& report) {
  if (!options.band)
    throw UsageError("band",
                     "an automatic choice needs a frequency band",
                     {},
                     "give one, for example --band 0-100Hz");
  if (!(options.tolerance > 0.0 && options.tolerance < 1.0))
    throw UsageError("tolerance", fmt::format("{} is no tolerance", options.tolerance));
  CraigBamptonSolver solver(model, options.solve, diagnostics);
  const std::vector<Sample> samples = full_samples(solver, model, *options.band, progress);
  const std::int64_t possible = solver.possible_modes();

  // More and more candidates, until even all of them together are good enough.
  Interface inter;
  std::vector<Eigen::Index> all;
  double reach = 1.5;
  double error = 0.0;
  for (;; reach *= 1.6) {
    NormalRequest request;
    request.limit = eigenvalue_of_hz(model, reach * options.band->to_hz);
    request.count = 0;
    solver.factor().at(0.0);
    solver.find_normal_modes(request, progress);
    inter = interface_of(solver.parts());
    all.resize(static_cast<std::size_t>(inter.lambda.size()));
    std::iota(all.begin(), all.end(), 0);
    error = frf_error(inter, samples, all);
    if (error <= 0.5 * options.tolerance || inter.lambda.size() >= possible) break;
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
  // The dearest first; then the fewest that hold the tolerance at every sample.
  const Eigen::VectorXd worth = mode_worth(inter, samples);
  std::vector<Eigen::Index> ranked = all;
  std::stable_sort(ranked.begin(), ranked.end(), [&](Eigen::Index a, Eigen::Index b) {
    return worth(a) > worth(b);
  });
  const auto error_of = [&](std::size_t count) {
    const std::vector<Eigen::Index> modes(ranked.begin(),
                                          ranked.begin() + static_cast<std::ptrdiff_t>(count));
    double highest = 0.0;
    for (const Eigen::Index j : modes)
      highest = std::max(highest, inter.lambda(j));
    const double e = frf_error(inter, samples, modes);
    report.curve.push_back(
        {static_cast<std::int64_t>(count),
         std::sqrt(highest) / (2.0 * std::numbers::pi * model.units.value_or(Units{}).time),
         e});
    return e;
  };
  std::size_t low = 0;
  std::size_t high = ranked.size();
  if (error_of(0) <= options.tolerance) high = 0;
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    if (error_of(middle) <= options.tolerance)
      high = middle;
    else
      low = middle;
  }
  if (high > 0) error_of(high);
  std::sort(report.curve.begin(), report.curve.end(), [](const auto& a, const auto& b) {
    return a.normal_modes < b.normal_modes;
  });
  report.curve.erase(
      std::unique(report.curve.begin(),
                  report.curve.end(),
                  [](const auto& a, const auto& b) { return a.normal_modes == b.normal_modes; }),
      report.curve.end());
  std::vector<Eigen::Index> chosen(ranked.begin(),
                                   ranked.begin() + static_cast<std::ptrdiff_t>(high));
  std::sort(chosen.begin(), chosen.end());
  for (const Eigen::Index j : chosen)
    report.kept_why.push_back(fmt::format(
        "dynamic:{} at {:.6g} Hz buys {:.1e} of the interface stiffness",
        j + 1,
        std::sqrt(inter.lambda(j)) / (2.0 * std::numbers::pi * model.units.value_or(Units{}).time),
        worth(j)));
  return solver.parts().basis(model, chosen);
}

}  // namespace femflex::modal
