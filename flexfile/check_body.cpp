// Physical checks of a single body: mass and inertia, modal matrices, invariants. Every violated
// condition becomes a Finding (flexfile.h).
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/frames.h"
#include "femflex/largest.h"

#include "derive.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// Limits of deviations, relative to the largest entry of the quantity. Files may hold masses with
// seven digits and eigenvalues with four or five.
constexpr double kMassTolerance = 1e-6;
constexpr double kModalMassTolerance = 1e-6;
constexpr double kInertiaTolerance = 1e-6;
constexpr double kMaxNegativeMass = 1e-10;
constexpr double kMaxNegativeStiffness = 1e-8;  // also for damping
constexpr double kEigenvalueTolerance = 1e-4;
constexpr double kMinEigenvalueDifference = 1e-3;  // [rad^2/s^2] below it is round-off
// smallest eigenvalue of the scaled mass matrix of rigid and modal coordinates
constexpr double kMinScaledMass = 1e-10;
constexpr double kMaxInconsistency = 1e-8;
constexpr double kMinDivisor = 1e-300;

/// Collects errors and notes.
class Findings {
 public:
  void error(std::string code, std::string message) {
    list_.push_back({std::move(code), std::move(message), true});
  }
  void note(std::string code, std::string message) {
    list_.push_back({std::move(code), std::move(message), false});
  }
  std::vector<Finding> take() { return std::move(list_); }

 private:
  std::vector<Finding> list_;
};

/// Smallest eigenvalue; 0 for an empty matrix.
double smallest_eigenvalue(const MatrixXd& symmetric) {
  return symmetric.rows() == 0
             ? 0.0
             : Eigen::SelfAdjointEigenSolver<MatrixXd>(symmetric, Eigen::EigenvaluesOnly)
                   .eigenvalues()(0);
}

/// Mass of the nodes [kg].
double nodal_mass(const FlexBody& body) {
  return body.lumped_mass.leftCols<3>().sum() / 3.0;
}

/// True if the nodes have the mass of the body.
bool has_all_mass_on_nodes(const FlexBody& body) {
  return std::abs(nodal_mass(body) - body.invariants.mass) <= kMassTolerance * body.invariants.mass;
}

void check_mass(const FlexBody& body, Findings& findings) {
  const InertiaInvariants& i = body.invariants;
  if (!(i.mass > 0.0)) {
    findings.error("no-mass", fmt::format("the mass is {} kg", i.mass));
    return;
  }
  const double lumped = nodal_mass(body);
  if (lumped > 0.0 && !has_all_mass_on_nodes(body))
    findings.note(
        "lumped-mass",
        fmt::format(
            "the nodal masses sum to {:.6g} kg, but the mass is {:.6g} kg", lumped, i.mass));
  if (lumped == 0.0) findings.note("lumped-mass", "the file has no nodal masses");
  if (lumped < 0.0)
    findings.note("lumped-mass", fmt::format("the nodal masses sum to {:.6g} kg", lumped));
  // about the mass centre all moments of inertia are positive and none exceeds the sum of the
  // others
  const Eigen::Vector3d centre = body.centre_of_mass();
  const Eigen::Matrix3d c = cross_matrix(centre);
  const Eigen::Matrix3d J = i.inertia + i.mass * c * c;
  const Eigen::Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(J, Eigen::EigenvaluesOnly).eigenvalues();
  const double tolerance = kInertiaTolerance * std::max(largest(i.inertia), kMinDivisor);
  if (moments(0) < -tolerance || moments(0) + moments(1) < moments(2) - tolerance)
    findings.error("inertia",
                   fmt::format("no distribution of mass has the principal moments of inertia "
                               "{:.4g}, {:.4g}, {:.4g} kg m^2",
                               moments(0),
                               moments(1),
                               moments(2)));
}

/// A mode that moves no node. It may move nodes that were left out, which have mass then.
void check_still_mode(const FlexBody& body, Index mode, Findings& findings) {
  if (has_all_mass_on_nodes(body))
    findings.error("zero-shape", fmt::format("mode {} moves no node", mode + 1));
  else
    findings.note("zero-shape",
                  fmt::format("mode {} moves none of the nodes that the file has", mode + 1));
}

void check_modal(const FlexBody& body, Findings& findings) {
  const Index n = body.mode_count();
  if (n == 0) {
    findings.note("no-modes", "the body has no modes");
    return;
  }
  const double scale = largest(body.mass);
  if (smallest_eigenvalue(body.mass) < -kMaxNegativeMass * scale)
    findings.error("modal-mass", "the modal mass matrix is not positive semidefinite");
  if (smallest_eigenvalue(body.stiffness) < -kMaxNegativeStiffness * largest(body.stiffness))
    findings.error("modal-stiffness", "the modal stiffness matrix has a negative eigenvalue");
  if (body.damping &&
      smallest_eigenvalue(*body.damping) < -kMaxNegativeStiffness * largest(*body.damping))
    findings.error("modal-damping",
                   "the modal damping matrix has a negative eigenvalue: it adds energy");
  for (Index k = 0; k < n; ++k) {
    const double listed = body.modes[static_cast<std::size_t>(k)].eigenvalue;
    const double derived = body.stiffness(k, k) / body.mass(k, k);
    if (std::isfinite(listed) && std::isfinite(derived) &&
        std::abs(listed - derived) >
            kEigenvalueTolerance * std::max(std::abs(listed), std::abs(derived)) &&
        std::abs(listed - derived) > kMinEigenvalueDifference)
      findings.note("eigenvalue",
                    fmt::format("mode {}: the mode table has {:.6g} rad^2/s^2, but k/m is {:.6g}",
                                k + 1,
                                listed,
                                derived));
    if (body.shapes.col(k).isZero(0.0) && body.node_count() > 0)
      check_still_mode(body, k, findings);
  }
  const double conditioning = smallest_scaled_mass(body.invariants);
  if (conditioning < kMinScaledMass)
    findings.note("rigid-content",
                  fmt::format("rigid and modal motion are dependent (smallest eigenvalue of the "
                              "scaled mass matrix {:.1e}): a simulation of the free body needs "
                              "shapes without rigid motion",
                              conditioning));
}

void check_invariants(const FlexBody& body, Findings& findings) {
  const InertiaInvariants& i = body.invariants;
  if (largest(i.modal - body.mass) > kModalMassTolerance * largest(body.mass))
    findings.error("invariant-6", "invariant 6 is not the modal mass");
  if (largest(i.translation_rate) == 0.0 && largest(i.inertia_curvature) == 0.0 &&
      body.mode_count() > 0) {
    findings.note("partial-coupling",
                  "invariants 5 and 9 are zero: modal coordinates do not affect the inertia forces "
                  "(partial coupling)");
    return;
  }
  const bool has_9 = largest(i.inertia_curvature) > 0.0;
  for (const ConsistencyCheck& check : consistency_checks(i, true))
    if (check.residual > kMaxInconsistency && (has_9 || check.name.find('9') == std::string::npos))
      findings.note(
          "sum-rule",
          fmt::format("'{}' is violated by {:.1e}: normal for consistent masses of beams and "
                      "shells, else an error",
                      check.name,
                      check.residual));
}

}  // namespace

std::vector<Finding> check_body(const FlexBody& body) {
  Findings findings;
  try {
    make_flex_body(body);
  } catch (const ModelError& error) {
    findings.error(error.code(), error.message());
    return findings.take();
  }
  check_mass(body, findings);
  check_modal(body, findings);
  check_invariants(body, findings);
  return findings.take();
}

}  // namespace femflex::flexfile
