// Tests free flexible bodies with full mass matrices. The residual is compared with Lagrange's
// equations of the kinetic energy, differentiated by complex steps. Also tests conservation of
// energy and momenta. See docs/theory/multibody.md section 3.
#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "femflex/dense.h"
#include "femflex/frames.h"
#include "femflex/mbd_solver/simulate.h"

#include "integrators/engine.h"
#include "integrators/integrator.h"
#include "spatial/rotation.h"
#include "support/kinetic_energy.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::BodyMotion;

constexpr Index kNodes = 5;
constexpr Index kDofs = 6 * kNodes;
constexpr Index kPoints = 40;  // more rows than DOFs, so M is positive definite

MatrixXd random_matrix(std::mt19937& engine, Index rows, Index cols) {
  std::normal_distribution<double> number;
  return MatrixXd::NullaryExpr(rows, cols, [&] { return number(engine); });
}

/// Columns e_axis x (translations of phi); rotation rows are zero.
MatrixXd turned(const VectorXd& phi) {
  MatrixXd G = MatrixXd::Zero(kDofs, 3);
  for (Index p = 0; p < kNodes; ++p)
    G.middleRows<3>(6 * p) = -cross_matrix(Vector3d(phi.segment<3>(6 * p)));
  return G;
}

/// A body of 40 point masses. Their displacements are random linear functions of the displacements
/// of five nodes, such that rigid motions of the nodes move the masses rigidly. With random shapes
/// M is full, and the invariants lack the symmetries of lumped masses. The natural frequencies are
/// higher than the spin rate.
FlexBody dense_body(unsigned seed, Index n) {
  std::mt19937 engine(seed);
  FlexBody body;
  MatrixXd T = MatrixXd::Zero(kDofs, 6);
  for (Index p = 0; p < kNodes; ++p) {
    const Vector3d c = 0.5 * Vector3d(random_matrix(engine, 3, 1));
    body.nodes.push_back({p + 1, c});
    T.block<3, 3>(6 * p, 0).setIdentity();
    T.block<3, 3>(6 * p, 3) = -cross_matrix(c);
    T.block<3, 3>(6 * p + 3, 3).setIdentity();
  }
  MatrixXd fine = MatrixXd::Zero(3 * kPoints, 6);  // rigid motions of the point masses
  for (Index p = 0; p < kPoints; ++p) {
    fine.block<3, 3>(3 * p, 0).setIdentity();
    fine.block<3, 3>(3 * p, 3) = -cross_matrix(0.5 * Vector3d(random_matrix(engine, 3, 1)));
  }
  MatrixXd follow = 0.5 * random_matrix(engine, 3 * kPoints, kDofs);
  follow += (fine - follow * T) * (T.transpose() * T).ldlt().solve(T.transpose());
  const MatrixXd M = follow.transpose() * follow / static_cast<double>(kPoints);
  MatrixXd Phi = random_matrix(engine, kDofs, n);
  // removes most of the rigid motion from the shapes, because the body frame describes it
  Phi -= T * (T.transpose() * M * T).ldlt().solve(T.transpose() * M * Phi) * 0.9;
  body.shapes = Phi;
  InertiaInvariants& I = body.invariants;
  I = zero_invariants(n);
  const MatrixXd rigid = T.transpose() * M * T;
  I.mass = rigid.topLeftCorner<3, 3>().trace() / 3.0;
  const Matrix3d s = 0.5 * (rigid.block<3, 3>(3, 0) - rigid.block<3, 3>(3, 0).transpose());
  I.first_moment << s(2, 1), s(0, 2), s(1, 0);
  I.inertia = rigid.bottomRightCorner<3, 3>();
  I.translation = (T.transpose() * M * Phi).topRows<3>();
  I.rotation = (T.transpose() * M * Phi).bottomRows<3>();
  I.modal = Phi.transpose() * M * Phi;
  I.modal = (0.5 * (I.modal + I.modal.transpose())).eval();
  for (Index j = 0; j < n; ++j) {
    const MatrixXd G = turned(Phi.col(j));
    I.translation_rate.middleCols(n * j, n) = G.transpose() * M * Phi;
    I.inertia_rate.middleCols<3>(3 * j) = -T.rightCols<3>().transpose() * M * G;
    for (Index k = 0; k < n; ++k)
      I.inertia_curvature.block<3, 3>(3 * j, 3 * k) = -G.transpose() * M * turned(Phi.col(k));
  }
  body.mass = I.modal;
  const MatrixXd stiff = random_matrix(engine, n, 2 * n) / std::sqrt(2.0 * static_cast<double>(n));
  const double omega = 60.0;  // [rad/s]
  body.stiffness = omega * omega * (body.mass + stiff * stiff.transpose());
  body.stiffness = (0.5 * (body.stiffness + body.stiffness.transpose())).eval();
  body.lumped_mass = MatrixXd::Zero(kNodes, 6);
  body.modes.resize(static_cast<std::size_t>(n));
  return make_flex_body(std::move(body));
}

/// Adds random geometric stiffness for every acceleration and angular velocity.
void stiffen(FlexBody& body, unsigned seed) {
  std::mt19937 engine(seed);
  const Index n = body.mode_count();
  using Cause = GeometricStiffness::Cause;
  for (int cause = 0; cause < static_cast<int>(Cause::force); ++cause) {
    const MatrixXd a = 0.1 * random_matrix(engine, n, n);
    body.geometric.push_back({static_cast<Cause>(cause), 0, 0, a + a.transpose()});
  }
}

System free_system(const FlexBody& flex_body, const VectorXd& zeta, const VectorXd& zeta_dot) {
  Flexible flexible;
  flexible.body = std::make_shared<FlexBody>(flex_body);
  flexible.zeta = zeta;
  flexible.zeta_dot = zeta_dot;
  Body body;
  body.name = "a";
  body.kind = flexible;
  body.position = {0.3, -0.2, 0.5};
  body.orientation = exp_rotation(Vector3d(0.3, -0.5, 0.8));
  body.velocity = {0.5, 0.2, -0.7};
  body.angular_velocity = 20.0 * Vector3d(0.48, -0.6, 0.64);
  System system;
  system.bodies = {body};
  return system;
}

class AnyMassMatrix : public ::testing::TestWithParam<bool> {};

// Truth: Lagrange's equations in quasi-coordinates, eq. (6b), by complex steps of the kinetic
// energy.
TEST_P(AnyMassMatrix, MovesByLagrangesEquationsOfItsKineticEnergy) {
  constexpr Index n = 7;
  for (const unsigned seed : {1U, 2U, 3U}) {
    FlexBody body = dense_body(seed, n);
    if (GetParam()) stiffen(body, seed);
    std::mt19937 engine(seed + 100);
    const VectorXd q = 0.3 * random_matrix(engine, n, 1), q_dot = 3.0 * random_matrix(engine, n, 1);
    const System system = free_system(body, q, q_dot);
    Diagnostics diagnostics;
    const Model model = compile(system, diagnostics);
    Workspace ws(model);
    position_kinematics(model, ws);
    velocity_kinematics(model, ws);
    const FlexModel& flex = model.flexes[0];
    const VectorXd a = random_matrix(engine, 6 + n, 1);  // v_dot in the world frame, w_dot in the
                                                         // body frame, xi_ddot
    residual(model, ws, a, nullptr);

    const Matrix3d R = ws.bodies[0].R;
    const BodyMotion<double> s{R.transpose() * ws.bodies[0].v, ws.bodies[0].w, q, q_dot};
    const BodyMotion<double> rate{R.transpose() * Vector3d(a.head<3>()) - s.w.cross(s.v),
                                  a.segment<3>(3),
                                  q_dot,
                                  flex.X * a.tail(n)};
    VectorXd truth = testing::lagrange_inertia(body, s, rate);
    truth.head<3>() = R * Vector3d(truth.head<3>());
    truth.tail(n) = flex.X.transpose() * (truth.tail(n) + body.stiffness * q);
    for (const auto& [first, count] : {std::pair<Index, Index>{0, 3}, {3, 3}, {6, n}})
      EXPECT_LT((ws.force.segment(first, count) - truth.segment(first, count)).norm(),
                testing::tolerance(1e-11) * truth.segment(first, count).norm())
          << "rows from " << first << " of body " << seed;
    const Energy e = energy(model, ws);
    EXPECT_NEAR(e.kinetic / testing::kinetic_energy(body, s), 1.0, testing::tolerance(1e-12));
    EXPECT_NEAR(e.strain / (0.5 * q.dot(body.stiffness * q)), 1.0, testing::tolerance(1e-10));
  }
}
INSTANTIATE_TEST_SUITE_P(WithoutAndWithStiffening, AnyMassMatrix, ::testing::Bool());

/// Linear momentum, angular momentum about the origin of the world frame, and energy.
std::array<VectorXd, 3> conserved(const FlexBody& body, const System& system, const State& state) {
  Diagnostics diagnostics;
  const Model model = compile(system, diagnostics);
  Engine engine(model);
  engine.set_all(state);
  const BodyKinematics& kin = engine.ws.bodies[0];
  const FlexModel& flex = model.flexes[0];
  const Index n = flex.n;
  const BodyMotion<double> s{
      kin.R.transpose() * kin.v, kin.w, flex.X * engine.ws.q.tail(n), flex.X * engine.ws.v.tail(n)};
  const VectorXd p = testing::slope_of_kinetic_energy(body, s, false);
  const Vector3d linear = kin.R * p.head<3>();
  const Vector3d angular = kin.R * p.segment<3>(3) + kin.p.cross(linear);
  const double energy = testing::kinetic_energy(body, s) + 0.5 * s.q.dot(body.stiffness * s.q);
  return {VectorXd(linear), VectorXd(angular), VectorXd::Constant(1, energy)};
}

/// Runs the free body at 20 rad/s. Checks that the relative change of energy is below `limit`, and
/// that of the momenta below a tenth of `limit`.
void expect_conserved(const FlexBody& body, const DynamicOptions& options, double limit) {
  const Index n = body.mode_count();
  std::mt19937 engine(11);
  const System system =
      free_system(body, 0.004 * random_matrix(engine, n, 1), 0.4 * random_matrix(engine, n, 1));
  Results results;
  Diagnostics diagnostics;
  AssemblyReport report;
  const State start = assemble(system, report, diagnostics);
  const SimulationSummary summary = simulate(system, options, results, diagnostics, no_progress());
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  const auto before = conserved(body, system, start),
             after = conserved(body, system, summary.final_state);
  EXPECT_LT((after[0] - before[0]).norm(), testing::tolerance(0.1 * limit) * before[0].norm());
  EXPECT_LT((after[1] - before[1]).norm(), testing::tolerance(0.1 * limit) * before[1].norm());
  EXPECT_LT(std::abs(after[2](0) - before[2](0)), testing::tolerance(limit) * before[2](0));
  EXPECT_LT(summary.energy_drift, testing::tolerance(limit));
}

constexpr double kTenTurns = 10.0 * 2.0 * 3.14159265358979 / 20.0;  // [s]

DynamicOptions tight() {
  DynamicOptions options;
  options.end = kTenTurns;
  options.output_step = kTenTurns / 20.0;
  options.integrator = Integrator::runge_kutta;
  options.relative_tolerance = 1e-11;
  options.absolute_tolerance = 1e-12;
  return options;
}

// Truth: energy and both momenta of a free body.
TEST(FreeDenseBody, KeepsEnergyAndMomentaForTenRevolutions) {
  for (const unsigned seed : {1U, 2U, 3U})
    expect_conserved(dense_body(seed, 12), tight(), 1e-8);
}
TEST(FreeDenseBody, KeepsThemWithGeometricStiffness) {
  FlexBody body = dense_body(4, 6);
  stiffen(body, 4);
  expect_conserved(body, tight(), 1e-8);
}
TEST(FreeDenseBody, KeepsThemByBdf) {
  if (!bdf_available()) GTEST_SKIP() << "this build is without SUNDIALS";
  DynamicOptions options = tight();
  options.integrator = Integrator::bdf;
  options.end = 0.1 * kTenTurns;
  options.output_step = options.end;
  options.relative_tolerance = 1e-10;
  expect_conserved(dense_body(5, 6), options, 1e-5);
}
// Truth: second order, so half the step gives a quarter of the error.
TEST(FreeDenseBody, ConvergesByGeneralisedAlphaToTheMotionOfRungeKutta) {
  const FlexBody body = dense_body(6, 6);
  std::mt19937 engine(12);
  const System system =
      free_system(body, 0.02 * random_matrix(engine, 6, 1), 2.0 * random_matrix(engine, 6, 1));
  const auto state_after = [&](Integrator integrator, double step) {
    DynamicOptions options = tight();
    options.end = 0.05;
    options.output_step = 0.05;
    options.integrator = integrator;
    options.step = step;
    options.rho = 1.0;
    options.newton_tolerance = 1e-9;
    Results results;
    Diagnostics diagnostics;
    const auto summary = simulate(system, options, results, diagnostics, no_progress());
    EXPECT_EQ(summary.status, RunStatus::complete) << summary.reason;
    return VectorXd(summary.final_state.position);
  };
  const VectorXd truth = state_after(Integrator::runge_kutta, 1e-4);
  const double coarse = (state_after(Integrator::generalised_alpha, 5e-5) - truth).norm();
  const double fine = (state_after(Integrator::generalised_alpha, 2.5e-5) - truth).norm();
  EXPECT_LT(fine, 1e-4 * truth.norm());
  EXPECT_NEAR(coarse / fine, 4.0, 0.5);
}

}  // namespace
}  // namespace femflex::mbd_solver
