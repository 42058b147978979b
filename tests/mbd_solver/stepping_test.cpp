// Tests simulations that the caller advances step by step, compared with simulate().
#include "femflex/mbd_solver/stepping.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::testing {
namespace {

using namespace mbd_solver;

/// A bar of 1 m on a hinge, released from a horizontal position.
System bar() {
  System system;
  system.gravity = {0.0, 0.0, -9.81};
  RigidInertia inertia{.mass = 2.0, .com = {0.5, 0, 0}};
  inertia.inertia = Eigen::Vector3d(1e-3, 2.0 / 12, 2.0 / 12).asDiagonal();
  Body body;
  body.name = "bar";
  body.kind = inertia;
  body.markers["tip"].position = {1, 0, 0};
  system.bodies.push_back(body);
  Joint hinge;
  hinge.name = "hinge";
  hinge.type = JointType::revolute;
  hinge.a = "ground";
  hinge.b = "bar";
  hinge.at = Eigen::Vector3d::Zero();
  hinge.axis = Eigen::Vector3d::UnitY();
  system.joints.push_back(hinge);
  system.outputs = {"bar/tip/position", "energy"};
  return system;
}

// Truth: simulate() with the same step, bit for bit.
TEST(SteppedSimulation, GivesTheRowsOfSimulate) {
  DynamicOptions options;
  options.end = 0.5;
  options.step = 1.0 / 1024;
  options.output_step = 0.125;
  Diagnostics diagnostics;
  Results whole;
  simulate(bar(), options, whole, diagnostics, no_progress());
  Stepping stepping(bar(), options, diagnostics);
  for (Eigen::Index row = 1; row < whole.rows(); ++row) {
    ASSERT_TRUE(stepping.advance(0.125 * static_cast<double>(row))) << stepping.failure();
    for (Eigen::Index c = 0; c < 3; ++c)
      EXPECT_EQ(stepping.row()[static_cast<std::size_t>(c)], whole.value(row, c));
  }
}

// Truth: statics. A damped spring holds the tip of the bar. At rest, the moments of spring force
// and weight about the hinge are in balance.
TEST(SteppedSimulation, FollowsTheEndOfASpringThatIsMoved) {
  System system = bar();
  system.ground_markers["pointer"].position = {1, 0, 0};
  SpringDamper spring;
  spring.a = "bar/tip";
  spring.b = "ground/pointer";
  spring.stiffness = 4000.0;
  spring.damping = 80.0;
  spring.length = 0.0;
  system.forces.push_back({"hand", spring});
  DynamicOptions options;
  options.step = 1e-3;
  Diagnostics diagnostics;
  Stepping stepping(system, options, diagnostics);
  stepping.move_end_b("hand", {0.8, 0, 0.6});
  ASSERT_TRUE(stepping.advance(4.0)) << stepping.failure();
  const Eigen::Vector3d tip(stepping.row()[0], stepping.row()[1], stepping.row()[2]);
  const Eigen::Vector3d pull = 4000.0 * (Eigen::Vector3d(0.8, 0, 0.6) - tip);
  const double moment = tip.z() * pull.x() - tip.x() * pull.z();  // moment about y
  EXPECT_NEAR(moment, -2.0 * 9.81 * 0.5 * tip.x(), tolerance(1e-6));
  EXPECT_LT((tip - Eigen::Vector3d(0.8, 0, 0.6)).norm(), 0.01);
  EXPECT_EQ(code_of([&] { stepping.move_end_b("nobody", {0, 0, 0}); }), "no-such-end");
}

}  // namespace
}  // namespace femflex::testing
