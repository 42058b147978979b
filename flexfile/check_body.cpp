// Physical checks of a single body: mass and inertia, modal matrices, invariants. Every violated
// condition becomes a Finding (flexfile.h).
#include <algorithm>
#include <cmath>
#include <string>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/frames.h"

#include "derive.h"
#include "largest.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// Limits of what is found, relative to the largest entry of its kind: masses as far as files of
// seven digits carry them, eigenvalues and sums as far as round-off of the program that wrote them.
constexpr double kSameMass = 1e-6;
constexpr double kSameModalMass = 1e-6;
constexpr double kInertiaSlack = 1e-6;
constexpr double kNegativeMass = 1e-10;
constexpr double kNegativeStiffness = 1e-8;  // of damping, too
constexpr double kSameEigenvalue = 1e-4;
constexpr double kRigidEigenvalue = 1e-3;  // [rad^2/s^2] below it, eigenvalues are round-off
constexpr double kDependentMass = 1e-10;   // smallest eigenvalue of the mass matrix of all motions
constexpr double kMaxInconsistency = 1e-8;
constexpr double kNotZero = 1e-300;

class Findings {
 public:
  void fault(std::string code, std::string message) {
    list_.push_back({std::move(code), std::move(message), true});
  }
  void note(std::string code, std::string message) {
    list_.push_back({std::move(code), std::move(message), false});
  }
  std::vector<Finding> take() { return std::move(list_); }

 private:
  std::vector<Finding> list_;
};

double smallest(const MatrixXd& symmetric) {
  return symmetric.rows() == 0
             ? 0.0
             : Eigen::SelfAdjointEigenSolver<MatrixXd>(symmetric, Eigen::EigenvaluesOnly)
                   .eigenvalues()(0);
}

void check_mass(const FlexBody& body, Findings& findings) {
  const InertiaInvariants& i = body.invariants;
  if (!(i.mass > 0.0)) {
    findings.fault("no-mass", fmt::format("the mass is {} kg", i.mass));
    return;
  }
  const double lumped = body.lumped_mass.leftCols<3>().sum() / 3.0;
  if (lumped > 0.0 && std::abs(lumped - i.mass) > kSameMass * i.mass)
    findings.note("lumped-mass",
                  fmt::format("the nodes carry {:.6g} kg of {:.6g} kg", lumped, i.mass));
  if (lumped <= 0.0) findings.note("lumped-mass", "the file has no nodal masses");
  // about the mass centre all moments of inertia are positive and none exceeds the sum of the
  // others
  const Eigen::Vector3d centre = body.centre_of_mass();
  const Eigen::Matrix3d c = cross_matrix(centre);
  const Eigen::Matrix3d J = i.inertia + i.mass * c * c;
  const Eigen::Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(J, Eigen::EigenvaluesOnly).eigenvalues();
  const double slack = kInertiaSlack * std::max(largest(i.inertia), kNotZero);
  if (moments(0) < -slack || moments(0) + moments(1) < moments(2) - slack)
    findings.fault("inertia",
                   fmt::format("principal moments {:.4g}, {:.4g}, {:.4g} kg m^2 fit no "
                               "distribution of mass",
                               moments(0),
                               moments(1),
                               moments(2)));
}

void check_modal(const FlexBody& body, Findings& findings) {
  const Index n = body.mode_count();
  if (n == 0) {
    findings.note("no-modes", "the body has no modes");
    return;
  }
  const double scale = largest(body.mass);
  if (smallest(body.mass) <= -kNegativeMass * scale)
    findings.fault("modal-mass", "the modal mass matrix is not positive semidefinite");
  if (smallest(body.stiffness) < -kNegativeStiffness * largest(body.stiffness))
    findings.fault("modal-stiffness", "the modal stiffness matrix has a negative eigenvalue");
  if (body.damping && smallest(*body.damping) < -kNegativeStiffness * largest(*body.damping))
    findings.fault("modal-damping", "the modal damping matrix feeds energy into some motion");
  for (Index k = 0; k < n; ++k) {
    const double given = body.modes[static_cast<std::size_t>(k)].eigenvalue;
    const double derived = body.stiffness(k, k) / body.mass(k, k);
    if (std::isfinite(given) && std::isfinite(derived) &&
        std::abs(given - derived) >
            kSameEigenvalue * std::max(std::abs(given), std::abs(derived)) &&
        std::abs(given - derived) > kRigidEigenvalue)
      findings.note(
          "eigenvalue",
          fmt::format(
              "mode {}: the table says {:.6g} rad^2/s^2, k/m is {:.6g}", k + 1, given, derived));
    if (body.shapes.col(k).isZero(0.0) && body.node_count() > 0)
      findings.fault("zero-shape", fmt::format("mode {} moves no node", k + 1));
  }
  const double conditioning = smallest_scaled_mass(body.invariants);
  if (conditioning < kDependentMass)
    findings.note("rigid-content",
                  fmt::format("rigid and modal motion are dependent (smallest eigenvalue of the "
                              "scaled mass matrix {:.1e}): free simulation needs shapes without "
                              "rigid content",
                              conditioning));
}

void check_invariants(const FlexBody& body, Findings& findings) {
  const InertiaInvariants& i = body.invariants;
  if (largest(i.modal - body.mass) > kSameModalMass * largest(body.mass))
    findings.fault("invariant-6", "invariant 6 is not the modal mass");
  if (largest(i.translation_rate) == 0.0 && largest(i.inertia_curvature) == 0.0 &&
      body.mode_count() > 0) {
    findings.note("partial-coupling", "invariants 5 and 9 are zero: partial coupling");
    return;
  }
  const bool full = largest(i.inertia_curvature) > 0.0;
  for (const ConsistencyCheck& rule : consistency_checks(i, true))
    if (rule.residual > kMaxInconsistency && (full || rule.name.find('9') == std::string::npos))
      findings.note("sum-rule",
                    fmt::format("{}: off by {:.1e}; normal for consistent masses of beams and "
                                "shells, else an error",
                                rule.name,
                                rule.residual));
}

}  // namespace

std::vector<Finding> check_body(const FlexBody& body) {
  Findings findings;
  try {
    make_flex_body(body);
  } catch (const ModelError& error) {
    findings.fault(error.code(), error.message());
    return findings.take();
  }
  check_mass(body, findings);
  check_modal(body, findings);
  check_invariants(body, findings);
  return findings.take();
}

}  // namespace femflex::flexfile
