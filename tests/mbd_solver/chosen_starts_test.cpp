// Tests runs that start from given coordinates and rates of joints, in chains and in closed loops.
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

/// The first row of the results of a run.
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

/// A trolley on a rail along x, and a pendulum of length 1 that hangs from it.
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

// Truth: x = s + sin(phi), y = -cos(phi), and their rates. The given angle does not move the
// trolley.
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

// Truth: a joint without given values does not change: the displacement and rate of the rail.
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

// If the ground is the second body of the joint, the first body moves in the opposite direction.
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

// Truth: a screw of pitch p advances by p / (2 pi) per radian.
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

/// Four-bar linkage with crank A-B, coupler B-C and rocker D-C. A is the origin; the crank is
/// upright initially.
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
    if (!planar) {  // makes a loop without redundant constraints
      s.joints[1].type = JointType::spherical;
      s.joints[2].type = JointType::universal;
      s.joints[2].axis = Vector3d::UnitZ();
      s.joints[2].axis_b = Vector3d(C.x() - B.x(), C.y() - B.y(), 0);
    }
    return s;
  }
  /// Position of C after the crank has turned by phi, without a change of branch.
  Vector2d wrist(double phi) const {
    const Vector2d crank(-B.y() * std::sin(phi), B.y() * std::cos(phi));
    const double coupler = (C - B).norm(), rocker = (C - D).norm();
    const Vector2d line = D - crank;
    const double d = line.norm(), along = (d * d + coupler * coupler - rocker * rocker) / (2.0 * d);
    const double height = std::sqrt(coupler * coupler - along * along);
    const Vector2d e = line / d;
    return crank + along * e + height * Vector2d(-e.y(), e.x());
  }
  /// Angle of the rocker relative to its initial position.
  double rocker(double phi) const {
    const Vector2d r = wrist(phi) - D, r0 = C - D;
    return std::atan2(r.y(), r.x()) - std::atan2(r0.y(), r0.x());
  }
};

// Truth: C is the intersection of two circles; the rate of the rocker is the derivative of its
// angle.
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

// --- other loops, each with a closed form of the dependent coordinate ----------------------------

/// Derivative of a coordinate by fourth-order differences.
template <typename Coordinate>
double slope_of(const Coordinate& f, double x) {
  const double h = 1e-4;
  return (8.0 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12.0 * h);
}

Body loop_bar(const std::string& name, const Vector3d& from, const Vector3d& to) {
  Body b = rigid(name, 1.0, 0.5 * (to - from), Vector3d::Constant(0.02));
  b.position = from;
  return b;
}
Joint sliding(const std::string& name,
              const std::string& a,
              const std::string& b,
              const Vector3d& at,
              const Vector3d& axis) {
  Joint out = joint(name, JointType::prismatic, a, b);
  out.at = at;
  out.axis = axis;
  return out;
}

// Truth: x = r cos(phi) + sqrt(l^2 - (r sin(phi) - e)^2).
TEST(ChosenStarts, AnOffsetSliderFollowsItsCrank) {
  const double r = 0.1, l = 0.35, e = 0.04;
  const auto x = [&](double phi) {
    return r * std::cos(phi) + std::sqrt(l * l - std::pow(r * std::sin(phi) - e, 2));
  };
  const Vector3d B(r, 0, 0), C(x(0.0), e, 0);
  for (const double phi : {0.7, -2.1, 3.5}) {
    System s;
    s.planar = true;
    s.bodies = {loop_bar("crank", Vector3d::Zero(), B),
                loop_bar("rod", B, C),
                rigid("slider", 0.0, Vector3d::Zero(), Vector3d::Zero())};
    s.bodies[2].position = C;
    s.joints = {pin("shaft", "ground", "crank", Vector3d::Zero()),
                pin("pin", "crank", "rod", B),
                pin("wrist", "rod", "slider", C),
                sliding("guide", "ground", "slider", C, Vector3d::UnitX())};
    s.joints[0].initial.angle = phi;
    s.joints[0].initial.angle_rate = 12.0;
    const FirstRow row(s, {"shaft/angle_rate", "guide/displacement", "guide/displacement_rate"});
    EXPECT_NEAR(row("shaft/angle_rate"), 12.0, tolerance(1e-11)) << phi;
    EXPECT_NEAR(row("guide/displacement"), x(phi) - x(0.0), tolerance(1e-12)) << phi;
    EXPECT_NEAR(row("guide/displacement_rate"), 12.0 * slope_of(x, phi), tolerance(1e-9)) << phi;
    // the reverse case: the displacement of the slider is given, and the crank follows
    s.joints[0].initial = {};
    s.joints[3].initial.displacement = x(phi) - x(0.0);
    const FirstRow back(s, {"guide/displacement", "wrist/angle"});
    EXPECT_NEAR(back("guide/displacement"), x(phi) - x(0.0), tolerance(1e-12)) << phi;
  }
}

// Truth: both cranks turn by the same angle. This includes the position in which all bars are in
// one line and the linkage could change its branch.
TEST(ChosenStarts, AParallelogramStaysOneThroughItsFlatPosition) {
  const Vector3d A(0, 0, 0), B(0, 0.2, 0), C(0.5, 0.2, 0), D(0.5, 0, 0);
  for (const double phi : {0.8, 2.2, -2.2}) {
    System s;
    s.planar = true;
    s.bodies = {loop_bar("left", A, B), loop_bar("top", B, C), loop_bar("right", D, C)};
    s.joints = {pin("shaft", "ground", "left", A),
                pin("b", "left", "top", B),
                pin("c", "top", "right", C),
                pin("base", "ground", "right", D)};
    s.joints[0].initial.angle = phi;
    s.joints[0].initial.angle_rate = 6.0;
    const FirstRow row(s, {"base/angle", "base/angle_rate", "b/angle"});
    EXPECT_NEAR(row("base/angle"), phi, tolerance(1e-10));
    EXPECT_NEAR(row("base/angle_rate"), 6.0, tolerance(1e-10));
    EXPECT_NEAR(row("b/angle"), -phi, tolerance(1e-10));
  }
}

// Truth: tan(psi) = r sin(phi) / (d + r cos(phi)). A pin of the crank turns in a massless block.
// The block slides along the arm and swings the arm.
TEST(ChosenStarts, AQuickReturnStartsAtTheRateOfItsCrank) {
  const double d = 0.25, r = 0.1, phi = 2.0;
  const auto arm = [&](double p) { return std::atan2(r * std::sin(p), d + r * std::cos(p)); };
  const Vector3d O(d, 0, 0), P(d + r, 0, 0);
  System s;
  s.planar = true;
  s.bodies = {loop_bar("crank", O, P),
              rigid("block", 0.0, Vector3d::Zero(), Vector3d::Zero()),
              loop_bar("arm", Vector3d::Zero(), Vector3d(0.5, 0, 0))};
  s.bodies[1].position = P;
  s.joints = {pin("shaft", "ground", "crank", O),
              pin("pin", "crank", "block", P),
              sliding("slot", "arm", "block", P, Vector3d::UnitX()),
              pin("pivot", "ground", "arm", Vector3d::Zero())};
  s.joints[0].initial.angle = phi;
  s.joints[0].initial.angle_rate = -7.0;
  const FirstRow row(s, {"pivot/angle", "pivot/angle_rate", "slot/displacement"});
  EXPECT_NEAR(row("pivot/angle"), arm(phi), tolerance(1e-11));
  EXPECT_NEAR(row("pivot/angle_rate"), -7.0 * slope_of(arm, phi), tolerance(1e-10));
  EXPECT_NEAR(row("slot/displacement"),
              std::hypot(d + r * std::cos(phi), r * std::sin(phi)) - d - r,
              tolerance(1e-12));
}

// Truth: |C(psi) - B(phi)| is constant. The crank turns about z, the rocker about x. The coupler
// has two spherical joints and may rotate about its own axis.
TEST(ChosenStarts, ASpatialFourBarStartsWithItsCrankExact) {
  const Vector3d D(0.4, 0.2, 0);
  const auto B = [](double phi) { return Vector3d(0.1 * std::cos(phi), 0.1 * std::sin(phi), 0); };
  const auto C = [&](double psi) {
    return Vector3d(D + 0.3 * Vector3d(0, -std::sin(psi), std::cos(psi)));
  };
  const double length = (C(0.0) - B(0.0)).norm();
  const auto rocker = [&](double phi) {
    double psi = 0.0;
    for (int step = 1; step <= 100; ++step)
      for (int pass = 0; pass < 8; ++pass) {
        const Vector3d line = C(psi) - B(phi * step / 100.0);
        const Vector3d turn = 0.3 * Vector3d(0, -std::cos(psi), -std::sin(psi));
        psi -= (line.squaredNorm() - length * length) / (2.0 * line.dot(turn));
      }
    return psi;
  };
  System s;
  s.bodies = {loop_bar("crank", Vector3d::Zero(), B(0.0)),
              loop_bar("coupler", B(0.0), C(0.0)),
              loop_bar("rocker", D, C(0.0))};
  Joint first = joint("first", JointType::spherical, "crank", "coupler");
  first.at = B(0.0);
  Joint second = joint("second", JointType::spherical, "coupler", "rocker");
  second.at = C(0.0);
  Joint base = pin("base", "ground", "rocker", D);
  base.axis = Vector3d::UnitX();
  s.joints = {pin("shaft", "ground", "crank", Vector3d::Zero()), first, second, base};
  s.joints[0].initial.angle = 1.3;
  s.joints[0].initial.angle_rate = 10.0;
  const FirstRow row(s, {"shaft/angle", "shaft/angle_rate", "base/angle", "base/angle_rate"});
  EXPECT_NEAR(row("shaft/angle"), 1.3, tolerance(1e-12));
  EXPECT_NEAR(row("shaft/angle_rate"), 10.0, tolerance(1e-10));
  EXPECT_NEAR(row("base/angle"), rocker(1.3), tolerance(1e-10));
  EXPECT_NEAR(row("base/angle_rate"), 10.0 * slope_of(rocker, 1.3), tolerance(1e-8));
}

// Truth: a nut that turns in a guided ram lifts the ram by pitch / (2 pi) per radian. Four
// constraints of this loop are redundant.
TEST(ChosenStarts, AScrewPressLiftsItsRam) {
  System s;
  s.bodies = {rigid("nut", 1.0, Vector3d::Zero(), Vector3d::Constant(0.01)),
              rigid("ram", 3.0, Vector3d::Zero(), Vector3d::Constant(0.1))};
  s.joints = {joint("screw", JointType::screw, "ground", "nut"),
              pin("bearing", "nut", "ram", Vector3d::Zero()),
              sliding("guide", "ground", "ram", Vector3d::Zero(), Vector3d::UnitZ())};
  s.joints[0].axis = Vector3d::UnitZ();
  s.joints[0].pitch = 0.01;
  s.joints[0].initial.angle = 12.0;
  s.joints[0].initial.angle_rate = 5.0;
  const FirstRow row(s, {"screw/angle", "guide/displacement", "guide/displacement_rate"});
  EXPECT_NEAR(row("screw/angle"), 12.0, tolerance(1e-11));
  EXPECT_NEAR(row("guide/displacement"), 0.06 / std::numbers::pi, tolerance(1e-13));
  EXPECT_NEAR(row("guide/displacement_rate"), 0.025 / std::numbers::pi, tolerance(1e-12));
}

// A four-bar linkage on a trolley. The trolley keeps its position and rate, although nothing but
// its rail guides it.
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

// Truth: only the crank has mass, and no load acts on it. Its rate is therefore constant over whole
// turns, although the massless coupler and rocker accelerate.
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

// Truth: a pendulum under gravity, and a bead on an arm that turns at constant rate: r'' = w^2 r.
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
  s.joints[3].initial.angle = 0.5;  // the loop requires another angle
  EXPECT_EQ(code(s), "start-not-reached");
  s = FourBar().system(true);
  s.joints[3].initial.angle = 2.0;  // the rocker cannot reach this angle
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

// Truth: A hangs on the ground and is pinned to B, which must not move, so no joint can be turned.
TEST(ChosenStarts, AJointBetweenHeldSidesOpensNoOther) {
  System s;
  s.bodies = {rigid("A", 1.0, {0.5, 0, 0}, Vector3d::Ones()),
              rigid("B", 1.0, Vector3d::Zero(), Vector3d::Ones())};
  s.bodies[1].position = {1, 0, 0};
  s.bodies[1].initial_fixed = true;
  s.joints = {pin("J1", "ground", "A", Vector3d::Zero()), pin("J2", "A", "B", {1, 0, 0})};
  s.joints[1].initial.angle = 0.5;
  const auto start = [&] {
    Diagnostics diagnostics;
    AssemblyReport report;
    static_cast<void>(assemble(s, report, diagnostics));
  };
  EXPECT_EQ(testing::code_of(start), "fixed-moved");
  s.bodies[1].initial_fixed = false;
  EXPECT_EQ(testing::code_of(start), "no error");
}

}  // namespace
}  // namespace femflex::mbd_solver
