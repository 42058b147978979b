// Tests gears of three joints (differentials), and paths that a driver follows. Truth: closed forms
// of rotors, a circle, a straight line.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/simulate.h"

#include "benchmarks.h"
#include "mechanisms.h"
#include "spatial/model.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using testing::accurate;
using testing::joint;
using testing::methods;
using testing::rigid;
using testing::run;
using testing::tolerance;

/// Rotors about x and y: a pinion under a torque, and two wheels with different inertia.
System differential(double ratio) {
  System s;
  const auto add = [&](const std::string& name, const Vector3d& axis, double inertia) {
    Body rotor = rigid(name, 1.0, Vector3d::Zero(), Vector3d::Constant(inertia));
    s.bodies.push_back(rotor);
    Joint bearing = joint(name + "_bearing", JointType::revolute, "ground", name);
    bearing.at = Vector3d::Zero();
    bearing.axis = axis;
    s.joints.push_back(bearing);
  };
  add("pinion", Vector3d::UnitX(), 0.02);
  add("left", Vector3d::UnitY(), 2.0);
  add("right", Vector3d::UnitY(), 5.0);
  Joint gear;
  gear.name = "differential";
  gear.type = JointType::gear;
  gear.joint_a = "pinion_bearing";
  gear.joint_b = "left_bearing";
  gear.joint_c = "right_bearing";
  gear.ratio = gear.ratio_c = -0.5 * ratio;
  s.joints.push_back(gear);
  PointTorque drive;
  drive.on = "pinion";
  drive.value = {Value(10.0), Value(0.0), Value(0.0)};
  s.forces = {{"drive", drive}};
  s.outputs = {"left/angular_velocity/y", "right/angular_velocity/y", "pinion/angular_velocity/x"};
  return s;
}

double final_value(const Results& r, const std::string& channel) {
  return r.series(channel)(r.rows() - 1);
}

// Truth: each wheel gets half of the torque after the gear, for any inertias.
TEST(Gear, OfThreeJointsIsADifferential) {
  constexpr double kRatio = 6.0, kPinion = 0.02, kLeft = 2.0, kRight = 5.0, kTorque = 10.0;
  const double carried =
      kTorque / (1.0 + kPinion * 0.25 * kRatio * kRatio * (1.0 / kLeft + 1.0 / kRight));
  for (const Integrator method : methods()) {
    Results r;
    run(differential(kRatio), accurate(method, 2.0, 1.0, 1e-3), r);
    const double left = 0.5 * kRatio * carried / kLeft * 2.0,
                 right = 0.5 * kRatio * carried / kRight * 2.0;
    EXPECT_NEAR(final_value(r, "left/angular_velocity/y"), left, tolerance(1e-6) * left);
    EXPECT_NEAR(final_value(r, "right/angular_velocity/y"), right, tolerance(1e-6) * right);
    EXPECT_NEAR(final_value(r, "pinion/angular_velocity/x"),
                0.5 * kRatio * (left + right),
                tolerance(1e-6) * kRatio * left);
  }
}

TEST(Gear, WithoutAThirdRatioIsRefused) {
  System s = differential(6.0);
  s.joints.back().ratio_c = 0.0;
  Results r;
  EXPECT_THROW(run(s, {}, r), ModelError);
}

/// A body that slides along x at constant speed, and a path block that reads its position.
System passing_by(const PathBlock& path, double y, double preview) {
  System s;
  Body car = rigid("car", 1.0, Vector3d::Zero(), Vector3d::Constant(1.0));
  car.position = {0.0, y, 0.0};
  car.velocity = {1.0, 0.0, 0.0};
  s.bodies = {car};
  s.joints = {joint("slide", JointType::prismatic, "ground", "car")};
  s.joints[0].axis = Vector3d::UnitX();
  Block block;
  block.name = "path";
  block.inputs = {Value("[car/position/x]"), Value("[car/position/y]"), Value(0.0), Value(preview)};
  block.law = path;
  s.blocks = {block};
  s.outputs = {"path"};
  return s;
}

// Truth: distance, direction, curvature and arc length of a circle. A polygon of 720 points
// deviates from the radius by 1e-5 of the radius.
TEST(Path, OfACircleHasItsDistanceDirectionCurvatureAndWay) {
  constexpr double kRadius = 20.0;
  constexpr int kPoints = 720;
  PathBlock circle;
  circle.is_closed = true;
  for (int k = 0; k < kPoints; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / kPoints;
    circle.x.push_back(kRadius * std::sin(angle));  // starts at the lowest point and turns to the
                                                    // left
    circle.y.push_back(kRadius * (1.0 - std::cos(angle)));
  }
  Results r;
  DynamicOptions options;
  options.end = 8.0;
  options.step = 0.01;
  options.output_step = 1.0;
  run(passing_by(circle, 4.0, 2.0), options, r);
  for (Eigen::Index k = 0; k < r.rows(); ++k) {
    const double x = r.time()[static_cast<std::size_t>(k)] + 2.0, y = 4.0 - kRadius;
    const double angle = std::atan2(x, -y);
    // from inside a left turn, the path is on the right
    EXPECT_NEAR(r.series("path/1")(k), std::hypot(x, y) - kRadius, tolerance(2e-5) * kRadius);
    EXPECT_NEAR(r.series("path/2")(k), angle, tolerance(1e-3));
    EXPECT_NEAR(r.series("path/3")(k), 1.0 / kRadius, tolerance(1e-4) / kRadius);
    EXPECT_NEAR(r.series("path/4")(k), kRadius * angle, tolerance(1e-3) * kRadius);
  }
}

// Truth: a ring is the same with and without its first point repeated at its end. Left open, it is
// told.
TEST(Path, WhoseEndsMeetIsARingOrIsTold) {
  PathBlock ring;
  ring.is_closed = true;
  ring.x = {0.0, 10.0, 10.0, 0.0};
  ring.y = {0.0, 0.0, 10.0, 10.0};
  EXPECT_FALSE(ends_meet(ring));
  DynamicOptions options;
  options.end = 4.0;
  options.step = 0.01;
  options.output_step = 0.5;
  Results r, repeated;
  run(passing_by(ring, 6.0, -1.0), options, r);
  ring.x.push_back(0.0);
  ring.y.push_back(0.0);
  EXPECT_TRUE(ends_meet(ring));
  run(passing_by(ring, 6.0, -1.0), options, repeated);
  for (Eigen::Index k = 0; k < r.rows(); ++k)
    for (const char* channel : {"path/1", "path/2", "path/3", "path/4"})
      EXPECT_EQ(repeated.series(channel)(k), r.series(channel)(k)) << channel;
  ring.is_closed = false;
  Diagnostics diagnostics;
  static_cast<void>(compile(passing_by(ring, 6.0, -1.0), diagnostics));
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings()[0].code, "path-open");
}

// Truth: a straight line that continues beyond its ends.
TEST(Path, GoesOnStraightBeyondItsEnds) {
  PathBlock line;
  line.x = {1.0, 2.0};
  line.y = {3.0, 3.0};
  Results r;
  DynamicOptions options;
  options.end = 4.0;
  options.step = 0.01;
  options.output_step = 0.5;
  run(passing_by(line, 1.0, 0.0), options, r);
  for (Eigen::Index k = 0; k < r.rows(); ++k) {
    EXPECT_NEAR(r.series("path/1")(k), 2.0, tolerance(1e-9));
    EXPECT_NEAR(r.series("path/2")(k), 0.0, tolerance(1e-12));
    EXPECT_EQ(r.series("path/3")(k), 0.0);
    EXPECT_NEAR(
        r.series("path/4")(k), r.time()[static_cast<std::size_t>(k)] - 1.0, tolerance(1e-9));
  }
}

TEST(Path, OfOnePointIsRefused) {
  PathBlock point;
  point.x = {1.0};
  point.y = {3.0};
  Results r;
  EXPECT_THROW(run(passing_by(point, 1.0, 0.0), {}, r), ModelError);
  point.x = {1.0, 1.0};
  point.y = {3.0, 3.0};
  EXPECT_THROW(run(passing_by(point, 1.0, 0.0), {}, r), ModelError);
}

}  // namespace
}  // namespace femflex::mbd_solver
