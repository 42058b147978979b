// How many modes are enough: docs/theory/modal.md eq. (16) and (17).
//
// The condensed dynamic stiffness of the interface is Z(w) = Z_bb - Z_bi Z_ii^-1 Z_ib. With all
// fixed-interface modes, Z = k_bb - w^2 m_bb - sum_j w^4 p_j p_j' / (lambda_j - w^2), with p_j the
// coupling mass of mode j: what a mode buys is its own term. The full Z comes from factors of
// K - w^2 M at sample frequencies, without any mode.
#include <algorithm>
#include <cmath>
#include <numbers>
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

double frf_error(const Interface& inter,
                 const std::vector<InterfaceSample>& samples,
                 const std::vector<Eigen::Index>& modes) {
  const DampedReceptance damped(inter.k_bb, kLossFactor);
  double worst = 0.0;
  for (const InterfaceSample& sample : samples) {
    const Eigen::MatrixXcd full = damped.of_stiffness(sample.Z);
    const Eigen::MatrixXcd reduced = damped.of_stiffness(inter.stiffness(sample.w2, modes));
    worst = std::max(worst, (reduced - full).norm() / full.norm());
  }
  return worst;
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
Eigen::VectorXd mode_worth(const Interface& inter, const std::vector<InterfaceSample>& samples) {
  const Eigen::VectorXd d = DampedReceptance(inter.k_bb, kLossFactor).scale();
  Eigen::VectorXd worth = Eigen::VectorXd::Zero(inter.lambda.size());
  for (const InterfaceSample& sample : samples) {
    const double size = (d.asDiagonal() * sample.Z * d.asDiagonal()).norm();
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
  const std::vector<InterfaceSample> samples =
      full_interface_samples(solver, model, *options.band, kSamples, progress);
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
