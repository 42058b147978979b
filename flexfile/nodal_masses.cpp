// Chooses the nodal masses that a file format stores as its only inertia: those of the body if its
// invariants follow from them, else the best of up to three fits. Remaining errors give a warning.
#include "nodal_masses.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "derive.h"
#include "masses/mass_features.h"
#include "masses/mass_fit.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

using Lumped = Eigen::Matrix<double, Eigen::Dynamic, 6>;

/// Error below which masses count as exact: different orders of summation change the invariants of
/// one mass matrix by some thousand times the round-off.
constexpr double kMaxRoundOff = 1e-9;
/// Largest error due to rounding in files with seven digits.
constexpr double kMaxRounding = 1e-6;
/// Smallest error that is reported.
constexpr double kMinReported = 0.01;

/// Errors about the centre of mass, independent of the body frame.
InvariantErrors errors_about_centre(const InertiaInvariants& computed,
                                    const InertiaInvariants& truth) {
  const Eigen::Vector3d centre = scales_of(truth).centre;
  InvariantErrors errors =
      invariant_errors(translated(computed, -centre), translated(truth, -centre));
  // with partial coupling the true invariants 5, 8 and 9 are not known
  if (has_partial_coupling(truth)) errors.of[4] = errors.of[7] = errors.of[8] = 0.0;
  return errors;
}

InvariantErrors errors_of(const FlexBody& body, const Lumped& masses) {
  InertiaInvariants computed = invariants_from_lumped(positions_of(body), body.shapes, masses);
  computed.modal = body.invariants.modal;  // stored in the file
  return errors_about_centre(computed, body.invariants);
}

/// Estimates the invariant errors of the masses from a few combinations of the modes, which is
/// cheap: an error in one mode appears in nearly every combination.
double sampled_error(const FlexBody& body, const Lumped& masses) {
  constexpr Index kCombinations = 3;
  constexpr double kStart = 1.0, kStride = 2.7;  // [rad] any values that mix all modes
  const Index n = body.mode_count();
  MatrixXd T(n, kCombinations);
  const VectorXd scale = scales_of(body.invariants).modal;
  for (Index k = 0; k < kCombinations; ++k)
    for (Index j = 0; j < n; ++j)
      T(j, k) = std::cos(kStart + kStride * static_cast<double>(kCombinations * j + k)) / scale(j);
  const InertiaInvariants truth = in_basis(body.invariants, T);
  InertiaInvariants computed = invariants_from_lumped(positions_of(body), body.shapes * T, masses);
  computed.modal = truth.modal;
  return errors_about_centre(computed, truth).worst();
}

/// Rotary inertias that may be chosen: those that the body has; for a body without any masses,
/// every one with a rotation shape.
std::vector<MassFeatures::Rotary> existing_rotary(const FlexBody& body) {
  const bool has_none = body.lumped_mass.isZero(0.0);
  std::vector<MassFeatures::Rotary> out;
  for (Index k = 0; k < body.node_count(); ++k)
    for (int a = 0; a < 3; ++a)
      if (body.lumped_mass(k, 3 + a) > 0.0 ||
          (has_none && !body.shapes.row(6 * k + 3 + a).isZero(0.0)))
        out.push_back({k, a});
  return out;
}

std::vector<MassFeatures::Rotary> all_rotary(const FlexBody& body) {
  std::vector<MassFeatures::Rotary> out;
  for (Index k = 0; k < body.node_count(); ++k)
    for (int a = 0; a < 3; ++a)
      out.push_back({k, a});
  return out;
}

/// Starting point of the fit: the absolute lumped masses plus a tenth of their mean, so that nodes
/// of zero mass can be used.
VectorXd starting_masses(const FlexBody& body, const MassFeatures& features) {
  constexpr double kFraction = 0.1;
  const InvariantScales scales = scales_of(body.invariants);
  const auto raised = [](VectorXd values, double value_if_zero) {
    if (values.size() == 0) return values;
    const double mean = values.mean();
    values.array() += mean > 0.0 ? kFraction * mean : value_if_zero;
    return values;
  };
  VectorXd mass = body.lumped_mass.leftCols<3>().cwiseAbs().rowwise().mean();
  mass = raised(std::move(mass), 1.0);
  mass /= mass.sum();
  VectorXd rotary(static_cast<Index>(features.rotary().size()));
  for (Index u = 0; u < rotary.size(); ++u) {
    const MassFeatures::Rotary& at = features.rotary()[static_cast<std::size_t>(u)];
    rotary(u) = std::max(0.0, body.lumped_mass(at.node, 3 + at.axis)) /
                (scales.mass * scales.radius * scales.radius);
  }
  VectorXd x0(features.size());
  x0 << mass, raised(std::move(rotary), kFraction / static_cast<double>(mass.size()));
  return x0;
}

/// Largest number of rows for which a step of the fit (size * rows^2 operations) takes about a
/// second.
Index row_limit(Index size) {
  constexpr double kWork = 2e9;  // [flop]
  constexpr double kMinRows = 60.0, kMaxRows = 400.0;
  const double rows = std::sqrt(kWork / static_cast<double>(std::max<Index>(size, 1)));
  return static_cast<Index>(std::clamp(rows, kMinRows, kMaxRows));
}

/// One attempt of a fit.
struct Attempt {
  NodalMasses masses;
  bool is_rigid_exact = false;
};

/// Fits the masses with the given rotary inertias.
Attempt fit_attempt(const FlexBody& body,
                    std::vector<MassFeatures::Rotary> rotary,
                    bool may_be_negative) {
  const MassFeatures features(body, std::move(rotary));
  const VectorXd x0 = starting_masses(body, features);
  const MassFit fit =
      fit_masses(features, features.compress(row_limit(features.size())), x0, may_be_negative);
  const InvariantScales scales = scales_of(body.invariants);
  Attempt out;
  NodalMasses& masses = out.masses;
  masses.is_fitted = true;
  masses.values.setZero(body.node_count(), 6);
  masses.values.leftCols<3>() = (scales.mass * fit.x.head(features.node_count())).replicate<1, 3>();
  for (std::size_t u = 0; u < features.rotary().size(); ++u)
    masses.values(features.rotary()[u].node, 3 + features.rotary()[u].axis) =
        scales.mass * scales.radius * scales.radius *
        fit.x(features.node_count() + static_cast<Index>(u));
  masses.has_negative = masses.values.minCoeff() < 0.0;
  masses.errors = errors_of(body, masses.values);
  out.is_rigid_exact = fit.rigid_error <= kMaxRoundOff;
  return out;
}

}  // namespace

NodalMasses nodal_masses(const FlexBody& body, bool uses_x_for_all) {
  NodalMasses given{body.lumped_mass, {}, false, false};
  if (uses_x_for_all &&
      (given.values.col(1) != given.values.col(0) || given.values.col(2) != given.values.col(0))) {
    const VectorXd mean = given.values.leftCols<3>().rowwise().mean();
    given.values.leftCols<3>() = mean.replicate<1, 3>();
  }
  given.has_negative = given.values.size() > 0 && given.values.minCoeff() < 0.0;
  const InertiaInvariants& i = body.invariants;
  if (!(i.mass > 0.0) || body.node_count() == 0 || i.modes() != body.mode_count() ||
      (i.modal.size() > 0 && i.modal.isZero(0.0)))
    return given;
  if (const double error = sampled_error(body, given.values);
      error <= kMaxRoundOff || (error <= kMaxRounding && !given.has_negative)) {
    given.has_negative = false;  // the body's own masses need no warning, whatever their signs
    return given;
  }
  given.errors = errors_of(body, given.values);

  std::vector<MassFeatures::Rotary> existing = existing_rotary(body);
  Attempt best = fit_attempt(body, existing, false);
  if (!best.is_rigid_exact) {
    // point masses cannot have less inertia than their positions require, but rotary inertias can
    // be added
    Attempt other = fit_attempt(body, all_rotary(body), false);
    if (!other.is_rigid_exact) other = fit_attempt(body, std::move(existing), true);
    if (other.is_rigid_exact || other.masses.errors.worst() < best.masses.errors.worst())
      best = std::move(other);
  }
  const bool is_given_valid = !given.has_negative && given.errors.rigid() <= kMaxRoundOff;
  const bool is_given_better = given.errors.worst() <= best.masses.errors.worst();
  if (is_given_better && (is_given_valid || (best.masses.has_negative && given.has_negative)))
    return given;
  return best.masses;
}

void warn_of_nodal_masses(const NodalMasses& masses,
                          const char* reader,
                          const char* remedy,
                          const std::string& file,
                          Diagnostics& diagnostics) {
  const double worst = masses.errors.worst();
  if (worst > kMinReported)
    diagnostics.warn(
        "nodal-masses",
        fmt::format(
            "{} computes the inertia invariants from nodal masses: invariant {} is off by "
            "{:.2g} % of its largest possible value ({}); {}",
            reader,
            masses.errors.worst_number(),
            100.0 * worst,
            [&] {
              std::string all;
              for (std::size_t k = 0; k < masses.errors.of.size(); ++k)
                if (masses.errors.of[k] > kMinReported && k != 5)
                  all += fmt::format("{}{}: {:.2g} %",
                                     all.empty() ? "" : ", ",
                                     k + 1,
                                     100.0 * masses.errors.of[k]);
              return all;
            }(),
            remedy),
        {file});
  if (masses.has_negative)
    diagnostics.warn(
        "negative-masses",
        "some nodal masses are negative: nonnegative masses at these nodes cannot have "
        "the mass, centre and inertia of the body",
        {file});
}

}  // namespace femflex::flexfile
