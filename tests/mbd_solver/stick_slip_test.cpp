// Tests set-valued friction in generalised-alpha: true sticking, and transitions located in time.
// Truth: closed forms, stated at each test.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/linearise.h"
#include "femflex/mbd_solver/statics.h"

#include "benchmarks.h"
#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using testing::accurate;
using testing::joint;
using testing::methods;
using testing::point;
using testing::rigid;
using testing::run;
using testing::tolerance;

Friction coulomb(const std::string& on, Value level) {
  Friction friction;
  friction.joint = on;
  friction.model = laws::FrictionModel::set_valued;
  friction.sliding = std::move(level);
  return friction;
}

/// A block of 2 kg that slides along x against `friction`.
System slide_with(const Friction& friction) {
  System s;
  s.bodies = {rigid("block", 2.0, Vector3d::Zero(), Vector3d::Constant(1.0))};
  s.joints = {joint("slide", JointType::prismatic, "ground", "block")};
  s.joints[0].axis = Vector3d::UnitX();
  s.forces = {{"rub", friction}};
  s.outputs = {"block/position/x", "block/velocity/x", "rub/value"};
  return s;
}

void push_block(System& s, const std::string& force) {
  PointForce load;
  load.on = "block";
  load.value = {Value(force), Value(0.0), Value(0.0)};
  s.forces.push_back({"push", load});
}

double at_end(const Results& r, const std::string& channel) {
  return r.series(channel)(r.series(channel).size() - 1);
}

DynamicOptions steps_of(double step, double end, double rows) {
  DynamicOptions o;
  o.end = end;
  o.output_step = rows;
  o.step = step;
  return o;
}

// Truth: friction holds the block under the force 4 t until 4 t = 3 N; then m a = 4 t - 3. At 1.5 s
// the force ends; the block decelerates by 3 / m and rests from 1.875 s on.
TEST(StickSlip, APushedBlockBreaksAwayAndStopsAtItsTimes) {
  System s = slide_with(coulomb("slide", Value(3.0)));
  push_block(s, "4*t*(1-step(t, 1.5))");
  Results r;
  const auto summary = run(s, steps_of(1e-3, 3.0, 0.125), r);
  const auto& x = r.series("block/position/x");
  const auto& v = r.series("block/velocity/x");
  const auto& F = r.series("rub/value");
  EXPECT_NEAR(x(5), 0.0, tolerance(1e-12));  // 0.625 s
  EXPECT_NEAR(v(6), 0.0, tolerance(1e-12));  // 0.75 s
  EXPECT_NEAR(F(5), -2.5, tolerance(1e-9));
  EXPECT_NEAR(x(12), 0.140625, tolerance(1e-6) * 0.140625);
  EXPECT_NEAR(v(12), 0.5625, tolerance(1e-6) * 0.5625);
  EXPECT_NEAR(x(16), 0.24609375, tolerance(1e-6));
  EXPECT_NEAR(v(16), 0.0, tolerance(1e-12));
  EXPECT_NEAR(x(24), x(16), tolerance(1e-12));
  EXPECT_LT(summary.energy_drift, tolerance(1e-5));
}

// Truth: without friction the block of 2 kg has the speed t^2; the level of 30 N from 1 s on stops
// it, and then holds it under 4 t.
TEST(StickSlip, ALevelThatIsZeroAtFirstActsLater) {
  System s = slide_with(coulomb("slide", Value("30*step(t, 1)")));
  push_block(s, "4*t");
  Results r;
  (void)run(s, steps_of(1e-3, 3.0, 0.125), r);
  EXPECT_NEAR(r.series("block/velocity/x")(8), 1.0, tolerance(1e-6));  // 1 s
  EXPECT_NEAR(at_end(r, "block/velocity/x"), 0.0, tolerance(1e-12));
  EXPECT_NEAR(at_end(r, "rub/value"), -12.0, tolerance(1e-8));
}

// Truth: the block moves up the slope with the deceleration g (sin + mu cos) until v0 / a. If mu
// exceeds tan it then rests, otherwise it slides down with g (sin - mu cos). The friction level is
// proportional to the reaction.
TEST(StickSlip, ABlockOnASlopeStopsAndStaysOrSlidesBack) {
  const double angle = 0.3, g = 9.81, v0 = 1.0;
  for (const double mu : {0.5, 0.2}) {
    System s = slide_with(coulomb("slide", Value(std::to_string(mu) + "*abs([slide/reaction/z])")));
    s.gravity = {Value(g * std::sin(angle)), Value(0.0), Value(-g * std::cos(angle))};
    s.bodies[0].velocity = {-v0, 0.0, 0.0};
    const double up = g * (std::sin(angle) + mu * std::cos(angle));
    const double down = std::max(0.0, g * (std::sin(angle) - mu * std::cos(angle)));
    for (const double step : {1e-2, 1e-3}) {
      Results r;
      const auto summary = run(s, steps_of(step, 1.0, 0.5), r);
      const double left = 1.0 - v0 / up;
      EXPECT_NEAR(at_end(r, "block/position/x"),
                  -0.5 * v0 * v0 / up + 0.5 * down * left * left,
                  tolerance(1e-6));
      EXPECT_NEAR(at_end(r, "block/velocity/x"), down * left, tolerance(1e-6));
      EXPECT_LT(summary.energy_drift, tolerance(1e-5));
    }
  }
}

// Truth: the belt carries the block until k x = Fs. The block then slips and oscillates on the
// spring until it has the speed of the belt again, at x = Fk/k - D with D = (Fs - Fk) / k. A cycle
// takes 2 D / v + 2 (pi - atan(D w / v)) / w.
TEST(StickSlip, TheBeltOscillatorKeepsItsCycle) {
  const double m = 2.0, k = 200.0, v = 0.1, Fs = 6.0, Fk = 4.0;
  Friction friction = coulomb("rub_on_belt", Value(Fk));
  friction.sticking_ratio = Fs / Fk;
  System s;
  s.bodies = {rigid("belt", 1.0, Vector3d::Zero(), Vector3d::Constant(1.0)),
              rigid("block", m, Vector3d::Zero(), Vector3d::Constant(1.0))};
  s.bodies[0].velocity = s.bodies[1].velocity = {v, 0.0, 0.0};
  s.joints = {joint("guide", JointType::prismatic, "ground", "belt"),
              joint("rub_on_belt", JointType::prismatic, "belt", "block")};
  s.joints[0].axis = s.joints[1].axis = Vector3d::UnitX();
  Motion drive;
  drive.name = "drive";
  drive.joint = "guide";
  drive.coordinate = Motion::Coordinate::displacement;
  drive.value = Value("0.1*t");
  s.motions = {drive};
  Bushing spring;
  spring.a = "ground";
  spring.b = "block";
  spring.stiffness(0, 0) = k;
  s.forces = {{"rub", friction}, {"spring", spring}};
  s.outputs = {"block/position/x", "rub/value"};
  const double w = std::sqrt(k / m), D = (Fs - Fk) / k;
  const double cycle = 2.0 * D / v + 2.0 * (std::numbers::pi - std::atan(D * w / v)) / w;
  const double first = Fs / (k * v);
  Results r;
  DynamicOptions o = steps_of(5e-4, first + 8.0 * cycle, cycle);
  const auto summary = run(s, o, r);
  const double phase = std::fmod(first, cycle);
  for (int n = 1; n <= 8; ++n) {
    // rows are at multiples of the cycle; the block starts to slip at first + j cycle
    const double t = n * cycle;
    if (t < first) continue;
    const double after = cycle - phase;  // time since the last start of slip
    const double slip = 2.0 * (std::numbers::pi - std::atan(D * w / v)) / w;
    const double expected = after < slip
                                ? Fk / k + D * std::cos(w * after) + v / w * std::sin(w * after)
                                : Fk / k - D + v * (after - slip);
    EXPECT_NEAR(r.series("block/position/x")(n), expected, tolerance(1e-4) * D * n) << n;
  }
  EXPECT_LT(summary.energy_drift, tolerance(1e-4));
}

// Truth: for a pendulum with friction moment T in its pivot, successive turning points p0 and p1
// satisfy m g l (cos p1 - cos p0) = -T (p0 + p1). It stays at rest where m g l sin p <= T.
TEST(StickSlip, APendulumDecaysToWhereItsPivotHoldsIt) {
  const double m = 2.0, l = 0.5, g = 9.81, T = 0.4, weight = m * g * l;
  System s;
  s.gravity = {Value(g), Value(0.0), Value(0.0)};
  s.bodies = {rigid("bob", m, {l, 0.0, 0.0}, Vector3d::Constant(0.01))};
  s.joints = {joint("pivot", JointType::revolute, "ground", "bob")};
  s.joints[0].axis = Vector3d::UnitZ();
  s.joints[0].initial.angle = 1.0;
  s.forces = {{"rub", coulomb("pivot", Value(T))}};
  s.outputs = {"pivot/angle", "pivot/angle_rate"};
  double amplitude = 1.0, sign = 1.0;
  while (weight * std::sin(std::abs(amplitude)) > T) {
    // the pendulum may stop before its lowest point; p is then negative
    double low = -amplitude + 1e-9, high = amplitude;
    for (int k = 0; k < 200; ++k) {
      const double p = 0.5 * (low + high);
      const double left = weight * (std::cos(p) - std::cos(amplitude)) - T * (p + amplitude);
      (left > 0.0 ? low : high) = p;
    }
    amplitude = low;
    sign = -sign;
  }
  Results r;
  const auto summary = run(s, steps_of(1e-3, 20.0, 0.5), r);
  EXPECT_NEAR(at_end(r, "pivot/angle"), sign * amplitude, tolerance(1e-4));
  EXPECT_NEAR(at_end(r, "pivot/angle_rate"), 0.0, tolerance(1e-12));
  EXPECT_LT(summary.energy_drift, tolerance(1e-4));
}

// Truth: Coulomb friction reduces the amplitude of a spring-mass system by 4 level / k per cycle.
TEST(StickSlip, ASpringWithCoulombFrictionDecaysLinearly) {
  System s = slide_with(coulomb("slide", Value(0.5)));
  s.bodies[0].position = {0.1, 0.0, 0.0};
  Bushing spring;
  spring.a = "ground";
  spring.b = "block";
  spring.stiffness(0, 0) = 200.0;
  spring.preload(0) = -20.0;
  s.forces.push_back({"spring", spring});
  const double period = 2.0 * std::numbers::pi * std::sqrt(2.0 / 200.0);
  Results r;
  run(s, steps_of(5e-4, 3.0 * period, period), r);
  for (int cycle = 1; cycle <= 3; ++cycle)
    EXPECT_NEAR(r.series("block/position/x")(cycle),
                0.1 - cycle * 4.0 * 0.5 / 200.0,
                tolerance(1e-4) * 0.1);
}

// Truth: a point that slides on a plane decelerates by mu g along its path and stops after the
// distance v^2 / (2 mu g). On a slope below mu it then stays at rest.
TEST(StickSlip, AContactSlidesToRestInAnyDirection) {
  const double mu = 0.4, g = 9.81, speed = 2.0, towards = 0.7;
  for (const double angle : {0.0, 0.3}) {
    System s;
    s.gravity = {Value(g * std::sin(angle)), Value(0.0), Value(-g * std::cos(angle))};
    s.bodies = {point("puck", 3.0, {0.0, 0.0, -3.0 * g * std::cos(angle) / 1e5})};
    const double direction = angle == 0.0 ? towards : 0.0;
    s.bodies[0].velocity = {speed * std::cos(direction), speed * std::sin(direction), 0.0};
    Contact floor;
    floor.on = "puck";
    floor.stiffness = 1e5;
    floor.damping = 1e3;
    ContactFriction friction;
    friction.model = laws::FrictionModel::set_valued;
    friction.level.sliding = friction.level.sticking = mu;
    floor.friction = friction;
    s.forces = {{"floor", floor}};
    s.outputs = {"puck/position/x", "puck/position/y", "puck/velocity/x", "floor/force"};
    Results r;
    const double braking = g * (mu * std::cos(angle) - std::sin(angle));
    const auto summary = run(s, steps_of(1e-3, 4.0, 0.5), r);
    const double way = 0.5 * speed * speed / braking;
    EXPECT_NEAR(at_end(r, "puck/position/x"), way * std::cos(direction), tolerance(1e-6) * way);
    EXPECT_NEAR(at_end(r, "puck/position/y"), way * std::sin(direction), tolerance(1e-6) * way);
    EXPECT_NEAR(at_end(r, "puck/velocity/x"), 0.0, tolerance(1e-9));
    EXPECT_LT(summary.energy_drift, tolerance(1e-5));
    // at rest the contact carries the weight, along the slope as well
    EXPECT_NEAR(at_end(r, "floor/force/x"), -3.0 * g * std::sin(angle), tolerance(1e-6) * 3.0 * g);
    EXPECT_NEAR(at_end(r, "floor/force/z"), 3.0 * g * std::cos(angle), tolerance(1e-6) * 3.0 * g);
  }
}

// Truth: friction between two points keeps their distance constant up to its level. Under a larger
// force F the motion is m x'' = F - level along the line.
TEST(StickSlip, ADistanceHoldsAndGivesWay) {
  System s;
  s.bodies = {point("puck", 2.0, {1.0, 0.0, 0.0})};
  Friction friction = coulomb("", Value(3.0));
  friction.a = "ground";
  friction.b = "puck";
  s.forces = {{"rub", friction}};
  s.outputs = {"puck/position/x", "rub/force/x"};
  PointForce pull;
  pull.on = "puck";
  pull.value = {Value("2+3*step(t, 1)"), Value(0.0), Value(0.0)};
  s.forces.push_back({"pull", pull});
  Results r;
  run(s, steps_of(1e-2, 2.0, 1.0), r);
  EXPECT_NEAR(r.series("puck/position/x")(1), 1.0, tolerance(1e-12));
  EXPECT_NEAR(r.series("puck/position/x")(2), 1.5, tolerance(1e-6));
  EXPECT_NEAR(r.series("rub/force/x")(0), -2.0, tolerance(1e-8));  // holds the pull
  EXPECT_NEAR(r.series("rub/force/x")(2), -3.0, tolerance(1e-8));
}

// Truth: friction does not stop a prescribed motion of the joint; while the joint slides, the
// friction force equals its level.
TEST(StickSlip, AMotionOvercomesFriction) {
  for (const char* path : {"0.1*sin(2*t)", "0.2*t^3", "0.3*max(0, t-0.5)^2"}) {
    System s = slide_with(coulomb("slide", Value(3.0)));
    Motion drive;
    drive.name = "drive";
    drive.joint = "slide";
    drive.coordinate = Motion::Coordinate::displacement;
    drive.value = Value(path);
    s.motions = {drive};
    s.outputs = {"block/position/x", "block/velocity/x", "rub/value"};
    Results r;
    const auto summary = run(s, steps_of(1e-3, 1.2, 0.1), r);
    EXPECT_EQ(summary.status, RunStatus::complete) << path << summary.reason;
    for (Eigen::Index k = 1; k < r.rows(); ++k) {
      const double v = r.series("block/velocity/x")(k);
      if (std::abs(v) <= 1e-3) continue;
      EXPECT_NEAR(r.series("rub/value")(k), v > 0.0 ? -3.0 : 3.0, tolerance(1e-9)) << path;
    }
  }
}

// Truth: the creep of the regularised form in closed form; a warning says that this form is used.
TEST(StickSlip, OtherIntegratorsRegulariseAndSaySo) {
  System s = slide_with(coulomb("slide", Value(3.0)));
  push_block(s, "2");
  for (const Integrator method : methods()) {
    if (method == Integrator::generalised_alpha) continue;
    Results r;
    Diagnostics diagnostics;
    Progress progress;
    const auto summary = simulate(s, accurate(method, 1.0, 0.1, 1e-3), r, diagnostics, progress);
    EXPECT_EQ(summary.status, RunStatus::complete) << name_of(method);
    EXPECT_NEAR(at_end(r, "block/velocity/x"), 1e-3 * std::atanh(2.0 / 3.0), tolerance(1e-9));
    ASSERT_EQ(diagnostics.warnings().size(), 1u) << name_of(method);
    EXPECT_EQ(diagnostics.warnings()[0].code, "friction-regularised");
  }
}

// Truth: each block moves by (20 N/s) (t - t_k)^3 / 6 after the time t_k at which the force reaches
// its level. Sixty blocks start to slip within one step.
TEST(StickSlip, ManyForcesBreakAwayInOneStep) {
  constexpr int kBlocks = 60;
  const auto level = [](int k) { return 1.0 + 0.1 * k / kBlocks; };
  System s;
  for (int k = 0; k < kBlocks; ++k) {
    const std::string number = std::to_string(k);
    s.bodies.push_back(rigid("block" + number, 1.0, Vector3d::Zero(), Vector3d::Constant(1.0)));
    Joint slide = joint("slide" + number, JointType::prismatic, "ground", "block" + number);
    slide.axis = Vector3d::UnitX();
    s.joints.push_back(slide);
    s.forces.push_back({"rub" + number, coulomb("slide" + number, Value(level(k)))});
    PointForce load;
    load.on = "block" + number;
    load.value = {Value("20*t"), Value(0.0), Value(0.0)};
    s.forces.push_back({"push" + number, load});
    s.outputs.push_back("block" + number + "/position/x");
  }
  Results r;
  run(s, steps_of(1e-2, 0.2, 0.2), r);
  for (int k = 0; k < kBlocks; ++k)
    EXPECT_NEAR(r.value(r.rows() - 1, k), 20.0 / 6.0 * std::pow(0.2 - level(k) / 20.0, 3), 2e-4)
        << k;
}

// Truth: two masses on a spring to the ground, stuck together by friction, move as one: sqrt(k /
// (m1 + m2)). Statics omits friction and gives a warning.
TEST(StickSlip, ALinearisationHoldsWhatSticks) {
  System s;
  s.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  s.bodies = {rigid("lower", 2.0, Vector3d::Zero(), Vector3d::Constant(1.0)),
              rigid("upper", 3.0, Vector3d::Zero(), Vector3d::Constant(1.0))};
  s.joints = {joint("guide", JointType::prismatic, "ground", "lower"),
              joint("slide", JointType::prismatic, "lower", "upper")};
  for (Joint& each : s.joints)
    each.axis = Vector3d::UnitZ();
  Bushing spring;
  spring.a = "ground";
  spring.b = "lower";
  spring.at = Vector3d::Zero();
  spring.stiffness(2, 2) = 1000.0;
  Bushing between = spring;
  between.a = "lower";
  between.b = "upper";
  between.stiffness(2, 2) = 4000.0;
  s.forces = {{"spring", spring}, {"between", between}, {"rub", coulomb("slide", Value(5.0))}};
  s.outputs = {"lower/position/z"};
  Results r;
  Diagnostics diagnostics;
  Progress progress;
  const StaticSummary rest = solve_statics(s, {}, r, diagnostics, progress);
  ASSERT_TRUE(rest.converged) << rest.reason;
  ASSERT_EQ(diagnostics.warnings().size(), 1u);
  EXPECT_EQ(diagnostics.warnings()[0].code, "friction-left-out");
  EXPECT_NEAR(at_end(r, "lower/position/z"), -5.0 * 9.81 / 1000.0, tolerance(1e-10));
  const Linearisation linear = linearise(s, rest.state, diagnostics);
  ASSERT_EQ(linear.modes.size(), 1u);
  EXPECT_NEAR(linear.modes[0].frequency_hz,
              std::sqrt(1000.0 / 5.0) / (2.0 * std::numbers::pi),
              tolerance(1e-7));
}

// Truth: the uninterrupted run.
TEST(StickSlip, AResumedRunKeepsItsModes) {
  System s = slide_with(coulomb("slide", Value(3.0)));
  push_block(s, "4*sin(3*t)");
  Results whole, first, second;
  run(s, steps_of(1e-3, 2.0, 0.5), whole);
  const auto half = run(s, steps_of(1e-3, 1.0, 0.5), first);
  DynamicOptions o = steps_of(1e-3, 2.0, 0.5);
  o.start = 0.0;
  o.restart = half.final_state;
  run(s, o, second);
  EXPECT_EQ(at_end(second, "block/position/x"), at_end(whole, "block/position/x"));
}

}  // namespace
}  // namespace femflex::mbd_solver
