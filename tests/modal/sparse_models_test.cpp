// Tests models with missing directions, missing masses or few digits.
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/dense.h"
#include "femflex/modal/build_invariants.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/reduce.h"
#include "femflex/modal/validate.h"

#include "problems.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::beam;
using testing::tolerance;

/// Masses in a row along x that move along x; springs between them, the first one to ground.
FeModel masses_in_a_row(const std::vector<double>& masses, const std::vector<double>& springs) {
  FeModel model;
  model.units = Units{};
  std::vector<Dof> dofs;
  std::vector<Entry> K;
  std::vector<Entry> M;
  for (std::size_t k = 0; k < masses.size(); ++k) {
    const auto i = static_cast<std::int64_t>(k);
    model.nodes.push_back({i + 1, Eigen::Vector3d(static_cast<double>(k), 0.0, 0.0)});
    dofs.push_back({i + 1, 1});
    if (masses[k] != 0.0) M.push_back({i, i, masses[k]});
    K.push_back({i, i, springs[k] + (k + 1 < springs.size() ? springs[k + 1] : 0.0)});
    if (k > 0) K.push_back({i, i - 1, -springs[k]});
  }
  model.dofs = DofMap(dofs);
  const auto n = static_cast<std::int64_t>(masses.size());
  model.stiffness = assemble(n, n, K);
  model.mass = assemble(n, n, M);
  return model;
}

// Closed forms of a rod: m, m L / 2, m L^2 / 3 about its end. The matrices know the mass across the
// beam alone; a body that falls or turns has it in every direction.
TEST(PlanarModels, WeighTheSameInTheDirectionsTheyLeaveOut) {
  FeModel model = beam(10, "ff");
  model.interface_nodes = {1};
  ReduceOptions options;
  options.method = Method::guyan;
  options.rigid_modes = RigidModes::keep;
  Diagnostics diagnostics;
  const FlexBody body = reduce(model, options, diagnostics);
  EXPECT_NEAR(body.invariants.mass, 1.0, tolerance(1e-12));
  EXPECT_NEAR(body.centre_of_mass().x(), 0.5, tolerance(1e-12));
  // lumps at both ends of each of ten elements: 1 / 3 + 1 / (6 n^2), and the rotary entries
  EXPECT_NEAR(body.invariants.inertia(1, 1), 1.0 / 3.0 + 1.0 / 600.0, tolerance(1e-12));
  for (int c = 0; c < 3; ++c)
    EXPECT_NEAR(body.lumped_mass.col(c).sum(), 1.0, tolerance(1e-12)) << c;
}

// Closed form: sums. The masses move in one direction only.
TEST(PlanarModels, AreWeighedInALineToo) {
  const FeModel model = masses_in_a_row({5.0, 5.0, 3.0}, {7.0, 20.0, 10.0});
  ReduceOptions options;
  options.method = Method::dynamic;
  options.normal = 2;
  Diagnostics diagnostics;
  const FlexBody body = reduce(model, options, diagnostics);
  EXPECT_NEAR(body.invariants.mass, 13.0, tolerance(1e-12));
  EXPECT_NEAR(body.centre_of_mass().x(), 11.0 / 13.0, tolerance(1e-12));
}

// A complete set on a model with a massless DOF holds a motion without mass, which no body can:
// one mode leaves with its reason on every path, and what is left is a sound body that responds
// statically as the model does.
TEST(MasslessDofs, LeaveNoMotionWithoutMassInABody) {
  FeModel model = masses_in_a_row({0.0, 5.0, 3.0}, {7.0, 20.0, 10.0});
  model.interface_nodes = {1};
  for (const bool orthogonalised : {false, true}) {
    ReduceOptions options;
    options.method = Method::craig_bampton;
    options.normal = 2;
    options.orthogonalise = orthogonalised;
    Diagnostics diagnostics;
    const FlexBody body = reduce(model, options, diagnostics);
    EXPECT_EQ(body.mode_count(), 2);
    ASSERT_EQ(body.rejected.size(), 1u);
    EXPECT_EQ(body.rejected[0].reason, RejectionReason::dependent);
    EXPECT_EQ(body.rejected[0].source, "dynamic:2");
    const Eigen::VectorXd values =
        Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(body.stiffness, body.mass)
            .eigenvalues();
    EXPECT_GT(values.minCoeff(), 0.4);
    EXPECT_LT(values.maxCoeff(), 100.0);
    EXPECT_LT(validate(body, model, {}, diagnostics).static_error, tolerance(1e-10));
  }
}

/// Rounded to that many digits; 0: to single precision.
SparseMatrix written_with(int digits, SparseMatrix matrix) {
  for (Eigen::Index k = 0; k < matrix.nonZeros(); ++k) {
    double& value = matrix.valuePtr()[k];
    value = digits == 0 ? static_cast<double>(static_cast<float>(value))
                        : std::stod(fmt::format("{:.{}e}", value, digits - 1));
  }
  return matrix;
}

/// Bodies by three methods that rest on rigid modes agree with their model, six zero modes and all.
void expect_bodies_that_agree(const FeModel& model, int digits) {
  Diagnostics diagnostics;
  for (const Method method : {Method::craig_chang, Method::craig_bampton, Method::krylov}) {
    ReduceOptions options;
    options.method = method;
    options.normal = 12;
    const FlexBody body = reduce(model, options, diagnostics);
    ValidateOptions check;
    check.modes = 3;
    check.band = FrequencyBand{0.0, 500.0};
    const Validation seen = validate(body, model, check, diagnostics);
    EXPECT_EQ(seen.full_zero_modes, 6) << digits << name_of(method);
    EXPECT_EQ(seen.reduced_zero_modes, 6) << digits << name_of(method);
    EXPECT_LT(seen.static_error, tolerance(1e-8)) << digits << name_of(method);
    EXPECT_LT(seen.frf_error, 2e-2) << digits << name_of(method);
  }
}

// Punched matrices hold nine or ten digits, so that K resists rigid motion by the last of them. The
// part floats all the same: six modes are exactly zero, elastic solutions exist, and a body made
// from it agrees with it. Truth: the frequencies of the matrices of full precision.
TEST(MatricesOfFewDigits, StillFloat) {
  const FeModel exact = testing::brick_block(6, 1, 1, 1.0, 0.2, 0.15);
  ModeRequest request;
  request.normal = 12;
  Diagnostics diagnostics;
  const ComputedModes expected = compute_modes(exact, request, diagnostics);
  for (const int digits : {12, 10, 8, 0}) {
    FeModel model = exact;
    model.interface_nodes = {1, 7, 22};
    model.stiffness = written_with(digits, *exact.stiffness);
    model.mass = written_with(digits, *exact.mass);
    const ComputedModes computed = compute_modes(model, request, diagnostics);
    EXPECT_EQ(computed.report.rigid_modes, 6) << digits;
    for (std::size_t k = 0; k < 12; ++k) {
      const double lambda = expected.modes.modes[k].eigenvalue;
      EXPECT_NEAR(computed.modes.modes[k].eigenvalue,
                  k < 6 ? 0.0 : lambda,
                  k < 6 ? 0.0 : 1e3 * std::pow(10.0, digits == 0 ? -7 : -digits) * lambda)
          << digits;
    }
    expect_bodies_that_agree(model, digits);
  }
}

// Node positions come from a deck with seven digits or so, K and M from a binary file with all of
// theirs. The rigid motions by those positions have a small energy; the exact ones close to them
// have none. Truth: the frequencies of the same matrices under exact positions.
TEST(PositionsOfFewDigits, LeaveRigidModesExact) {
  const FeModel exact = testing::brick_block(6, 1, 1, 0.9, 0.23, 0.17);
  ModeRequest request;
  request.normal = 12;
  Diagnostics diagnostics;
  const ComputedModes expected = compute_modes(exact, request, diagnostics);
  for (const int digits : {12, 9, 7, 6}) {
    FeModel model = exact;
    model.interface_nodes = {1, 7, 22};
    for (Node& node : model.nodes)
      for (double& x : node.position)
        x = std::stod(fmt::format("{:.{}e}", x, digits - 1));
    const ComputedModes computed = compute_modes(model, request, diagnostics);
    EXPECT_EQ(computed.report.rigid_modes, 6) << digits;
    for (std::size_t k = 6; k < 12; ++k)
      EXPECT_NEAR(computed.modes.modes[k].eigenvalue / expected.modes.modes[k].eigenvalue,
                  1.0,
                  tolerance(1e-10))
          << digits;
    const Eigen::MatrixXd rigid = computed.modes.shapes.leftCols(6);
    const Eigen::MatrixXd force = model.stiffness->selfadjointView<Eigen::Lower>() * rigid;
    EXPECT_LT(force.norm(), tolerance(1e-10) * model.stiffness->norm() * rigid.norm()) << digits;
    expect_bodies_that_agree(model, digits);
  }
}

// The same on a beam, whose rotations have stiffness of their own.
TEST(PositionsOfFewDigits, LeaveTheRigidModesOfABeamExact) {
  FeModel model = beam(7, "ff");
  for (const int digits : {9, 7, 6}) {
    for (Node& node : model.nodes)
      node.position.x() = std::stod(fmt::format("{:.{}e}", node.position.x(), digits - 1));
    ModeRequest request;
    request.normal = 4;
    Diagnostics diagnostics;
    const ComputedModes computed = compute_modes(model, request, diagnostics);
    EXPECT_EQ(computed.report.rigid_modes, 2) << digits;
    const Eigen::MatrixXd rigid = computed.modes.shapes.leftCols(2);
    const Eigen::MatrixXd force = model.stiffness->selfadjointView<Eigen::Lower>() * rigid;
    EXPECT_LT(force.norm(), tolerance(1e-12) * model.stiffness->norm() * rigid.norm()) << digits;
  }
}

// Closed form: K + w0^2 M moves every eigenvalue by w0^2. A soft foundation is not a lack of
// digits, though it is as small.
TEST(MatricesOfFewDigits, AreNotTakenForASoftFoundation) {
  FeModel model = testing::brick_block(6, 1, 1, 1.0, 0.2, 0.15);
  constexpr double w0_squared = 100.0;
  *model.stiffness += w0_squared * *model.mass;
  ModeRequest request;
  request.normal = 7;
  Diagnostics diagnostics;
  const ComputedModes computed = compute_modes(model, request, diagnostics);
  EXPECT_EQ(computed.report.rigid_modes, 0);
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_NEAR(computed.modes.modes[k].eigenvalue, w0_squared, tolerance(1e-4) * w0_squared);
}

}  // namespace
}  // namespace femflex::modal
