// Validates a reduced body against its FE model: compares inertia, frequencies with MAC, static
// displacements and frequency responses at the interface. Notation: R are the rigid modes, Phi_b
// the shapes at the interface DOFs, H is the receptance, Z = H^-1, w2 = omega^2 in units of the
// model.
#include "femflex/modal/validate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "femflex/acting_part.h"
#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/frequency.h"
#include "femflex/modal/correlation.h"

#include "body_modes.h"
#include "methods/craig_bampton.h"
#include "methods/interface_response.h"
#include "methods/response_search.h"
#include "solve/dense_pairs.h"
#include "solve/hertz.h"
#include "solve/parts.h"
#include "solve/projection.h"
#include "solve/scalar_rows.h"
#include "solve/static_solutions.h"

namespace femflex::modal {
namespace {

/// Largest number of modes in the band for which finding them takes less time than a factorisation
/// at each frequency.
constexpr std::int64_t kModesWorthFinding = 300;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void compare_inertia(const FlexBody& body, const FeModel& model, Validation& out) {
  const InertiaInvariants full =
      body_invariants(model,
                      shapes_on_model(body, model, 1.0),
                      lumped_invariants(body.nodes, lumped_masses(model), body.shapes));
  out.full_mass = full.mass;
  out.reduced_mass = body.invariants.mass;
  if (full.mass > 0.0) out.full_centre = full.first_moment / full.mass;
  if (body.invariants.mass > 0.0) out.reduced_centre = body.centre_of_mass();
  out.full_inertia = full.inertia;
  out.reduced_inertia = body.invariants.inertia;
  out.invariants = difference(body.invariants, full);
}

void compare_frequencies(const FeModel& model,
                         const ModeSet& full,
                         std::int64_t full_rigid,
                         const BodyModes& reduced,
                         Validation& out) {
  // Width of a multiple frequency in errors of the body, and its limits relative to the frequency:
  // the digits of the eigensolver, and modes so far apart that they do not mix.
  constexpr double kSeparationInErrors = 10.0;
  constexpr double kMinSeparation = 1e-6;
  constexpr double kMaxSeparation = 1e-2;
  const double to_si = model.units->eigenvalue();
  const Eigen::Index elastic = full.count() - full_rigid;
  const Eigen::MatrixXd shapes = full.shapes.rightCols(elastic);
  const Eigen::MatrixXd agreement = mass_weighted_mac(shapes, reduced.shapes, *model.mass);
  std::vector<bool> is_paired(static_cast<std::size_t>(reduced.lambda.size()), false);
  for (Eigen::Index i = 0; i < elastic; ++i) {
    Validation::Frequency frequency;
    frequency.full_hz =
        frequency_hz(full.modes[static_cast<std::size_t>(full_rigid + i)].eigenvalue * to_si);
    frequency.reduced_hz = kNaN;
    frequency.error_percent = kNaN;
    // Modes of a multiple frequency mix, so the subspace of equal frequency counts, not a single
    // vector. The errors of the body split equal frequencies, so a difference of a few times that
    // error still counts as equal.
    Eigen::Index best = -1;
    double share = 0.0;
    for (Eigen::Index j = 0; j < reduced.lambda.size(); ++j) {
      if (is_paired[static_cast<std::size_t>(j)]) continue;
      if (best < 0 || agreement(i, j) > agreement(i, best)) best = j;
    }
    if (best >= 0) {
      const double chosen = frequency_hz(reduced.lambda(best));
      const double equal = std::clamp(kSeparationInErrors * std::abs(chosen - frequency.full_hz),
                                      kMinSeparation * chosen,
                                      kMaxSeparation * chosen);
      for (Eigen::Index j = 0; j < reduced.lambda.size(); ++j)
        if (std::abs(frequency_hz(reduced.lambda(j)) - chosen) <= equal) share += agreement(i, j);
      is_paired[static_cast<std::size_t>(best)] = true;
      frequency.reduced_hz = chosen;
      frequency.error_percent = 100.0 * (chosen - frequency.full_hz) / frequency.full_hz;
      frequency.mac = std::min(1.0, share);
    }
    out.frequencies.push_back(frequency);
  }
  // twice as many modes of the body as of the full model, to show where a missing one has gone
  const Eigen::Index shown = std::min(agreement.cols(), 2 * elastic);
  out.mac = agreement.leftCols(shown);
  out.plain_mac = mac(shapes, reduced.shapes.leftCols(shown));
}

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

/// The data of the full model that compare_interface() needs.
struct FullModel {
  const FeModel& model;
  // displacements under unit forces on the interface, without rigid motion
  const ModeSet& attachment;
  const Eigen::MatrixXd& R;  // rigid modes
  double last_hz = 0.0;      // frequency of its highest mode that is compared
};

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

/// Compares at the interface; does nothing but warn if the part can move while its interface is
/// held.
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

/// Lists the limits that are exceeded in out.findings and decides out.pass; an error that is NaN
/// counts as exceeded.
void judge(const ValidateOptions& options, Validation& out) {
  const auto add_finding = [&](const std::string& text) { out.findings.push_back(text); };
  for (std::size_t k = 0; k < out.frequencies.size(); ++k) {
    Validation::Frequency& f = out.frequencies[k];
    const std::size_t findings = out.findings.size();
    if (!std::isfinite(f.reduced_hz))
      add_finding(fmt::format("mode {} at {:.6g} Hz is missing in the body", k + 1, f.full_hz));
    else if (!(std::abs(f.error_percent) <= options.frequency_limit))
      add_finding(fmt::format(
          "mode {} at {:.6g} Hz is off by {:.3g} %", k + 1, f.full_hz, f.error_percent));
    else if (!(f.mac >= options.mac_limit))
      add_finding(fmt::format("mode {} at {:.6g} Hz has a MAC of {:.4f}", k + 1, f.full_hz, f.mac));
    f.agrees = out.findings.size() == findings;
  }
  constexpr double kSameMass = 1e-6;  // six digits survive any body file
  if (!(std::abs(out.reduced_mass - out.full_mass) <= kSameMass * out.full_mass))
    add_finding(
        fmt::format("the mass is {:.9g} kg instead of {:.9g} kg", out.reduced_mass, out.full_mass));
  if (out.full_zero_modes != out.reduced_zero_modes)
    add_finding(
        fmt::format("{} zero modes instead of {}", out.reduced_zero_modes, out.full_zero_modes));
  if (!(out.static_error <= options.static_limit))
    add_finding(
        fmt::format("static displacements at the interface are off by {:.2e}", out.static_error));
  if (!(out.frf_error <= options.frf_limit))
    add_finding(fmt::format("the interface frequency response is off by {:.2e}", out.frf_error));
  out.pass = out.findings.empty();
}

/// @throws ModelError  the nodes of the body differ from those of the model
void check_nodes(const FlexBody& body, const FeModel& model) {
  std::string mismatch;
  for (const Node& node : model.nodes)
    if (mismatch.empty() && find_node(body, node.id) < 0)
      mismatch = fmt::format("has no node {}", node.id);
  for (const BodyNode& node : body.nodes)
    if (mismatch.empty() && find_node(model, node.id) == nullptr)
      mismatch = fmt::format("has node {}, which the model lacks", node.id);
  if (mismatch.empty()) return;
  throw ModelError(
      "wrong-model",
      fmt::format("the body was not made from this model: of {} nodes against {}, it {}",
                  body.nodes.size(),
                  model.nodes.size(),
                  mismatch),
      {},
      "validate against the model that the body was reduced from");
}

/// `count` of the interface nodes, spread over the interface: each next one is the node farthest
/// from those taken before.
std::vector<std::int64_t> spread_nodes(const FeModel& model, std::size_t count) {
  const std::vector<std::int64_t>& all = model.interface_nodes;
  std::vector<Eigen::Vector3d> at;
  for (const std::int64_t id : all) {
    const Node* node = find_node(model, id);
    at.push_back(node == nullptr ? Eigen::Vector3d::Zero() : node->position);
  }
  std::vector<double> distance(all.size(), std::numeric_limits<double>::infinity());
  std::vector<std::int64_t> out;
  std::size_t next = 0;
  while (out.size() < count) {
    out.push_back(all[next]);
    for (std::size_t k = 0; k < all.size(); ++k)
      distance[k] = std::min(distance[k], (at[k] - at[next]).squaredNorm());
    next = static_cast<std::size_t>(std::max_element(distance.begin(), distance.end()) -
                                    distance.begin());
  }
  return out;
}

/// @throws ModelError, UsageError  the model or the options lack what a comparison needs
void check_request(const FeModel& model, const ValidateOptions& options) {
  if (!model.stiffness || !model.mass)
    throw ModelError("no-matrices", "the model holds no K and M to validate against");
  if (!model.units)
    throw ModelError("no-units",
                     "the units of the model are not known",
                     {},
                     "give them, for example --units mm-t-s");
  if (!(options.damping_ratio > 0.0))
    throw UsageError(
        "damping",
        fmt::format("the damping ratio of the frequency responses is {}", options.damping_ratio),
        {},
        "give a ratio above zero: without damping a response is infinite at resonance");
}

/// The modes of the full model that a validation compares with those of the body.
struct FullModes {
  ModeSet normal;  // rigid modes first, then at most options.modes elastic ones
  ModeSet attachment;
  std::int64_t rigid = 0;  // number of rigid modes
};

FullModes full_modes(const FeModel& model,
                     const ValidateOptions& options,
                     Diagnostics& diagnostics,
                     Progress& progress) {
  // largest number of unconnected parts for whose rigid modes room is reserved among the modes
  constexpr std::int64_t kMaxParts = 32;
  ModeRequest request;
  request.solve = options.solve;
  {
    Diagnostics repeated_warnings;  // compute_modes() gives the same warnings
    const System system = build_system(model, repeated_warnings);
    const auto parts = static_cast<std::int64_t>(parts_of(system.K, system.group).size());
    request.normal = std::min<std::int64_t>(options.modes + 6 * std::min(parts, kMaxParts),
                                            dofs_with_mass(system.M));
  }
  request.attachment = !model.interface_nodes.empty();
  const ComputedModes computed = compute_modes(model, request, diagnostics, progress);
  FullModes out;
  out.rigid = computed.report.rigid_modes;
  out.normal.rows = out.attachment.rows = model.dofs;
  std::vector<Eigen::Index> normal_columns;
  std::vector<Eigen::Index> attachment_columns;
  std::int64_t elastic = 0;
  for (Eigen::Index col = 0; col < computed.modes.count(); ++col) {
    const ModeInfo& mode = computed.modes.modes[static_cast<std::size_t>(col)];
    if (mode.kind == ModeKind::attachment) {
      attachment_columns.push_back(col);
    } else if (mode.number <= out.rigid || elastic++ < options.modes) {
      normal_columns.push_back(col);
      out.normal.modes.push_back(mode);
    }
  }
  out.normal.shapes = computed.modes.shapes(Eigen::all, normal_columns);
  out.attachment.shapes = computed.modes.shapes(Eigen::all, attachment_columns);
  return out;
}

}  // namespace

Validation validate(const FlexBody& body,
                    const FeModel& model,
                    const ValidateOptions& options,
                    Diagnostics& diagnostics,
                    Progress& progress) {
  check_request(model, options);
  if (!has_only_acting_modes(body))
    return validate(acting_part(body), model, options, diagnostics, progress);
  // A response takes b^3 operations, b the number of interface DOFs. From the first number of nodes
  // on, the second number of them is compared.
  constexpr std::size_t kWideInterfaceNodes = 200;
  constexpr std::size_t kComparedNodes = 60;
  if (model.interface_nodes.size() > kWideInterfaceNodes) {
    diagnostics.warn("wide-interface",
                     fmt::format("the interface is compared at {} of its {} nodes, spread over it",
                                 kComparedNodes,
                                 model.interface_nodes.size()));
    FeModel sampled = model;
    sampled.interface_nodes = spread_nodes(model, kComparedNodes);
    return validate(body, sampled, options, diagnostics, progress);
  }
  Validation out;
  check_nodes(body, model);
  compare_inertia(body, model, out);
  const FullModes full = full_modes(model, options, diagnostics, progress);
  const Eigen::MatrixXd R =
      full.normal.shapes.leftCols(std::min<Eigen::Index>(full.rigid, full.normal.count()));
  out.full_zero_modes = full.rigid;
  const BodyModes own = own_modes(body, model, full.normal, full.rigid, R);
  if (full.normal.count() > 0)
    warn_of_scalar_points(
        model,
        own.shapes,
        own.lambda.unaryExpr(&frequency_hz),
        frequency_hz(full.normal.modes.back().eigenvalue * model.units->eigenvalue()),
        1.0 - options.mac_limit,
        diagnostics);
  const BodyModes reduced =
      elastic_body_modes(own, whole_rigid_modes(model, R), model, out.reduced_zero_modes);
  compare_frequencies(model, full.normal, full.rigid, reduced, out);
  if (!model.interface_nodes.empty()) {
    const double last_hz = out.frequencies.empty() ? 1.0 : out.frequencies.back().full_hz;
    compare_interface(
        {model, full.attachment, R, last_hz}, reduced, options, diagnostics, progress, out);
  }
  judge(options, out);
  return out;
}

}  // namespace femflex::modal
