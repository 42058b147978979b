// Derives quantities that a body file may lack from the other data of a flexible body: invariants,
// eigenvalues, damping ratios, zero-energy modes, names of modes.
#include "derive.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "femflex/damping.h"
#include "femflex/dense.h"
#include "femflex/frequency.h"

namespace femflex::flexfile {

using Eigen::Index;

Eigen::Matrix3Xd positions_of(const FlexBody& body) {
  Eigen::Matrix3Xd positions(3, body.node_count());
  for (Index k = 0; k < body.node_count(); ++k)
    positions.col(k) = body.nodes[static_cast<std::size_t>(k)].position;
  return positions;
}

InertiaInvariants derived_invariants(const FlexBody& body) {
  InertiaInvariants inv = invariants_from_lumped(positions_of(body), body.shapes, body.lumped_mass);
  inv.modal = body.mass;
  return inv;
}

void derive_eigenvalues(FlexBody& body) {
  for (Index k = 0; k < body.mode_count(); ++k) {
    double& eigenvalue = body.modes[static_cast<std::size_t>(k)].eigenvalue;
    if (std::isnan(eigenvalue) && body.mass(k, k) > 0.0)
      eigenvalue = body.stiffness(k, k) / body.mass(k, k);
  }
}

void derive_damping_ratios(FlexBody& body) {
  if (!body.damping) return;
  for (Index k = 0; k < body.mode_count(); ++k) {
    double& beta = body.modes[static_cast<std::size_t>(k)].damping_ratio;
    if (std::isnan(beta))
      beta = ratio_from_damping((*body.damping)(k, k), body.stiffness(k, k), body.mass(k, k));
  }
}

bool has_rotary_inertia(const FlexBody& body) {
  return body.lumped_mass.rows() > 0 && !body.lumped_mass.rightCols<3>().isZero(0.0);
}

namespace {

/// Half a unit of the last digit, relative to the number, if all entries were written with at most
/// 13 digits; else 0. Numbers of fewer than four digits count as written with four.
double written_precision(const Eigen::MatrixXd& a) {
  // a change of units rounds the number once or twice more
  constexpr double kUnitRoundOff = 8.0 * std::numeric_limits<double>::epsilon();
  constexpr int kFewest = 4, kMost = 13;
  int digits = kFewest;
  for (const double each : a.reshaped()) {
    if (each == 0.0 || !std::isfinite(each)) continue;
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(each))));
    for (; digits <= kMost; ++digits) {
      const double whole = each * std::pow(10.0, digits - 1 - exponent);
      if (std::abs(whole - std::round(whole)) <= kUnitRoundOff * std::abs(whole)) break;
    }
    if (digits > kMost) return 0.0;
  }
  // the number may begin with 1: half a unit is then largest beside it
  return 0.5 * std::pow(10.0, 1 - digits);
}

}  // namespace

Index zero_energy_mode_count(const FlexBody& body) {
  const Index n = body.mode_count();
  // no modes, or a mode without mass, which has no frequency
  if (n == 0 || body.mass.diagonal().minCoeff() <= 0.0) return 0;
  const Eigen::VectorXd scale = body.mass.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd k = scale.asDiagonal() * body.stiffness * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(k);
  const Eigen::ArrayXd lambda = solver.eigenvalues();
  // relative to the largest eigenvalue: far above the round-off of k in double precision, and below
  // elastic modes down to 1e-5 of the highest frequency
  constexpr double kRoundOff = 1e-10;
  // errors of written digits add up at random: three times their root mean square covers them
  constexpr double kSpread = 3.0;
  const Eigen::MatrixXd squares = k.cwiseAbs2();
  const double error = kSpread * written_precision(body.stiffness);
  Index count = 0;
  for (Index i = 0; i < n; ++i) {
    // x' E x for independent errors E of the entries
    const Eigen::VectorXd weights = solver.eigenvectors().col(i).cwiseAbs2();
    const double noise = error * std::sqrt(weights.dot(squares * weights));
    if (lambda(i) <= std::max(kRoundOff * lambda.abs().maxCoeff(), noise)) ++count;
  }
  return count;
}

double frequency_of(const BodyMode& mode) {
  return mode.eigenvalue >= 0.0 ? frequency_hz(mode.eigenvalue)
                                : std::numeric_limits<double>::quiet_NaN();
}

std::string mode_name(const FlexBody& body, Index mode) {
  const BodyMode& m = body.modes[static_cast<std::size_t>(mode)];
  const double hz = frequency_of(m);
  return std::isnan(hz) ? fmt::format("{} {}", name_of(m.kind), mode + 1)
                        : fmt::format("{} {} ({:.4g} Hz)", name_of(m.kind), mode + 1, hz);
}

}  // namespace femflex::flexfile
