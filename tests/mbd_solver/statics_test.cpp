// Tests static equilibria from bad starts. Truth: closed forms, or the same mechanism with exact
// axes, stated at each test.
#include "femflex/mbd_solver/statics.h"

#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "femflex/mbd_solver/simulate.h"

#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using testing::joint;
using testing::point;
using testing::rigid;
using testing::tolerance;

StaticSummary rest_of(const System& s, Results& row, Diagnostics& diagnostics) {
  Progress none;
  StaticSummary found = solve_statics(s, {}, row, diagnostics, none);
  EXPECT_TRUE(found.converged) << found.reason;
  return found;
}

double angle_at_rest(const System& s, const std::string& channel) {
  Results row;
  Diagnostics diagnostics;
  (void)rest_of(s, row, diagnostics);
  return row.series(channel)(0);
}

Value number(double x) {
  return {x};
}

TorsionalSpring twist(const std::string& on, double stiffness, double free_angle) {
  TorsionalSpring spring;
  spring.joint = on;
  spring.stiffness = number(stiffness);
  spring.free_angle = free_angle;
  return spring;
}

/// Four bars in an inclined plane, held by springs in all hinges. The axes have as many decimals as
/// a file would give them.
System folding_bars(double rounding) {
  const Eigen::Matrix3d R =
      Eigen::AngleAxisd(1.1, Vector3d(0.3, -0.5, 0.8).normalized()).toRotationMatrix();
  const auto place = [&](double x, double z) { return Vector3d(R * Vector3d(x, 0.0, z)); };
  const Vector3d A = place(0.0, 0.0), B = place(0.3, 0.7), C = place(1.1, 0.9), D = place(1.2, 0.0);
  System s;
  s.gravity = {number(0.0), number(0.0), number(-9.81)};
  const char* names[3] = {"crank", "coupler", "rocker"};
  const Vector3d ends[4] = {A, B, C, D};
  for (int k = 0; k < 3; ++k) {
    s.bodies.push_back(rigid(names[k], 1.0 + k, Vector3d::Zero(), {0.1, 0.12, 0.15}));
    s.bodies.back().position = 0.5 * (ends[k] + ends[k + 1]);
  }
  const char* sides[4][2] = {
      {"ground", "crank"}, {"crank", "coupler"}, {"coupler", "rocker"}, {"ground", "rocker"}};
  const double stiffness[4] = {20.0, 3.0, 0.5, 8.0}, free_angle[4] = {1.5, -2.0, 3.0, 0.7};
  for (int k = 0; k < 4; ++k) {
    const std::string name = "hinge" + std::to_string(k);
    Joint hinge = joint(name, JointType::revolute, sides[k][0], sides[k][1]);
    hinge.at = ends[k];
    hinge.axis = R.col(1);
    if (rounding > 0.0)
      for (double& x : *hinge.axis)
        x = std::nearbyint(x / rounding) * rounding;
    rounding *= 3.0;  // no two axes are rounded alike
    s.joints.push_back(hinge);
    s.forces.push_back({"spring" + std::to_string(k), twist(name, stiffness[k], free_angle[k])});
  }
  s.outputs = {"hinge0/angle"};
  return s;
}

// Truth: the linkage with exact axes.
TEST(Statics, HingesWithAxesOfTenDigitsHaveTheEquilibriumOfExactOnes) {
  const double exact = angle_at_rest(folding_bars(0.0), "hinge0/angle");
  EXPECT_GT(std::abs(exact), 0.1);
  for (const double rounding : {1e-10, 1e-11})
    EXPECT_NEAR(angle_at_rest(folding_bars(rounding), "hinge0/angle"), exact, tolerance(1e-7));
}

/// A bar that stands on a hinge with a spring too weak for its weight.
System standing_bar(double start) {
  System s;
  s.gravity = {number(0.0), number(0.0), number(-10.0)};
  s.bodies = {rigid("bar", 1.0, Vector3d::Zero(), Vector3d::Constant(0.1))};
  s.bodies[0].position = {0.0, 0.0, 1.0};
  Joint hinge = joint("hinge", JointType::revolute, "ground", "bar");
  hinge.at = Vector3d::Zero();
  hinge.axis = Vector3d::UnitY();
  hinge.initial.angle = start;
  s.joints = {hinge};
  s.forces = {{"spring", twist("hinge", 8.0, 0.0)}};
  s.outputs = {"hinge/angle"};
  return s;
}

// Truth: m g l sin(phi) = k phi has a solution on each side, which the chosen start decides.
TEST(Statics, BeginsAtTheChosenAngleOfAJoint) {
  double phi = 1.0;
  for (int k = 0; k < 50; ++k)
    phi -= (10.0 * std::sin(phi) - 8.0 * phi) / (10.0 * std::cos(phi) - 8.0);
  EXPECT_NEAR(angle_at_rest(standing_bar(0.3), "hinge/angle"), phi, tolerance(1e-9));
  EXPECT_NEAR(angle_at_rest(standing_bar(-0.3), "hinge/angle"), -phi, tolerance(1e-9));
}

// Truth: k (phi - phi0) balances the weight, on the turn nearest to phi0.
TEST(Statics, WindsASpringOverManyTurns) {
  for (const double wound : {50.0, 200.0, -400.0}) {
    System s = standing_bar(0.0);
    s.forces = {{"spring", twist("hinge", 20.0, wound)}};
    const double phi = angle_at_rest(s, "hinge/angle");
    EXPECT_NEAR(20.0 * (phi - wound), 10.0 * std::sin(phi), tolerance(1e-7));
    EXPECT_LT(std::abs(phi - wound), 0.51);
  }
}

/// Three points with a spring between neighbours and a hinge in the middle; the first two are held.
System strip(const Vector3d& end, double free_angle) {
  System s;
  s.bodies = {point("middle", 1.0, {1.0, 0.0, 0.0}), point("end", 1.0, end)};
  s.ground_markers["start"] = testing::at(0.0, 0.0);
  s.joints = {joint("held", JointType::spherical, "ground", "middle")};
  SpringDamper spring;
  spring.a = "middle";
  spring.b = "end";
  spring.stiffness = number(1e4);
  spring.length = 1.0;
  Hinge hinge;
  hinge.ends = {"ground/start", "middle", "middle", "end"};
  hinge.stiffness = 5.0;
  hinge.free_angle = free_angle;
  s.forces = {{"spring", spring}, {"hinge", hinge}};
  s.outputs = {"hinge/angle", "spring/length"};
  return s;
}

// Truth: without loads the hinge comes to its free angle. Where its lines are straight or folded
// the energy has a peak, which is not an equilibrium.
TEST(Statics, AHingeInSpaceLeavesTheLineWhereItsMomentHasNoDirection) {
  const auto rest = [](const Vector3d& end, double free_angle, bool is_told) {
    Results row;
    Diagnostics diagnostics;
    const StaticSummary found = rest_of(strip(end, free_angle), row, diagnostics);
    EXPECT_TRUE(found.stable);
    EXPECT_EQ(!diagnostics.warnings().empty(), is_told);
    EXPECT_NEAR(row.series("spring/length")(0), 1.0, tolerance(1e-9));
    return row.series("hinge/angle")(0);
  };
  EXPECT_NEAR(rest({2.0, 0.0, 0.0}, 0.5, true), 0.5, tolerance(1e-8));
  EXPECT_NEAR(rest({0.0, 0.0, 0.0}, 0.5, true), 0.5, tolerance(1e-8));
  EXPECT_NEAR(rest({0.0, 0.0, 0.0}, 0.0, true), 0.0, tolerance(1e-8));
  EXPECT_NEAR(rest({2.0, 0.0, 0.0}, 0.0, false), 0.0, tolerance(1e-8));
  EXPECT_NEAR(rest({1.3, 0.7, 0.6}, 2.9, false), 2.9, tolerance(1e-8));
}

// Truth: without loads nothing is strained; the line turns freely about the held part.
TEST(Statics, AStripWithoutLoadsIsInBalanceUpToRoundOff) {
  System s = strip({1.4, 0.5, 0.4}, 2.5);
  s.bodies.push_back(point("tip", 0.1, {1.0, -0.3, 0.5}));
  SpringDamper spring = std::get<SpringDamper>(s.forces[0].law);
  spring.stiffness = number(1e6);
  spring.a = "end";
  spring.b = "tip";
  Hinge hinge = std::get<Hinge>(s.forces[1].law);
  hinge.ends = {"middle", "end", "end", "tip"};
  hinge.free_angle = std::numbers::pi;
  hinge.stiffness = 0.3;
  s.forces.push_back({"next", spring});
  s.forces.push_back({"fold", hinge});
  Results row;
  Diagnostics diagnostics;
  (void)rest_of(s, row, diagnostics);
  EXPECT_NEAR(row.series("hinge/angle")(0), 2.5, tolerance(1e-6));
  EXPECT_NEAR(row.series("spring/length")(0), 1.0, tolerance(1e-9));
}

/// A bar on a hinge about y.
System hinged_bar() {
  System s;
  s.gravity = {number(0.0), number(0.0), number(-9.81)};
  s.bodies = {rigid("bar", 1.0, {0.5, 0, 0}, {0.001, 0.1, 0.1})};
  Joint hinge = joint("pin", JointType::revolute, "ground", "bar");
  hinge.at = Vector3d::Zero();
  hinge.axis = Vector3d::UnitY();
  s.joints = {hinge};
  s.outputs = {"pin/angle_rate", "energy/kinetic"};
  return s;
}

/// A channel of a run from the equilibrium.
Eigen::VectorXd run_from_rest(const System& s,
                              RestartVelocity velocity,
                              const std::string& channel) {
  Results row, rows;
  Diagnostics diagnostics;
  DynamicOptions options;
  options.end = 0.02;
  options.restart = rest_of(s, row, diagnostics).state;
  options.restart_velocity = velocity;
  simulate(s, options, rows, diagnostics, no_progress());
  return rows.series(channel);
}

// Truth: the angle of the motion is 10 t, so the rate is 10 rad/s at every row.
TEST(Statics, AMotionGoesOnFromTheEquilibriumAtItsRate) {
  System s = hinged_bar();
  Motion drive;
  drive.name = "drive";
  drive.joint = "pin";
  drive.value = Value("10*t");
  s.motions = {drive};
  const Eigen::VectorXd rate = run_from_rest(s, RestartVelocity::of_motions, "pin/angle_rate");
  ASSERT_GT(rate.size(), 10);
  for (const double each : rate)
    EXPECT_NEAR(each, 10.0, tolerance(1e-6));
}

// Truth: the given velocities; energy is kept while a rotor turns about its axis of inertia.
TEST(Statics, GivenVelocitiesHoldAfterTheEquilibrium) {
  System s = hinged_bar();
  s.bodies[0] = rigid("bar", 1.0, Vector3d::Zero(), {0.1, 0.2, 0.1});
  s.bodies[0].angular_velocity = {0, 30, 0};
  const auto kinetic = [&](RestartVelocity velocity) {
    return run_from_rest(s, velocity, "energy/kinetic");
  };
  for (const double each : kinetic(RestartVelocity::of_system))
    EXPECT_NEAR(each, 0.5 * 0.2 * 900.0, tolerance(1e-6));
  EXPECT_NEAR(kinetic(RestartVelocity::of_motions)(0), 0.0, tolerance(1e-12));
  s.bodies[0].angular_velocity.setZero();
  s.joints[0].initial.angle_rate = 20.0;
  EXPECT_NEAR(kinetic(RestartVelocity::of_system)(0), 0.5 * 0.2 * 400.0, tolerance(1e-6));
}

// Truth: the weight on two springs, z = -1 - m g / (k1 + k2), or on the one that is left: a spring
// that broke in the run before stays broken.
TEST(Statics, GoesOnFromAState) {
  System s;
  s.gravity = {number(0.0), number(0.0), number(-9.81)};
  s.bodies = {point("m", 1.0, {0, 0, -1})};
  Joint line = joint("line", JointType::point_on_line, "ground", "m");
  line.axis = Vector3d::UnitZ();
  s.joints = {line};
  SpringDamper spring;
  spring.a = "ground";
  spring.b = "m";
  spring.length = 1.0;
  spring.damping = number(1.0);
  spring.stiffness = number(50.0);
  s.forces = {{"whole", spring}};
  spring.stiffness = number(100.0);
  spring.break_elongation = 0.1;
  s.forces.push_back({"broken", spring});
  s.outputs = {"m/position/z"};
  DynamicOptions options;
  options.end = 1.0;
  Results rows, row;
  Diagnostics diagnostics;
  StaticOptions from;
  from.from = simulate(s, options, rows, diagnostics, no_progress()).final_state;
  from.time = 1.0;
  const StaticSummary found = solve_statics(s, from, row, diagnostics, no_progress());
  ASSERT_TRUE(found.converged) << found.reason;
  EXPECT_EQ(found.state.time, 1.0);
  EXPECT_NEAR(row.series("m/position/z")(0), -1.0 - 9.81 / 50.0, tolerance(1e-9));
}

}  // namespace
}  // namespace femflex::mbd_solver
