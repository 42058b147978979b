// Runs that start in chosen coordinates and rates of joints, in chains and loops.
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "benchmarks.h"
#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using testing::bound;
using testing::joint;
using testing::methods;
using testing::rigid;
using testing::tolerance;

/// The first row of a run.
class FirstRow {
 public:
  explicit FirstRow(System system, std::vector<std::string> channels) {
    system.outputs = std::move(channels);
    DynamicOptions options;
    options.end = options.step = options.output_step = 1e-5;
    Diagnostics diagnostics;
    simulate(system, options, results_, diagnostics, no_progress());
    warnings_ = diagnostics.warnings().size();
  }
  double operator()(const std::string& channel) const {
    return results_.value(0, results_.find(channel));
  }
  std::size_t warnings() const { return warnings_; }

 private:
  Results results_;
  std::size_t warnings_ = 0;
};

Joint pin(const std::string& name, const std::string& a, const std::string& b, const Vector3d& at) {
  Joint out = joint(name, JointType::revolute, a, b);
  out.at = at;
  out.axis = Vector3d::UnitZ();
  return out;
}

/// A trolley on a rail along x with a pendulum of length 1 that hangs from it.
System trolley_and_pendulum() {
  System s;
  s.planar = true;
  s.bodies = {rigid("trolley", 1.0, Vector3d::Zero(), Vector3d::Ones()),
              rigid("load", 0.5, {0, -1, 0}, 0.1 * Vector3d::Ones())};
  s.bodies[1].markers["centre"] = testing::at(0, -1);
  Joint rail = joint("rail", JointType::prismatic, "ground", "trolley");
  rail.axis = Vector3d::UnitX();
  s.joints = {rail, pin("pivot", "trolley", "load", Vector3d::Zero())};
  return s;
}

const std::vector<std::string>& crab_channels() {
  static const std::vector<std::string> names = {"rail/displacement",
                                                 "rail/displacement_rate",
                                                 "pivot/angle",
                                                 "pivot/angle_rate",
                                                 "load/centre/position",
                                                 "load/centre/velocity"};
  return names;
}

// Truth: x = s + sin(phi), y = -cos(phi) and their rates; the trolley feels nothing of the swing.
TEST(ChosenStarts, AChainStartsInItsCoordinatesAndRates) {
  for (const double phi : {2.6, -0.7, 9.0}) {
    System s = trolley_and_pendulum();
    s.joints[0].initial.displacement = 0.4;
    s.joints[0].initial.displacement_rate = -1.5;
    s.joints[1].initial.angle = phi;
    s.joints[1].initial.angle_rate = 3.0;
    const FirstRow row(s, crab_channels());
    EXPECT_NEAR(row("rail/displacement"), 0.4, tolerance(1e-14));
    EXPECT_NEAR(row("rail/displacement_rate"), -1.5, tolerance(1e-14));
    EXPECT_NEAR(row("pivot/angle"), phi, tolerance(1e-14));
    EXPECT_NEAR(row("pivot/angle_rate"), 3.0, tolerance(1e-14));
    EXPECT_NEAR(row("load/centre/position/x"), 0.4 + std::sin(phi), tolerance(1e-14));
    EXPECT_NEAR(row("load/centre/position/y"), -std::cos(phi), tolerance(1e-14));
    EXPECT_NEAR(row("load/centre/velocity/x"), -1.5 + 3.0 * std::cos(phi), tolerance(1e-14));
    EXPECT_NEAR(row("load/centre/velocity/y"), 3.0 * std::sin(phi), tolerance(1e-14));
    EXPECT_EQ(row.warnings(), 0U);
  }
}

// Truth: what is not chosen stays: the rail's place and rate.
TEST(ChosenStarts, OneJointLeavesTheOthersAsTheyAre) {
  System s = trolley_and_pendulum();
  s.joints[1].initial.angle = 1.0;
  s.joints[1].initial.angle_rate = 2.0;
  s.bodies[0].position.x() = s.bodies[1].position.x() = 0.3;
  s.bodies[0].velocity.x() = s.bodies[1].velocity.x() = 0.7;
  s.joints[1].at = Vector3d(0.3, 0, 0);
  const FirstRow row(s, crab_channels());
  EXPECT_NEAR(row("rail/displacement_rate"), 0.7, tolerance(1e-14));
  EXPECT_NEAR(row("load/centre/position/x"), 0.3 + std::sin(1.0), tolerance(1e-14));
  EXPECT_NEAR(row("pivot/angle_rate"), 2.0, tolerance(1e-14));
}

// The ground may be the second body: then the first one moves the other way.
TEST(ChosenStarts, TheGroundStaysOnEitherSide) {
  System s;
  s.bodies = {rigid("bar", 1.0, {1, 0, 0}, Vector3d::Ones())};
  s.bodies[0].markers["tip"] = testing::at(1, 0);
  s.joints = {pin("hinge", "bar", "ground", Vector3d::Zero())};
  s.joints[0].initial.angle = 0.5;
  s.joints[0].initial.angle_rate = 4.0;
  const FirstRow row(s,
                     {"hinge/angle", "hinge/angle_rate", "bar/tip/position", "bar/tip/velocity"});
  EXPECT_NEAR(row("hinge/angle"), 0.5, tolerance(1e-14));
  EXPECT_NEAR(row("hinge/angle_rate"), 4.0, tolerance(1e-14));
  EXPECT_NEAR(row("bar/tip/position/y"), -std::sin(0.5), tolerance(1e-14));
  EXPECT_NEAR(row("bar/tip/velocity/y"), -4.0 * std::cos(0.5), tolerance(1e-14));
}

// Truth: a screw of pitch p advances p / 2 pi a radian.
TEST(ChosenStarts, AScrewTurnsAndAdvances) {
  for (const bool by_angle : {true, false}) {
    System s;
    s.bodies = {rigid("nut", 1.0, {0.1, 0, 0}, Vector3d::Ones())};
    s.joints = {joint("screw", JointType::screw, "ground", "nut")};
    s.joints[0].pitch = 0.02;
    const double per_turn = 0.02 / (2.0 * std::numbers::pi);
    JointStart& start = s.joints[0].initial;
    if (by_angle) {
      start.angle = 8.0;
      start.angle_rate = 5.0;
    } else {
      start.displacement = 8.0 * per_turn;
      start.displacement_rate = 5.0 * per_turn;
    }
    const FirstRow row(
        s, {"screw/angle", "screw/angle_rate", "screw/displacement", "screw/displacement_rate"});
    EXPECT_NEAR(row("screw/angle"), 8.0, tolerance(1e-12));
    EXPECT_NEAR(row("screw/angle_rate"), 5.0, tolerance(1e-12));
    EXPECT_NEAR(row("screw/displacement"), 8.0 * per_turn, tolerance(1e-14));
    EXPECT_NEAR(row("screw/displacement_rate"), 5.0 * per_turn, tolerance(1e-14));
  }
}

/// Crank A-B, coupler B-C, rocker D-C, drawn with the crank upright.
struct FourBar {
  Vector2d B{0, 0.1}, C{0.4, 0.3}, D{0.4, 0};
  System system(bool planar, double coupler_mass = 1.0) const {
    System s;
    s.planar = planar;
    const auto bar = [&](const char* name, const Vector2d& from, const Vector2d& to, double mass) {
      const Vector2d half = 0.5 * (to - from);
      Body b = rigid(
          name, mass, {half.x(), half.y(), 0}, Vector3d::Constant(mass * half.squaredNorm() / 3.0));
      b.position = {from.x(), from.y(), 0};
      s.bodies.push_back(b);
    };
    bar("crank", Vector2d::Zero(), B, 2.0);
    bar("coupler", B, C, coupler_mass);
    bar("rocker", D, C, coupler_mass);
    s.joints = {pin("shaft", "ground", "crank", Vector3d::Zero()),
                pin("pin", "crank", "coupler", {B.x(), B.y(), 0}),
                pin("wrist", "coupler", "rocker", {C.x(), C.y(), 0}),
                pin("base", "ground", "rocker", {D.x(), D.y(), 0})};
    if (!planar) {  // a loop without redundant rows
      s.joints[1].type = JointType::spherical;
      s.joints[2].type = JointType::universal;
      s.joints[2].axis = Vector3d::UnitZ();
      s.joints[2].axis_b = Vector3d(C.x() - B.x(), C.y() - B.y(), 0);
    }
    return s;
  }
  /// Where C is while the crank has turned by phi, on the side that it is drawn on.
  Vector2d wrist(double phi) const {
    const Vector2d crank(-B.y() * std::sin(phi), B.y() * std::cos(phi));
    const double coupler = (C - B).norm(), rocker = (C - D).norm();
    const Vector2d line = D - crank;
    const double d = line.norm(), along = (d * d + coupler * coupler - rocker * rocker) / (2.0 * d);
    const double height = std::sqrt(coupler * coupler - along * along);
    const Vector2d e = line / d;
    return crank + along * e + height * Vector2d(-e.y(), e.x());
  }
  /// Angle of the rocker from where it is drawn.
  double rocker(double phi) const {
    const Vector2d r = wrist(phi) - D, r0 = C - D;
    return std::atan2(r.y(), r.x()) - std::atan2(r0.y(), r0.x());
  }
};

// Truth: C is where two circles meet; the rate of the rocker is the slope of its angle.
TEST(ChosenStarts, AFourBarStartsWithItsCrankExact) {
  const FourBar bars;
  for (const bool planar : {true, false}) {
    for (const double phi : {0.5, -1.2, 2.9, 6.5}) {
      System s = bars.system(planar);
      s.joints[0].initial.angle = phi;
      s.joints[0].initial.angle_rate = 20.0;
      const FirstRow row(s, {"shaft/angle", "shaft/angle_rate", "base/angle", "base/angle_rate"});
      const double h = 1e-4;
      const double slope = (8.0 * (bars.rocker(phi + h) - bars.rocker(phi - h)) -
                            (bars.rocker(phi + 2 * h) - bars.rocker(phi - 2 * h))) /
                           (12.0 * h);
      EXPECT_NEAR(row("shaft/angle"), phi, tolerance(1e-12)) << phi;
      EXPECT_NEAR(row("shaft/angle_rate"), 20.0, tolerance(20e-12)) << phi;
      EXPECT_NEAR(row("base/angle"), bars.rocker(phi), tolerance(1e-10)) << phi << planar;
      EXPECT_NEAR(row("base/angle_rate"), 20.0 * slope, tolerance(1e-9)) << phi << planar;
    }
  }
}

// A four-bar on a trolley: the trolley keeps its place and rate although nothing else holds it.
TEST(ChosenStarts, ALoopDoesNotPushTheJointThatCarriesIt) {
  System s = FourBar().system(true);
  s.bodies.push_back(rigid("trolley", 0.5, Vector3d::Zero(), Vector3d::Ones()));
  s.joints[0].a = s.joints[3].a = "trolley";
  Joint rail = joint("rail", JointType::prismatic, "ground", "trolley");
  rail.axis = Vector3d::UnitX();
  s.joints.push_back(rail);
  s.joints[0].initial.angle = 1.5;
  s.joints[0].initial.angle_rate = -7.0;
  const FirstRow row(
      s, {"rail/displacement", "rail/displacement_rate", "shaft/angle", "shaft/angle_rate"});
  EXPECT_NEAR(row("rail/displacement"), 0.0, tolerance(1e-12));
  EXPECT_NEAR(row("rail/displacement_rate"), 0.0, tolerance(1e-12));
  EXPECT_NEAR(row("shaft/angle"), 1.5, tolerance(1e-12));
  EXPECT_NEAR(row("shaft/angle_rate"), -7.0, tolerance(1e-11));
}

// Truth: one body alone has mass and nothing pushes it: its rate is constant through whole turns,
// although coupler and rocker, without mass, accelerate.
TEST(ChosenStarts, ALoopOfBarsWithoutMassTurnsAtTheRateItStartsWith) {
  for (const Integrator method : methods()) {
    System s = FourBar().system(true, 0.0);
    s.joints[0].initial.angle = 0.3;
    s.joints[0].initial.angle_rate = 5.0;
    s.outputs = {"shaft/angle", "shaft/angle_rate", "base/angle"};
    Results results;
    testing::run(s, testing::accurate(method, 2.0, 0.1, 1e-3), results);
    for (const double t : results.time()) {
      EXPECT_NEAR(results.at(t, "shaft/angle_rate"), 5.0, tolerance(bound(method, 1e-7, 1e-5)))
          << name_of(method) << " at " << t;
      EXPECT_NEAR(results.at(t, "base/angle"),
                  FourBar().rocker(0.3 + 5.0 * t),
                  tolerance(bound(method, 1e-7, 1e-5)))
          << name_of(method) << " at " << t;
    }
  }
}

// Truth: a pendulum under gravity, and a bead on an arm that turns at a steady rate: r'' = w^2 r.
TEST(ChosenStarts, JointsGiveTheirAccelerations) {
  System pendulum = trolley_and_pendulum();
  pendulum.gravity = {Value(0.0), Value(-9.81), Value(0.0)};
  pendulum.joints[0].type = JointType::fixed;
  pendulum.joints[1].initial.angle = 0.8;
  const FirstRow swing(pendulum, {"pivot/angle_acceleration"});
  EXPECT_NEAR(swing("pivot/angle_acceleration"),
              -0.5 * 9.81 * std::sin(0.8) / (0.1 + 0.5),
              tolerance(1e-12));

  System bead;
  bead.bodies = {rigid("arm", 1.0, Vector3d::Zero(), Vector3d::Ones()),
                 rigid("bead", 0.3, Vector3d::Zero(), 0.1 * Vector3d::Ones())};
  Joint guide = joint("guide", JointType::prismatic, "arm", "bead");
  guide.axis = Vector3d::UnitX();
  guide.initial.displacement = 0.6;
  guide.initial.displacement_rate = -0.2;
  bead.joints = {pin("shaft", "ground", "arm", Vector3d::Zero()), guide};
  Motion drive;
  drive.name = "drive";
  drive.joint = "shaft";
  drive.value = Value(laws::Formula::of_time("4*t"));
  bead.motions = {drive};
  const FirstRow slide(bead, {"guide/displacement_acceleration", "guide/displacement_rate"});
  EXPECT_NEAR(slide("guide/displacement_rate"), -0.2, tolerance(1e-14));
  EXPECT_NEAR(slide("guide/displacement_acceleration"), 16.0 * 0.6, tolerance(1e-11));
}

TEST(ChosenStarts, WhatCannotBeIsRefused) {
  const auto code = [](const System& s) {
    return testing::code_of([&] { FirstRow(s, {"energy"}); });
  };
  System s = FourBar().system(true);
  s.joints[0].initial.angle = 0.5;
  s.joints[3].initial.angle = 0.5;  // the loop gives another one
  EXPECT_EQ(code(s), "start-not-reached");
  s = FourBar().system(true);
  s.joints[3].initial.angle = 2.0;  // a rocker does not get there
  EXPECT_EQ(code(s), "start-not-reached");
  s = FourBar().system(true);
  s.joints[0].initial.angle_rate = 1.0;
  s.joints[3].initial.angle_rate = 1.0;
  EXPECT_EQ(code(s), "velocities-contradict");
  s = trolley_and_pendulum();
  s.joints[0].initial.angle = 1.0;
  EXPECT_EQ(code(s), "no-angle");
  s = trolley_and_pendulum();
  s.joints[1].initial.displacement_rate = 1.0;
  EXPECT_EQ(code(s), "no-displacement");
  s = trolley_and_pendulum();
  s.joints[1].initial.angle = NAN;
  EXPECT_EQ(code(s), "not-finite");
  s = trolley_and_pendulum();
  s.joints[1].initial.angle = 1.0;
  s.bodies[0].initial_fixed = s.bodies[1].initial_fixed = true;
  EXPECT_EQ(code(s), "fixed-moved");
  s = trolley_and_pendulum();
  s.joints[1].initial.angle = 1.0;
  Motion drive;
  drive.name = "drive";
  drive.joint = "pivot";
  s.motions = {drive};
  EXPECT_EQ(code(s), "start-of-motion");
}

}  // namespace
}  // namespace femflex::mbd_solver
