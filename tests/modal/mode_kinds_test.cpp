// Tests static, residual, inertia-relief, truncation and moment-matching vectors against closed
// forms and their defining equations.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/dense.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/reduce.h"
#include "femflex/modal/validate.h"

#include "problems.h"
#include "solve/projection.h"
#include "support/support.h"

namespace femflex::modal {
namespace {

using testing::beam;
using testing::brick_block;
using testing::relative_difference;
using testing::tolerance;

ModeSet compute(const FeModel& model, const ModeRequest& request) {
  Diagnostics diagnostics;
  return compute_modes(model, request, diagnostics).modes;
}

Eigen::MatrixXd shapes_of(const ModeSet& modes, ModeKind kind) {
  std::vector<Eigen::Index> columns;
  for (std::size_t k = 0; k < modes.modes.size(); ++k)
    if (modes.modes[k].kind == kind) columns.push_back(static_cast<Eigen::Index>(k));
  return modes.shapes(Eigen::all, columns);
}

/// K and M of the DOFs that are not fixed, dense.
struct Dense {
  std::vector<Eigen::Index> free;
  Eigen::MatrixXd K, M;
};

Dense dense(const FeModel& model) {
  Dense out;
  for (std::int64_t row = 0; row < model.dofs.size(); ++row)
    if (std::find(model.fixed.begin(), model.fixed.end(), model.dofs[row]) == model.fixed.end())
      out.free.push_back(row);
  const Eigen::MatrixXd K = Eigen::MatrixXd(mirrored(*model.stiffness));
  const Eigen::MatrixXd M = Eigen::MatrixXd(mirrored(*model.mass));
  out.K = K(out.free, out.free);
  out.M = M(out.free, out.free);
  return out;
}

// A free beam held at its left end and accelerated: tip deflection under the inertia load. Closed
// forms with EI = rho A = L = 1: -1/8 for a unit acceleration in y; for a unit angular acceleration
// about the middle, load -(x - 1/2), -7/240. Cubic elements are exact at their nodes.
TEST(InertiaRelief, AnswersUnitRigidAccelerationsWithTheInterfaceHeld) {
  FeModel model = beam(10, "ff");
  model.interface_nodes = {1};
  ModeRequest request;
  request.inertia_relief = true;
  request.dofs = {{1, 2}, {1, 6}};
  const Eigen::MatrixXd x = shapes_of(compute(model, request), ModeKind::inertia_relief);
  ASSERT_EQ(x.cols(), 2);  // the planar beam knows no other motions
  const std::int64_t tip = model.dofs.find({11, 2});
  EXPECT_NEAR(x(tip, 0), -1.0 / 8.0, tolerance(1e-10));
  EXPECT_NEAR(x(tip, 1), -7.0 / 240.0, tolerance(1e-10));
  EXPECT_EQ(x(0, 0), 0.0);
  EXPECT_EQ(x(1, 1), 0.0);
}

// The same on a solid: K x = -M T on every DOF that is not held.
TEST(InertiaRelief, BalancesTheInertiaForcesOfABlock) {
  FeModel model = brick_block(6, 2, 2, 1.0, 0.2, 0.15);
  model.interface_nodes = {1, 8, 15, 22};
  ModeRequest request;
  request.inertia_relief = true;
  const Eigen::MatrixXd x = shapes_of(compute(model, request), ModeKind::inertia_relief);
  ASSERT_EQ(x.cols(), 6);
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  for (const Node& node : model.nodes)
    centre += node.position / static_cast<double>(model.nodes.size());
  const Eigen::MatrixXd load =
      symmetric_product(*model.mass, rigid_body_shapes(model, model.dofs, centre));
  Eigen::MatrixXd left = symmetric_product(*model.stiffness, x) + load;
  for (const std::int64_t node : model.interface_nodes)
    for (std::int8_t c = 1; c <= 3; ++c)
      left.row(model.dofs.find({node, c})).setZero();
  EXPECT_LT(left.cwiseAbs().maxCoeff() / load.cwiseAbs().maxCoeff(), tolerance(1e-8));
}

// Masses of held DOFs accelerate with the part. Truth: K^-1 of all of M T, dense.
TEST(InertiaRelief, TakesTheMassOfHeldDofsAlong) {
  FeModel model = brick_block(3, 1, 1, 1.0, 0.2, 0.15);
  for (std::int8_t c = 1; c <= 3; ++c)
    model.fixed.push_back({1, c});
  model.interface_nodes = {4, 8};
  ModeRequest request;
  request.inertia_relief = true;
  const Eigen::MatrixXd x = shapes_of(compute(model, request), ModeKind::inertia_relief);
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  for (const Node& node : model.nodes)
    centre += node.position / static_cast<double>(model.nodes.size());
  Eigen::MatrixXd left =
      symmetric_product(*model.stiffness, x) +
      symmetric_product(*model.mass, rigid_body_shapes(model, model.dofs, centre));
  for (const std::int64_t node : {1, 4, 8})
    for (std::int8_t c = 1; c <= 3; ++c)
      left.row(model.dofs.find({node, c})).setZero();
  EXPECT_LT(left.norm() / model.mass->norm(), tolerance(1e-8));
}

FeModel loaded_beam() {
  FeModel model = beam(20, "cf");
  Eigen::VectorXd tip = Eigen::VectorXd::Zero(model.dofs.size());
  tip(model.dofs.find({21, 2})) = 1.0;
  Eigen::VectorXd middle = Eigen::VectorXd::Zero(model.dofs.size());
  middle(model.dofs.find({11, 6})) = 1.0;
  model.loads = {{1, "tip", tip}, {2, "middle", middle}};
  return model;
}

// Kept normal modes and truncation vectors give the exact displacements under the loads: K^-1 f =
// x_t + sum phi phi' f / lambda, and the two parts are M-orthogonal.
TEST(ModalTruncation, CompletesTheStaticAnswerAndIsOrthogonalToTheNormalModes) {
  const FeModel model = loaded_beam();
  ModeRequest request;
  request.normal = 4;
  request.static_loads = true;
  request.modal_truncation = true;
  const ModeSet modes = compute(model, request);
  const Eigen::MatrixXd Phi = shapes_of(modes, ModeKind::dynamic);
  const Eigen::MatrixXd x = shapes_of(modes, ModeKind::modal_truncation);
  const Eigen::MatrixXd exact = shapes_of(modes, ModeKind::static_);
  ASSERT_EQ(x.cols(), 2);
  Eigen::MatrixXd sum = x;
  for (Eigen::Index j = 0; j < 4; ++j)
    for (Eigen::Index l = 0; l < 2; ++l)
      sum.col(l) += Phi.col(j) * Phi.col(j).dot(model.loads[static_cast<std::size_t>(l)].load) /
                    modes.modes[static_cast<std::size_t>(j) + 2].eigenvalue;
  EXPECT_LT(relative_difference(sum, exact), tolerance(1e-9));
  const Eigen::MatrixXd coupling = Phi.transpose() * symmetric_product(*model.mass, x);
  const double scale = std::sqrt((x.transpose() * symmetric_product(*model.mass, x)).trace());
  EXPECT_LT(coupling.cwiseAbs().maxCoeff() / scale, tolerance(1e-8));
}

// q vectors per input match 2 q moments B' (K^-1 M)^j K^-1 B of the transfer function at zero:
// Galerkin's projection of a symmetric pencil counts twice.
TEST(Krylov, MatchesTwiceAsManyMomentsAsItTakesVectors) {
  const FeModel model = loaded_beam();
  ModeRequest request;
  request.krylov = 3;
  const Eigen::MatrixXd U = shapes_of(compute(model, request), ModeKind::krylov);
  ASSERT_EQ(U.cols(), 6);
  const Dense full = dense(model);
  Eigen::MatrixXd B(model.dofs.size(), 2);
  B << model.loads[0].load, model.loads[1].load;
  // more digits than the vectors have: in double precision K U alone loses five of them
  using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const Wide loads = B(full.free, Eigen::all).cast<long double>();
  const Wide V = U(full.free, Eigen::all).cast<long double>();
  const Wide K = full.K.cast<long double>();
  const Wide M = full.M.cast<long double>();
  const Eigen::LLT<Wide> K_full(K);
  const Eigen::LLT<Wide> k_reduced(V.transpose() * K * V);
  const Wide m = V.transpose() * M * V;
  const Wide b = V.transpose() * loads;
  Wide x = K_full.solve(loads);
  Wide y = k_reduced.solve(b);
  for (int moment = 0; moment < 6; ++moment) {
    const Eigen::MatrixXd own = (b.transpose() * y).cast<double>();
    const Eigen::MatrixXd truth = (loads.transpose() * x).cast<double>();
    EXPECT_LT(relative_difference(own, truth), tolerance(1e-10)) << "moment " << moment;
    x = K_full.solve(M * x);
    y = k_reduced.solve(m * y);
  }
}

// A floating part: the rigid part of the transfer function is exact, and the moments of the elastic
// part, B' G (M G)^j B with G = sum phi phi' / lambda over the elastic modes, agree, 2 q of them.
// Both sides by a dense eigensolver.
TEST(Krylov, MatchesTheElasticMomentsOfAFloatingPartBesideItsRigidModes) {
  FeModel model = brick_block(4, 1, 1, 1.0, 0.2, 0.15);
  model.interface_nodes = {1, 20};
  const Eigen::Index inputs = 6;
  ModeRequest request;
  request.krylov = 2;
  const ModeSet set = compute(model, request);
  ASSERT_EQ(set.count(), 6 + 2 * inputs);
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(model.dofs.size(), inputs);
  for (Eigen::Index j = 0; j < inputs; ++j)
    B(model.dofs.find({j < 3 ? 1 : 20, static_cast<std::int8_t>(j % 3 + 1)}), j) = 1.0;
  const auto pencil = [&](const Eigen::MatrixXd& U) {
    return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(project(*model.stiffness, U),
                                                                     project(*model.mass, U));
  };
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(B.rows(), B.rows());
  const auto full = pencil(one);
  const auto reduced = pencil(set.shapes);
  const auto moment = [&](const auto& pairs, const Eigen::MatrixXd& b, int power) {
    const Eigen::Index n = pairs.eigenvalues().size() - 6;
    const Eigen::MatrixXd gain = pairs.eigenvectors().rightCols(n).transpose() * b;
    const Eigen::VectorXd weight = pairs.eigenvalues().tail(n).array().pow(-power - 1.0);
    return Eigen::MatrixXd(gain.transpose() * weight.asDiagonal() * gain);
  };
  const Eigen::MatrixXd b = set.shapes.transpose() * B;
  for (int power = 0; power < 4; ++power)
    EXPECT_LT(relative_difference(moment(reduced, b, power), moment(full, B, power)),
              tolerance(1e-8))
        << power;
  EXPECT_GT(relative_difference(moment(reduced, b, 5), moment(full, B, 5)), 1e-14);
}

/// Error of the driving-point receptance at the tip of a cantilever at omega^2 = lambda, by the
/// reduced pencil of shapes U, against the full one.
double tip_error(const FeModel& model, const Eigen::MatrixXd& U, double lambda) {
  const Dense full = dense(model);
  const std::int64_t tip = model.dofs.find({model.nodes.back().id, 2});
  Eigen::VectorXd e = Eigen::VectorXd::Zero(model.dofs.size());
  e(tip) = 1.0;
  const Eigen::VectorXd f = e(full.free);
  const double exact = f.dot(Eigen::MatrixXd(full.K - lambda * full.M).ldlt().solve(f));
  const Eigen::VectorXd b = U.transpose() * e;
  const Eigen::MatrixXd z = project(*model.stiffness, U) - lambda * project(*model.mass, U);
  return std::abs(b.dot(z.fullPivLu().solve(b)) / exact - 1.0);
}

// A free beam of 300 elements under a unit force at one end, which also accelerates it. The sum of
// 1 / (beta L)^4 over all free modes is 1 / 420 and each has the tip value 2, so that the elastic
// compliance is 4 / 420. The shift of K is twice the first eigenvalue of so fine a mesh, and the
// forces of its elements round off to 1e-7 of the load.
TEST(FreeInterface, AttachmentModesOfAFineFreeBeamHaveTheComplianceOfTheTheory) {
  const FeModel model = beam(300, "ff");
  ModeRequest request;
  request.attachment = true;
  request.dofs = {{1, 2}};
  const Eigen::VectorXd u = shapes_of(compute(model, request), ModeKind::attachment).col(0);
  const double tip = u(model.dofs.find({1, 2}));
  const double energy = u.dot(symmetric_product(*model.stiffness, u).col(0));  // twice
  EXPECT_NEAR(tip * tip / energy, 4.0 / 420.0, 1e-6 * 4.0 / 420.0);
}

// Free-interface sets on a cantilever driven at its tip. lambda_i ~ i^4 and tip values alike, so
// truncation leaves sum 1 / lambda_i ~ k^-3; one residual attachment mode takes away the first two
// moments of the rest, so sum lambda^2 / lambda_i^3 ~ k^-11 is left.
TEST(FreeInterface, ResidualAttachmentRaisesTheRateOfConvergenceFromThreeToEleven) {
  FeModel model = beam(40, "cf");
  constexpr double lambda = 2500.0;  // between the third and the fourth mode
  double error[2][2];
  constexpr std::int64_t modes[2] = {4, 8};
  for (int level = 0; level < 2; ++level) {
    ModeRequest request;
    request.normal = modes[level];
    request.residual_attachment = true;
    request.dofs = {{41, 2}};
    const ModeSet set = compute(model, request);
    error[0][level] = tip_error(model, shapes_of(set, ModeKind::dynamic), lambda);
    error[1][level] = tip_error(model, set.shapes, lambda);
  }
  // lambda_i = ((i - 1/2) pi)^4: the first mode left out is 4.5 and 8.5
  const double doubling = std::log(8.0 / 4.0);
  EXPECT_NEAR(std::log(error[0][0] / error[0][1]) / doubling, 3.0, 0.5);
  EXPECT_NEAR(std::log(error[1][0] / error[1][1]) / doubling, 11.0, 1.5);
}

// Craig-Bampton on the same: coupling mass p_j ~ 1 / j, so the interface stiffness misses
// w^4 sum p_j^2 / lambda_j ~ k^-5.
TEST(FixedInterface, CraigBamptonConvergesWithTheFifthPower) {
  FeModel model = beam(40, "cf");
  constexpr double lambda = 2500.0;
  double error[2];
  constexpr std::int64_t modes[2] = {6, 12};
  for (int level = 0; level < 2; ++level) {
    ModeRequest request;
    request.normal = modes[level];
    request.fixed = ModeRequest::Boundary::interface;
    request.constraint = true;
    request.dofs = {{41, 2}};
    error[level] = tip_error(model, compute(model, request).shapes, lambda);
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 5.0, 0.7);
}

// The response curve of the automatic choice, checked by another way of computing it: 40
// frequencies that are not its own samples, and the damped receptance from the modes of the
// finished body.
TEST(Automatic, TheChosenBodyKeepsItsToleranceBetweenTheSamplesToo) {
  FeModel model = brick_block(8, 2, 2, 1.0, 0.2, 0.15);
  model.interface_nodes = {1, 9, 27, 81};
  for (const double asked : {1e-2, 1e-3}) {
    ReduceOptions options;
    options.method = Method::automatic;
    options.tolerance = asked;
    options.band = FrequencyBand{0.0, 1200.0};
    Diagnostics diagnostics;
    ReduceReport report;
    const FlexBody body = reduce(model, options, diagnostics, no_progress(), &report);
    ValidateOptions check;
    check.band = options.band;
    check.damping_ratio = 0.01;  // the loss factor of the choice
    const Validation seen = validate(body, model, check, diagnostics);
    EXPECT_LT(seen.frf_error, asked);
    // a band that ends on a resonance: the sharpest place there is
    for (const Validation::Frequency& mode : seen.frequencies) {
      if (mode.full_hz > 1200.0) break;
      check.band = FrequencyBand{0.5 * mode.full_hz, mode.full_hz};
      check.frf_points = 2;
      EXPECT_LT(validate(body, model, check, diagnostics).frf_error, asked) << mode.full_hz;
    }
    EXPECT_GE(seen.frf.size(), 40u);
    // none of the steps with fewer modes holds the tolerance, and each kept mode reports its gain
    ASSERT_GE(report.curve.size(), 3u);
    const auto chosen = static_cast<std::int64_t>(report.kept_why.size());
    for (const ReduceReport::AutoStep& step : report.curve)
      EXPECT_EQ(step.frf_error <= asked, step.normal_modes >= chosen) << step.normal_modes;
    EXPECT_EQ(static_cast<Eigen::Index>(report.kept_why.size()), body.mode_count() - 12);
  }
}

}  // namespace
}  // namespace femflex::modal
