// Compares a body with its FE model at the interface. Notation: R are the rigid modes, Phi_b the
// shapes at the interface DOFs, H is the receptance, Z = H^-1, w2 = omega^2 in units of the model.
#include "interface_comparison.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/frequency.h"

#include "methods/craig_bampton.h"
#include "methods/interface_response.h"
#include "methods/response_search.h"
#include "solve/hertz.h"

namespace femflex::modal {
namespace {

/// Largest number of modes in the band for which finding them takes less time than a factorisation
/// at each frequency.
constexpr std::int64_t kModesWorthFinding = 300;
/// Phi_b diag(1 / ((1 + i g) lambda - w^2)) Phi_b'.
Eigen::MatrixXcd modal_receptance(const Eigen::MatrixXd& Phi_b,
                                  const Eigen::VectorXd& lambda,
                                  double w2,
                                  double loss_factor) {
  const Eigen::VectorXcd gap =
      std::complex<double>(1.0, loss_factor) * lambda.cast<std::complex<double>>() -
      Eigen::VectorXcd::Constant(lambda.size(), w2);
  Eigen::MatrixXcd H(Phi_b.rows(), Phi_b.rows());
  const Eigen::VectorXcd share = gap.cwiseInverse();
  H.real() = Phi_b * share.real().asDiagonal() * Phi_b.transpose();
  H.imag() = Phi_b * share.imag().asDiagonal() * Phi_b.transpose();
  return H;
}

/// Norms of the receptances at one frequency [Hz], and of their difference.
struct ReceptanceNorms {
  double frequency = 0.0;
  double full = 0.0;
  double reduced = 0.0;
  double difference = 0.0;
};

/// The comparison over a band in ascending order of frequency: at the points of `search`, then at
/// further points that refine the highest errors.
std::vector<Validation::FrfPoint> response_over(
    const ResponseSearch& search,
    const std::function<ReceptanceNorms(double)>& compared_at,
    Progress& progress) {
  constexpr std::size_t kMaxPeaks = 6;
  // peaks near points below this share of the highest point stay below that point
  constexpr double kSearchedShare = 0.7;
  const std::vector<double> hz = response_frequencies(search);
  progress.begin("frequency response", static_cast<double>(hz.size()), "points");
  std::vector<ReceptanceNorms> seen;
  std::vector<ResponseEnvelope::Point> sizes;
  for (const double f : hz) {
    progress.step(static_cast<double>(seen.size()));
    seen.push_back(compared_at(f));
    sizes.push_back({f, seen.back().full});
  }
  const ResponseEnvelope envelope(std::move(sizes));
  std::vector<Validation::FrfPoint> points;
  const auto point_of = [&](const ReceptanceNorms& c) {
    return Validation::FrfPoint{
        c.frequency, c.full, c.reduced, c.difference / envelope.at(c.frequency, c.full)};
  };
  std::transform(seen.begin(), seen.end(), std::back_inserter(points), point_of);
  double highest = 0.0;
  std::vector<std::size_t> peaks;
  for (std::size_t k = 0; k < points.size(); ++k) {
    highest = std::max(highest, points[k].error);
    if (k > 0 && k + 1 < points.size() && points[k].error >= points[k - 1].error &&
        points[k].error > points[k + 1].error)
      peaks.push_back(k);
  }
  std::stable_sort(peaks.begin(), peaks.end(), [&](std::size_t a, std::size_t b) {
    return points[a].error > points[b].error;
  });
  if (peaks.size() > kMaxPeaks) peaks.resize(kMaxPeaks);
  const std::vector<Validation::FrfPoint> coarse = points;
  for (const std::size_t k : peaks) {
    if (coarse[k].error < kSearchedShare * highest) break;
    refine_peak(
        [&](double f) {
          if (f == coarse[k].frequency_hz) return coarse[k].error;
          progress.step(static_cast<double>(hz.size()));
          points.push_back(point_of(compared_at(f)));
          return points.back().error;
        },
        coarse[k - 1].frequency_hz,
        coarse[k].frequency_hz,
        coarse[k + 1].frequency_hz);
  }
  std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) {
    return a.frequency_hz < b.frequency_hz;
  });
  progress.end();
  return points;
}

/// Body and full model compared at the interface.
class InterfaceComparison {
 public:
  InterfaceComparison(const FullModel& full,
                      const BodyModes& reduced,
                      const ValidateOptions& options,
                      Progress& progress)
      : full_(full),
        reduced_(reduced),
        options_(options),
        band_(options.band.value_or(FrequencyBand{0.0, full.last_hz})),
        solver_(full.model, options.solve, repeated_warnings_),
        sampler_(solver_, 2.0 * options.damping_ratio) {
    for (const std::int64_t unknown : solver_.parts().part.b)
      rows_.push_back(solver_.parts().system.row_of[static_cast<std::size_t>(unknown)]);
    sampler_.remove_rigid_stiffness(full.R(rows_, Eigen::all));
    sampler_.prepare_modes(eigenvalue_of_hz(full.model, band_.to_hz), kModesWorthFinding, progress);
    scale_.emplace(sampler_.k_bb(), sampler_.m_bb());
  }

  /// Error of displacements under unit forces, without rigid motion, relative to those of the full
  /// model.
  double static_error() const {
    constexpr double kRigidOnly = 1e-10;
    const Eigen::MatrixXd full_static = full_.attachment.shapes(rows_, Eigen::all);
    const Eigen::VectorXd e = scale_->at(eigenvalue_of_hz(full_.model, band_.to_hz));
    const Eigen::MatrixXd keep = equilibrium_projector(e);
    const Eigen::MatrixXd full_scaled =
        keep * (e.asDiagonal() * full_static * e.asDiagonal()) * keep;
    const Eigen::MatrixXd reduced_scaled =
        keep * (e.asDiagonal() * reduced_static() * e.asDiagonal()) * keep;
    // a single node has no elastic displacement, because self-equilibrating loads on it vanish
    const double size = full_scaled.norm();
    const double whole = (e.asDiagonal() * full_static * e.asDiagonal()).norm();
    return size > kRigidOnly * whole ? (reduced_scaled - full_scaled).norm() / size : 0.0;
  }

  /// Frequency response over the band.
  /// @param full_resonances  resonances of the full model [Hz]; those of the body are added
  std::vector<Validation::FrfPoint> response(std::vector<double> full_resonances,
                                             Progress& progress) {
    // largest number of resonances used; the lowest ones are taken
    constexpr std::size_t kMaxResonances = 60;
    // smallest distance of two points, relative to the width of a resonance
    constexpr double kMinDistanceInWidths = 0.1;
    const FeModel& model = full_.model;
    const double g = sampler_.loss_factor();
    const Eigen::MatrixXd Phi_b = reduced_.shapes(rows_, Eigen::all);
    // motions of parts against each other are in Phi
    const Eigen::MatrixXd frame = whole_rigid_modes(model, full_.R);
    Eigen::MatrixXd all_b(Phi_b.rows(), frame.cols() + Phi_b.cols());
    all_b << frame(rows_, Eigen::all), Phi_b;
    Eigen::VectorXd lambda = Eigen::VectorXd::Zero(all_b.cols());
    lambda.tail(reduced_.lambda.size()) = reduced_.lambda / model.units->eigenvalue();
    const auto compared_at = [&](double hz) {
      const double w2 = eigenvalue_of_hz(model, hz);
      const Eigen::MatrixXcd full_H = scale_->receptance(sampler_.at(w2).Z, w2);
      const Eigen::MatrixXcd reduced_H =
          modal_receptance(scale_->at(w2).asDiagonal() * all_b, lambda, w2, g);
      return ReceptanceNorms{hz, full_H.norm(), reduced_H.norm(), (reduced_H - full_H).norm()};
    };
    std::vector<double> resonances = std::move(full_resonances);
    for (const double value : reduced_.lambda)
      if (value > reduced_.floor) resonances.push_back(frequency_hz(value));
    std::sort(resonances.begin(), resonances.end());
    if (resonances.size() > kMaxResonances) resonances.resize(kMaxResonances);
    return response_over(
        {.band = band_,
         .even_steps = options_.frf_points,
         .resonances = resonances,
         .last_resonance = band_.to_hz,
         .relative_step = search_step(sampler_, eigenvalue_of_hz(model, band_.to_hz)),
         .nearest = kMinDistanceInWidths * g},
        compared_at,
        progress);
  }

 private:
  /// Static flexibility of the body, without its zero-energy motions.
  Eigen::MatrixXd reduced_static() const {
    // share of the highest eigenvalue below which an eigenvalue is round-off
    constexpr double kZero = 1e-14;
    Eigen::VectorXd flexibility = Eigen::VectorXd::Zero(reduced_.lambda.size());
    const double top = reduced_.lambda.size() > 0 ? reduced_.lambda.maxCoeff() : 1.0;
    const double zero = full_.R.cols() > 6 ? reduced_.floor : kZero * top;
    for (Eigen::Index j = 0; j < flexibility.size(); ++j)
      if (reduced_.lambda(j) > zero)
        flexibility(j) = full_.model.units->eigenvalue() / reduced_.lambda(j);
    const Eigen::MatrixXd Phi_b = reduced_.shapes(rows_, Eigen::all);
    return Phi_b * flexibility.asDiagonal() * Phi_b.transpose();
  }

  /// Projects on loads, scaled by 1 / e, that are in equilibrium, because a floating component has
  /// a static solution only under such loads.
  Eigen::MatrixXd equilibrium_projector(const Eigen::VectorXd& e) const {
    Eigen::MatrixXd keep = Eigen::MatrixXd::Identity(e.size(), e.size());
    if (full_.R.cols() == 0) return keep;
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(e.asDiagonal() *
                                                         full_.R(rows_, Eigen::all));
    const Eigen::MatrixXd Q = Eigen::MatrixXd(qr.householderQ()).leftCols(qr.rank());
    keep -= Q * Q.transpose();
    return keep;
  }

  const FullModel& full_;
  const BodyModes& reduced_;
  const ValidateOptions& options_;
  FrequencyBand band_;
  Diagnostics repeated_warnings_;  // already reported by compute_modes()
  CraigBamptonSolver solver_;
  InterfaceSampler sampler_;
  std::vector<std::int64_t> rows_;  // rows of the model that belong to the interface
  std::optional<InterfaceScale> scale_;
};

}  // namespace

void compare_interface(const FullModel& full,
                       const BodyModes& reduced,
                       const ValidateOptions& options,
                       Diagnostics& diagnostics,
                       Progress& progress,
                       Validation& out) {
  std::optional<InterfaceComparison> made;
  try {
    made.emplace(full, reduced, options, progress);
  } catch (const NumericalError& error) {
    if (error.code() != "mechanism") throw;
    diagnostics.warn("interface-not-compared",
                     "statics and frequency responses at the interface are not compared, because "
                     "the part can move while its interface nodes are held; three or more of them "
                     "that do not lie on one line, or one with rotations, would hold it");
    return;
  }
  InterfaceComparison& comparison = *made;
  out.static_error = comparison.static_error();
  std::vector<double> resonances;
  for (const Validation::Frequency& frequency : out.frequencies)
    resonances.push_back(frequency.full_hz);
  out.frf = comparison.response(std::move(resonances), progress);
  for (const Validation::FrfPoint& point : out.frf)  // std::max() would drop an error that is NaN
    if (std::isnan(point.error) || point.error > out.frf_error) out.frf_error = point.error;
}

}  // namespace femflex::modal
