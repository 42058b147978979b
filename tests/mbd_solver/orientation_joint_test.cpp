// Tests the orientation joint, the example of docs/how-to/add-a-joint.md.
#include <gtest/gtest.h>

#include "femflex/mbd_solver/simulate.h"
#include "femflex/mbd_solver/system.h"

#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using testing::tolerance;

Body rigid(const std::string& name, const Vector3d& position, const Vector3d& inertia) {
  Body body;
  body.name = name;
  body.kind = RigidInertia{2.0, Vector3d::Zero(), inertia.asDiagonal()};
  body.position = position;
  return body;
}

// A torque on body a rotates both bodies together and does not translate b, because the joint
// constrains no points. Closed form: angle = T t^2 / (2 (I_a + I_b)).
TEST(OrientationJoint, TurnsTwoBodiesAsOneAndLeavesTheirPlacesFree) {
  System system;
  system.bodies = {rigid("a", {0.0, 0.0, 0.0}, {1.0, 1.0, 0.5}),
                   rigid("b", {3.0, 0.0, 0.0}, {1.0, 1.0, 1.5})};
  Joint joint;
  joint.name = "as_one";
  joint.type = JointType::orientation;
  joint.a = "a";
  joint.b = "b";
  system.joints = {joint};
  system.forces = {{"twist", PointTorque{"a", {Value(0.0), Value(0.0), Value(0.8)}}}};
  system.outputs = {"a/angular_velocity", "b/angular_velocity", "b/position"};
  DynamicOptions options;
  options.end = 2.0;
  options.integrator = Integrator::runge_kutta;
  Results results;
  Diagnostics diagnostics;
  const SimulationSummary summary = simulate(system, options, results, diagnostics, no_progress());
  EXPECT_EQ(summary.assembly.degrees_of_freedom, 9);  // twelve minus three rotations
  const double rate = 0.8 * 2.0 / (0.5 + 1.5);
  EXPECT_NEAR(results.at(2.0, "a/angular_velocity/z"), rate, tolerance(1e-7));
  EXPECT_NEAR(results.at(2.0, "b/angular_velocity/z"), rate, tolerance(1e-7));
  EXPECT_NEAR(results.at(2.0, "b/position/x"), 3.0, tolerance(1e-7));
  EXPECT_NEAR(results.at(2.0, "b/position/y"), 0.0, tolerance(1e-7));
}

}  // namespace
}  // namespace femflex::mbd_solver
