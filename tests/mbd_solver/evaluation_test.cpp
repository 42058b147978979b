// Tests the constraint Jacobian G and the acceleration bias against finite differences of the
// constraints Phi. Also tests conservation laws of free bodies, refused systems, redundant joints,
// restarts and failing steps.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "femflex/mbd_solver/simulate.h"

#include "flex_bodies.h"
#include "integrators/engine.h"
#include "integrators/tangent.h"
#include "spatial/rotation.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

MatrixXd random_matrix(std::mt19937& engine, Eigen::Index rows, Eigen::Index cols, double size) {
  std::uniform_real_distribution<double> number(-size, size);
  MatrixXd a(rows, cols);
  for (Eigen::Index j = 0; j < cols; ++j)
    for (Eigen::Index i = 0; i < rows; ++i)
      a(i, j) = number(engine);
  return a;
}

/// A body with five lumped nodes and n random shapes, which couple all coordinates.
std::shared_ptr<FlexBody> soft_body(int n = 3) {
  std::mt19937 engine(7);
  const MatrixXd positions = random_matrix(engine, 3, 5, 1.0);
  MatrixXd lumped(5, 6);
  lumped.leftCols(3).setConstant(0.8);
  lumped.rightCols(3).setConstant(0.02);
  const MatrixXd shapes = random_matrix(engine, 30, n, 0.3);
  MatrixXd k = MatrixXd::Identity(n, n) * 40.0;
  return std::make_shared<FlexBody>(testing::lumped_flex_body(positions, lumped, shapes, k));
}

System two_bodies(bool flexible_a) {
  System system;
  Body a;
  a.name = "a";
  if (flexible_a) {
    Flexible flexible;
    flexible.body = soft_body();
    flexible.zeta = Eigen::Vector3d(0.1, -0.2, 0.15);
    flexible.zeta_dot = Eigen::Vector3d(0.7, 0.4, -0.6);
    a.kind = flexible;
  } else {
    a.kind = RigidInertia{2.0, {0.1, 0.2, -0.1}, Vector3d(0.3, 0.4, 0.5).asDiagonal()};
  }
  a.position = {0.3, -0.2, 0.5};
  a.orientation = exp_rotation(Vector3d(0.3, -0.5, 0.8));
  a.velocity = {0.5, 0.2, -0.7};
  a.angular_velocity = {0.9, -1.1, 0.4};
  Body b;
  b.name = "b";
  b.kind = RigidInertia{1.5, {-0.2, 0.1, 0.3}, Vector3d(0.2, 0.3, 0.25).asDiagonal()};
  b.position = {1.1, 0.4, -0.3};
  b.orientation = exp_rotation(Vector3d(-0.7, 0.2, 0.4));
  b.velocity = {-0.4, 0.8, 0.1};
  b.angular_velocity = {-0.6, 0.7, 1.3};
  system.bodies = {a, b};
  return system;
}

class AnyJoint : public ::testing::TestWithParam<std::tuple<JointType, bool>> {};

// Truth: central differences of Phi along a motion with known velocity and acceleration.
TEST_P(AnyJoint, JacobianAndBiasAreTheDerivativesOfPhi) {
  const auto [type, flexible] = GetParam();
  System system = two_bodies(flexible);
  Joint joint;
  joint.name = "j";
  joint.type = type;
  joint.a = flexible ? "a/3" : "a";
  joint.b = "b";
  joint.axis = Vector3d(0.2, 0.5, -0.7);
  joint.pitch = 0.3;
  if (type == JointType::universal || type == JointType::perpendicular_axes)
    joint.axis_b = Vector3d(0.5, -0.2, 0.0);
  if (type != JointType::distance) joint.at = Vector3d(0.6, 0.1, 0.2);
  system.joints.push_back(joint);
  if (type == JointType::revolute)
    system.motions.push_back({"m", Motion::Coordinate::angle, "j", "", Value("0.3*sin(2*t)+t^2")});
  if (type == JointType::prismatic)
    system.motions.push_back({"m", Motion::Coordinate::displacement, "j", "", Value("exp(0.3*t)")});
  Diagnostics diagnostics;
  const Model model = compile(system, diagnostics);
  Engine engine(model);
  std::mt19937 random(3);
  // violates the constraints slightly if the derivatives of the rows are exact there as well
  VectorXd q = model.initial.position;
  const bool uses_angle = type == JointType::screw || type == JointType::revolute;
  if (!uses_angle) move(model, model.initial.position, random_matrix(random, model.nv, 1, 0.05), q);
  const VectorXd v0 = model.initial.velocity;
  const VectorXd a0 = random_matrix(random, model.nv, 1, 1.0);
  const auto phi_at =
      [&](double t) {  // q(t) = q exp(v0 t + a0 t^2/2) has the velocity v0 + a0 t to first order
        VectorXd moved = q;
        VectorXd step = v0 * t + 0.5 * t * t * a0;
        move(model, q, step, moved);
        engine.set_position(0.4 + t, moved);
        return VectorXd(engine.ws.phi);
      };
  const double h = 1e-3;
  const VectorXd m2 = phi_at(-2 * h), m1 = phi_at(-h), p0 = phi_at(0), p1 = phi_at(h),
                 p2 = phi_at(2 * h);
  const VectorXd rate = (8.0 * (p1 - m1) - (p2 - m2)) / (12.0 * h);
  const VectorXd second = (16.0 * (p1 + m1) - (p2 + m2) - 30.0 * p0) / (12.0 * h * h);
  engine.set_position(0.4, q);
  engine.set_velocity(v0);
  marker_bias(model, engine.ws);
  constraint_rates(model, engine.ws);
  VectorXd gv = engine.ws.phi_t, ga = engine.ws.bias;
  add_jacobian_times(model, engine.ws, v0, gv);
  add_jacobian_times(model, engine.ws, a0, ga);
  if (uses_angle && type == JointType::revolute) {  // rate of the angle; exact only for closed
                                                    // joints
    const Eigen::Index last = gv.size() - 1;
    gv(last) = rate(last);
    ga(last) = second(last);
  }
  if (type == JointType::screw) {
    gv(4) = rate(4);
    ga(4) = second(4);
  }
  EXPECT_LT((gv - rate).cwiseAbs().maxCoeff(), testing::tolerance(1e-8));
  EXPECT_LT((ga - second).cwiseAbs().maxCoeff(), testing::tolerance(1e-6));
}

INSTANTIATE_TEST_SUITE_P(All,
                         AnyJoint,
                         ::testing::Combine(::testing::Values(JointType::fixed,
                                                              JointType::revolute,
                                                              JointType::cylindrical,
                                                              JointType::prismatic,
                                                              JointType::universal,
                                                              JointType::constant_velocity,
                                                              JointType::spherical,
                                                              JointType::planar,
                                                              JointType::point_on_line,
                                                              JointType::point_on_plane,
                                                              JointType::distance,
                                                              JointType::parallel_axes,
                                                              JointType::perpendicular_axes,
                                                              JointType::orientation,
                                                              JointType::screw),
                                            ::testing::Bool()),
                         [](const auto& joint_case) {
                           std::string name(name_of(std::get<0>(joint_case.param)));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name + (std::get<1>(joint_case.param) ? "_on_a_node"
                                                                        : "_on_rigid_bodies");
                         });

/// Linear and angular momentum of a whole system about the origin of the world frame.
struct Momentum {
  Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
};
Momentum momentum(const System& system, const State& state) {
  Diagnostics diagnostics;
  const Model model = compile(system, diagnostics);
  Engine engine(model);
  engine.set_all(state);
  Momentum p;
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    const BodyModel& b = model.bodies[k];
    const BodyKinematics& kin = engine.ws.bodies[k];
    Vector3d linear = b.mass * kin.v, spin = kin.R * (b.inertia * kin.w);
    if (b.flex >= 0) {
      const FlexInertia& I = engine.ws.flexes[static_cast<std::size_t>(b.flex)];
      const auto z_dot = engine.ws.v.segment(b.v0 + b.nr, b.n);
      linear += kin.R * (kin.w.cross(I.s) + I.s_dot);
      spin = kin.R * (I.s.cross(kin.R.transpose() * kin.v) + I.J * kin.w + I.H * z_dot);
    }
    p.linear += linear;
    p.angular += spin + kin.p.cross(linear);
  }
  return p;
}

// Truth: conservation of linear and angular momentum and of energy.
TEST(FreeFlexibleBody, KeepsMomentumAndEnergy) {
  System system = two_bodies(true);
  system.bodies.pop_back();
  DynamicOptions options;
  options.end = 3.0;
  options.output_step = 0.5;
  options.integrator = Integrator::runge_kutta;
  options.relative_tolerance = 1e-13;
  options.absolute_tolerance = 1e-14;
  Results results;
  Diagnostics diagnostics;
  AssemblyReport report;
  const State start = assemble(system, report, diagnostics);
  const SimulationSummary summary = simulate(system, options, results, diagnostics, no_progress());
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  const Momentum before = momentum(system, start), after = momentum(system, summary.final_state);
  EXPECT_LT((after.linear - before.linear).norm(),
            testing::tolerance(1e-10) * before.linear.norm());
  EXPECT_LT((after.angular - before.angular).norm(),
            testing::tolerance(1e-10) * before.angular.norm());
  EXPECT_LT(summary.energy_drift, testing::tolerance(1e-10));
}

// Truth: results do not depend on the choice of the world axes.
TEST(FrameInvariance, ATurnedAndMovedCopyGivesTheTurnedAndMovedMotion) {
  System system = two_bodies(true);
  Joint joint;
  joint.name = "j";
  joint.type = JointType::universal;
  joint.a = "a/3";
  joint.b = "b";
  joint.at = Vector3d(0.6, 0.1, 0.2);
  joint.axis = Vector3d(0.2, 0.5, -0.7);
  joint.axis_b = Vector3d(0.5, -0.2, 0.0);
  system.joints = {joint};
  SpringDamper spring;
  spring.a = "a/1";
  spring.b = "b";
  spring.stiffness = 30.0;
  spring.damping = 0.5;
  system.forces.push_back({"s", spring});
  system.gravity = {Value(0.0), Value(1.0), Value(-9.81)};
  const Eigen::Matrix3d R = exp_rotation(Vector3d(1.2, -0.4, 0.9));
  const Vector3d p(3.0, -2.0, 1.0);
  System turned = system;
  for (Body& body : turned.bodies) {
    body.position = p + R * body.position;
    body.orientation = R * body.orientation;
    body.velocity = R * body.velocity;
    body.angular_velocity = R * body.angular_velocity;
  }
  turned.joints[0].at = p + R * *joint.at;
  turned.joints[0].axis = R * *joint.axis;
  turned.joints[0].axis_b = R * *joint.axis_b;
  const Vector3d g = R * Vector3d(0.0, 1.0, -9.81);
  turned.gravity = {Value(g.x()), Value(g.y()), Value(g.z())};
  for (const Integrator integrator : {Integrator::generalised_alpha, Integrator::runge_kutta}) {
    DynamicOptions options;
    options.end = 0.5;
    options.step = 2e-3;
    options.output_step = 0.1;
    options.integrator = integrator;
    options.newton_tolerance = 1e-9;
    options.relative_tolerance = 1e-11;
    Results here, there;
    Diagnostics diagnostics;
    const auto one = simulate(system, options, here, diagnostics, no_progress());
    const auto two = simulate(turned, options, there, diagnostics, no_progress());
    ASSERT_EQ(one.status, RunStatus::complete) << one.reason;
    ASSERT_EQ(two.status, RunStatus::complete) << two.reason;
    for (const double t : {0.1, 0.3, 0.5})
      for (const std::string body : {"a", "b"}) {
        const auto read = [&](const Results& r) {
          return Vector3d(r.at(t, body + "/position/x"),
                          r.at(t, body + "/position/y"),
                          r.at(t, body + "/position/z"));
        };
        EXPECT_LT((p + R * read(here) - read(there)).norm(), testing::tolerance(1e-9));
      }
  }
}

// Truth: a rigid body with the same mass, centre and inertia.
TEST(RigidLimit, AStiffFlexibleBodyMovesAsARigidOne) {
  System soft = two_bodies(true);
  soft.bodies.pop_back();
  auto stiff = std::make_shared<FlexBody>(*soft_body());
  stiff->stiffness *= 1e8;
  auto& flexible = std::get<Flexible>(soft.bodies[0].kind);
  flexible.body = stiff;
  flexible.zeta.reset();
  flexible.zeta_dot.reset();
  System rigid = soft;
  const InertiaInvariants& I = stiff->invariants;
  const Vector3d c = I.first_moment / I.mass;
  rigid.bodies[0].kind =
      RigidInertia{I.mass, c, I.inertia - I.mass * cross_matrix(c).transpose() * cross_matrix(c)};
  DynamicOptions options;
  options.end = 1.0;
  options.step = 1e-3;
  options.output_step = 0.25;
  Diagnostics diagnostics;
  Results one, two;
  soft.outputs = rigid.outputs = {"a/position", "a/orientation"};
  ASSERT_EQ(simulate(soft, options, one, diagnostics, no_progress()).status, RunStatus::complete);
  options.integrator = Integrator::runge_kutta;
  ASSERT_EQ(simulate(rigid, options, two, diagnostics, no_progress()).status, RunStatus::complete);
  for (Eigen::Index row = 0; row < one.rows(); ++row)
    for (Eigen::Index k = 0; k < 7; ++k)
      EXPECT_NEAR(one.value(row, k), two.value(row, k), testing::tolerance(2e-5));
}

System one_bar() {
  System system;
  Body body;
  body.name = "bar";
  body.kind = RigidInertia{1.0, {0.5, 0, 0}, Vector3d(0.01, 0.1, 0.1).asDiagonal()};
  system.bodies = {body};
  Joint hinge;
  hinge.name = "hinge";
  hinge.type = JointType::revolute;
  hinge.a = "ground";
  hinge.b = "bar";
  hinge.axis = Vector3d::UnitY();
  system.joints = {hinge};
  system.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  return system;
}

std::string code_of(const System& system) {
  Diagnostics diagnostics;
  Results results;
  DynamicOptions options;
  options.end = 0.01;
  try {
    simulate(system, options, results, diagnostics, no_progress());
  } catch (const Error& error) {
    EXPECT_EQ(results.rows(), 0) << "the error came after time had started";
    return error.code();
  }
  return "none";
}

// Truth: each of these systems has one contradiction.
TEST(BadSystems, AreRefusedBeforeTimeStarts) {
  EXPECT_EQ(code_of(one_bar()), "none");
  System s = one_bar();
  s.joints[0].b = "bat";
  EXPECT_EQ(code_of(s), "unknown-body");
  s = one_bar();
  s.joints[0].b = "bar/12";
  EXPECT_EQ(code_of(s), "unknown-node");
  s = one_bar();
  std::get<RigidInertia>(s.bodies[0].kind) = RigidInertia{};
  EXPECT_EQ(code_of(s), "no-mass");
  s = one_bar();
  std::get<RigidInertia>(s.bodies[0].kind).mass = -1.0;
  EXPECT_EQ(code_of(s), "mass");
  s = one_bar();
  Joint far = s.joints[0];
  far.name = "far";
  far.type = JointType::spherical;
  s.ground_markers["wall"] = Marker{Vector3d(3, 0, 0), Eigen::Matrix3d::Identity(), {}};
  s.bodies[0].markers["end"] = Marker{Vector3d(1, 0, 0), Eigen::Matrix3d::Identity(), {}};
  far.a = "ground/wall";
  far.b = "bar/end";
  far.axis.reset();
  s.joints.push_back(far);
  EXPECT_EQ(code_of(s), "does-not-close");
  s = one_bar();
  SpringDamper spring;
  spring.a = "ground";
  spring.b = "bar";
  spring.curve = Table{{0.0, 1.0}, {0.0, std::nan("")}, Table::Interpolation::linear};
  s.forces = {{"s", spring}};
  EXPECT_EQ(code_of(s), "not-finite");
  s = one_bar();
  s.outputs = {"bar/positon"};
  EXPECT_EQ(code_of(s), "unknown-channel");
  s = one_bar();
  s.motions = {{"m", Motion::Coordinate::displacement, "hinge", "", Value("t")}};
  EXPECT_EQ(code_of(s), "no-displacement");
  s = one_bar();
  s.motions = {{"m", Motion::Coordinate::angle, "hinge", "", Value("2*tt")}};
  EXPECT_EQ(code_of(s), "unknown-channel");
  s = one_bar();
  s.bodies.push_back(s.bodies[0]);
  EXPECT_EQ(code_of(s), "name-twice");
}

// Truth: the bar on one hinge. A second hinge on the same axis adds five redundant rows.
TEST(RedundantJoints, AreNamedAndTheMotionStaysThatOfThePlane) {
  System s = one_bar();
  Joint second = s.joints[0];
  second.name = "second";
  second.at = Vector3d(0, 0.3, 0);
  s.joints.push_back(second);
  Diagnostics diagnostics;
  AssemblyReport report;
  assemble(s, report, diagnostics);
  EXPECT_EQ(report.redundant.size(), 5U);
  EXPECT_EQ(report.degrees_of_freedom, 1);
  ASSERT_FALSE(diagnostics.empty());
  EXPECT_NE(diagnostics.warnings()[0].message.find("(second 5 times)"), std::string::npos)
      << diagnostics.warnings()[0].message;
  Results one, two;
  DynamicOptions options;
  options.end = 1.0;
  options.output_step = 0.1;
  options.integrator = Integrator::runge_kutta;
  options.relative_tolerance = 1e-11;
  options.absolute_tolerance = 1e-12;
  s.outputs = {"bar/position", "bar/orientation"};
  ASSERT_EQ(simulate(s, options, one, diagnostics, no_progress()).status, RunStatus::complete);
  s.joints.pop_back();
  ASSERT_EQ(simulate(s, options, two, diagnostics, no_progress()).status, RunStatus::complete);
  for (Eigen::Index row = 0; row < one.rows(); ++row)
    for (Eigen::Index k = 0; k < 7; ++k)
      EXPECT_NEAR(one.value(row, k), two.value(row, k), testing::tolerance(1e-8));
}

// Truth: the same run without the pause.
TEST(Restart, GoesOnBitForBitWithFixedSteps) {
  System s = one_bar();
  DynamicOptions options;
  options.end = 1.0;
  options.output_step = 0.05;
  Diagnostics diagnostics;
  Results whole, first, rest;
  simulate(s, options, whole, diagnostics, no_progress());
  options.end = 0.5;
  const SimulationSummary half = simulate(s, options, first, diagnostics, no_progress());
  options.end = 1.0;
  options.restart = half.final_state;
  simulate(s, options, rest, diagnostics, no_progress());
  const Eigen::Index last = rest.rows() - 1;
  ASSERT_EQ(rest.time()[static_cast<std::size_t>(last)], 1.0);
  for (Eigen::Index k = 0; k < 7; ++k)
    EXPECT_EQ(whole.value(whole.rows() - 1, k), rest.value(last, k));
}

// Truth: the load is NaN after t = 0.31 s, so every later step fails.
TEST(FailingStep, EndsTheRunWithAReasonAndKeepsTheRows) {
  System s = one_bar();
  PointTorque torque;
  torque.on = "bar";
  torque.value = {Value(0.0), Value("sqrt(0.31-t)"), Value(0.0)};
  s.forces = {{"blow-up", torque}};
  DynamicOptions options;
  options.end = 1.0;
  options.output_step = 0.05;
  options.integrator = Integrator::runge_kutta;
  Results results;
  Diagnostics diagnostics;
  const SimulationSummary summary = simulate(s, options, results, diagnostics, no_progress());
  EXPECT_EQ(summary.status, RunStatus::step_failed);
  EXPECT_NE(summary.reason.find("t = 0.31"), std::string::npos) << summary.reason;
  EXPECT_EQ(results.rows(), 7);
  EXPECT_NEAR(results.time().back(), 0.3, 1e-12);
}

}  // namespace
}  // namespace femflex::mbd_solver
