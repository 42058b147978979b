// Tests closed loops that move although the Gruebler count of their constraints gives no DOF.
// Truth: the closed form of their motion, and conservation of energy.
#include <array>
#include <cmath>
#include <string>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "benchmarks.h"
#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using testing::joint;
using testing::methods;
using testing::rigid;
using testing::run;
using testing::tolerance;

/// A loop of links with hinges at the points p about the given axes. The last link is the ground.
template <std::size_t N>
System loop(const std::array<Vector3d, N>& p, const std::array<Vector3d, N>& axes) {
  System s;
  s.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  const auto name = [](std::size_t k) { return "link" + std::to_string(k); };
  for (std::size_t k = 0; k + 1 < N; ++k) {
    Body link = rigid(name(k), 1.0, 0.5 * (p[k + 1] - p[k]), Vector3d::Constant(0.05));
    link.position = p[k];
    s.bodies.push_back(link);
  }
  for (std::size_t k = 0; k < N; ++k) {
    s.joints.push_back(joint("r" + std::to_string(k),
                             JointType::revolute,
                             k == 0 ? "ground" : name(k - 1),
                             k + 1 == N ? "ground" : name(k)));
    s.joints.back().at = p[k];
    s.joints.back().axis = axes[k];
  }
  s.outputs = {"r0/angle", "r1/angle", "energy"};
  return s;
}

// Bennett's linkage: opposite links have equal lengths a, b and twist angles with sin(alpha) / a =
// sin(beta) / b. Truth: tan(theta_1 / 2) tan(theta_2 / 2) = sin((beta + alpha) / 2) / sin((beta -
// alpha) / 2).
TEST(Overconstrained, BennettsLinkageKeepsItsClosedFormAndItsEnergy) {
  const double alpha = 0.5, beta = 1.1, a = 1.0, b = a * std::sin(beta) / std::sin(alpha);
  const double constant = std::sin(0.5 * (beta + alpha)) / std::sin(0.5 * (beta - alpha));
  const double theta1 = 1.2, theta2 = 2.0 * std::atan(constant / std::tan(0.5 * theta1));
  // Denavit and Hartenberg: a rotation theta about z, a translation a along x, and a twist about x
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
  std::array<Vector3d, 4> p, axes;
  const double turns[4] = {theta1, theta2, -theta1, -theta2};
  const double lengths[4] = {a, b, a, b}, twists[4] = {alpha, beta, alpha, beta};
  for (std::size_t k = 0; k < 4; ++k) {
    p[k] = T.translation();
    axes[k] = T.linear().col(2);
    T = T * Eigen::AngleAxisd(turns[k], Vector3d::UnitZ()) *
        Eigen::Translation3d(lengths[k], 0, 0) * Eigen::AngleAxisd(twists[k], Vector3d::UnitX());
  }
  ASSERT_LT((T.matrix() - Eigen::Matrix4d::Identity()).norm(), 1e-12);  // the loop is closed
  const System s = loop(p, axes);
  for (const Integrator method : methods()) {
    DynamicOptions o;
    o.end = 1.5;
    o.output_step = 0.05;
    o.integrator = method;
    o.newton_tolerance = 1e-9;
    Results r;
    const SimulationSummary summary = run(s, o, r);
    EXPECT_EQ(summary.assembly.degrees_of_freedom, 1);
    EXPECT_EQ(summary.assembly.redundant.size(), 3U);
    EXPECT_LT(summary.energy_drift, tolerance(1e-4));
    EXPECT_LT(summary.constraint_violation, tolerance(1e-9));
    double travel = 0.0;
    for (Eigen::Index row = 0; row < r.rows(); ++row) {
      const double t1 = theta1 + r.value(row, 0), t2 = theta2 + r.value(row, 1);
      EXPECT_NEAR(std::sin(0.5 * t1) * std::sin(0.5 * t2),
                  constant * std::cos(0.5 * t1) * std::cos(0.5 * t2),
                  tolerance(1e-8));
      travel = std::max(travel, std::abs(r.value(row, 0)));
    }
    EXPECT_GT(travel, 0.5);
  }
}

// Bricard's linkage of six links along the edges of a cube. Truth: energy, and reactions of the
// size that weights and accelerations require. Self-balanced loads inside the loop must not grow.
TEST(Overconstrained, BricardsLinkageKeepsItsEnergyAndItsReactionsSmall) {
  const std::array<Vector3d, 6> p = {Vector3d(0, 0, 0),
                                     Vector3d(1, 0, 0),
                                     Vector3d(1, -1, 0),
                                     Vector3d(1, -1, 1),
                                     Vector3d(0, -1, 1),
                                     Vector3d(0, 0, 1)};
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
  System s = loop(p, std::array<Vector3d, 6>{y, z, x, y, z, x});
  s.gravity = {Value(0.0), Value(-9.81), Value(0.0)};
  s.outputs = {"r0/reaction"};
  for (const Integrator method : methods()) {
    DynamicOptions o;
    o.end = 4.0;
    o.output_step = 0.05;
    o.step = 1e-3;
    o.integrator = method;
    Results r;
    const SimulationSummary summary = run(s, o, r);
    EXPECT_EQ(summary.assembly.degrees_of_freedom, 1);
    EXPECT_EQ(summary.assembly.redundant.size(), 1U);
    EXPECT_LT(summary.energy_drift, tolerance(1e-4));
    EXPECT_LT(summary.constraint_violation, tolerance(1e-9));
    for (Eigen::Index row = 0; row < r.rows(); ++row)
      for (Eigen::Index c = 0; c < 3; ++c)
        EXPECT_LT(std::abs(r.value(row, c)), 500.0);  // ten times the weight of the links
  }
}

// Truth: the same four-bar linkage in the plane, where no constraint is redundant.
TEST(Overconstrained, APlanarFourBarInSpaceMovesAsInThePlane) {
  const std::array<Vector3d, 4> p = {
      Vector3d(0, 0, 0), Vector3d(0, 1, 0), Vector3d(1.5, 1.4, 0), Vector3d(1.2, 0, 0)};
  std::array<Vector3d, 4> axes;
  axes.fill(Vector3d::UnitZ());
  System space = loop(p, axes);
  space.gravity = {Value(0.0), Value(-9.81), Value(0.0)};
  System plane = space;
  plane.planar = true;
  for (const Integrator method : methods()) {
    DynamicOptions o;
    o.end = 1.0;
    o.output_step = 0.1;
    o.integrator = method;
    o.newton_tolerance = 1e-9;
    o.relative_tolerance = 1e-11;
    o.absolute_tolerance = 1e-12;
    Results one, two;
    EXPECT_EQ(run(space, o, one).assembly.redundant.size(), 3U);
    EXPECT_EQ(run(plane, o, two).assembly.redundant.size(), 0U);
    for (Eigen::Index row = 0; row < one.rows(); ++row)
      EXPECT_NEAR(one.value(row, 0), two.value(row, 0), tolerance(1e-9));
  }
}

System arm() {
  System s;
  s.bodies.push_back(rigid("a", 1.0, {0.5, 0.0, 0.0}, Vector3d::Constant(0.1)));
  s.joints.push_back(joint("pin", JointType::revolute, "ground", "a"));
  s.joints.back().axis = Vector3d::UnitZ();
  s.outputs = {"pin/angle"};
  return s;
}

Motion turn_by(const std::string& name, const std::string& angle) {
  Motion m;
  m.name = name;
  m.joint = "pin";
  m.value = Value(angle);
  return m;
}

// Truth: one angle cannot be both t and 2 t.
TEST(Overconstrained, MotionsThatContradictEachOtherAreRefusedBeforeTimeStarts) {
  System s = arm();
  s.motions = {turn_by("one", "t"), turn_by("two", "2*t")};
  Results r;
  Diagnostics diagnostics;
  try {
    simulate(s, DynamicOptions{}, r, diagnostics, no_progress());
    FAIL() << "no error";
  } catch (const NumericalError& error) {
    EXPECT_EQ(error.code(), "velocities-contradict");
  }
}

// Truth: t and t + 100 t^4 differ by more than 1e-6 from t = 0.01 onwards.
TEST(Overconstrained, MotionsThatPartOnTheWayEndTheRunWithTheReason) {
  System s = arm();
  s.motions = {turn_by("one", "t"), turn_by("two", "t + 100*t^4")};
  DynamicOptions o;
  o.end = 0.5;
  Results r;
  Diagnostics diagnostics;
  const SimulationSummary summary = simulate(s, o, r, diagnostics, no_progress());
  EXPECT_EQ(summary.status, RunStatus::step_failed);
  EXPECT_NE(summary.reason.find("contradict"), std::string::npos) << summary.reason;
  EXPECT_GT(r.rows(), 5);
}

}  // namespace
}  // namespace femflex::mbd_solver
