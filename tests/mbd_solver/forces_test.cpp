// Tests force elements and coupling joints. Truth: closed forms, stated at each test.
#include <cmath>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "benchmarks.h"
#include "flex_bodies.h"
#include "mechanisms.h"
#include "spatial/compiler.h"
#include "spatial/equations.h"
#include "spatial/model.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using testing::at;
using testing::joint;
using testing::point;
using testing::rigid;
using testing::run;
using testing::tolerance;

constexpr double kGravity = 9.81;

DynamicOptions accurate(double end, double output_step) {
  DynamicOptions o;
  o.end = end;
  o.output_step = output_step;
  o.integrator = Integrator::runge_kutta;
  o.step = 1e-4;
  o.relative_tolerance = 1e-10;
  o.absolute_tolerance = 1e-11;
  return o;
}

System under_gravity() {
  System s;
  s.gravity = {Value(0.0), Value(0.0), Value(-kGravity)};
  return s;
}

/// Adds a wheel at (x, 0, 0) that rotates about z relative to the ground.
void add_wheel(System& s, const std::string& name, double inertia, double x) {
  Body body = rigid(name, 1.0, Vector3d::Zero(), Vector3d::Constant(inertia));
  body.position = {x, 0, 0};
  s.bodies.push_back(body);
  s.joints.push_back(joint("hub_" + name, JointType::revolute, "ground", name));
  s.joints.back().at = body.position;
  s.joints.back().axis = Vector3d::UnitZ();
}

// Truth: energy. A ball falls by h onto a linear contact: k d^2 / 2 = m g (h + d).
TEST(Contact, ABallSinksAsDeepAsItsEnergyDrivesItAndComesBackUp) {
  const double m = 2.0, h = 0.5, k = 2e4;
  System s = under_gravity();
  s.bodies = {point("ball", m, {0, 0, h})};
  Contact floor;
  floor.on = "ball";
  floor.stiffness = k;
  s.forces = {{"floor", floor}};
  s.outputs = {"ball/position/z", "floor/value"};
  Results r;
  DynamicOptions o = accurate(2.0 * std::sqrt(2.0 * h / kGravity) + 0.1, 1e-4);
  o.max_step = 2e-3;  // no step is longer than the contact
  const auto summary = run(s, o, r);
  const double depth = m * kGravity / k + std::sqrt(m * kGravity / k * (m * kGravity / k) +
                                                    2.0 * m * kGravity * h / k);
  EXPECT_NEAR(-r.series("ball/position/z").minCoeff(), depth, tolerance(1e-5));
  EXPECT_NEAR(r.series("ball/position/z").tail(2000).maxCoeff(), h, tolerance(1e-5));
  EXPECT_GE(r.series("floor/value").minCoeff(), 0.0);  // the contact never pulls
  EXPECT_LT(summary.energy_drift, tolerance(1e-7));
}

// Truth: energy. A wheel starts upwards from its static deflection m g / k and is a free body as
// soon as the tyre has no load.
TEST(Tyre, LiftsOffAndFliesAsAFreeBody) {
  const double m = 50.0, k = 2e5, radius = 0.4, v0 = 2.0;
  System s = under_gravity();
  s.bodies = {point("wheel", m, {0, 0, radius - m * kGravity / k}, {0, 0, v0})};
  Tyre tyre;
  tyre.on = "wheel";
  tyre.radius = radius;
  tyre.stiffness = k;
  s.forces = {{"tyre", tyre}};
  s.outputs = {"wheel/position/z", "tyre/value"};
  Results r;
  DynamicOptions o = accurate(0.4, 1e-4);
  o.max_step = 2e-3;
  run(s, o, r);
  const double sink = m * kGravity / k;
  // 1/2 m v0^2 + 1/2 k sink^2 = m g (rise of the centre above the start)
  const double rise = (0.5 * m * v0 * v0 + 0.5 * k * sink * sink) / (m * kGravity);
  EXPECT_NEAR(r.series("wheel/position/z").maxCoeff(), radius - sink + rise, tolerance(1e-6));
  EXPECT_EQ(r.series("tyre/value").minCoeff(), 0.0);
}

// Truth: a mass that hits a stop at speed v penetrates by v sqrt(m / k) and leaves with -v.
TEST(BumpStop, ActsBeyondItsGapAlone) {
  const double m = 3.0, k = 1e4, v = 0.5;
  System s;
  s.bodies = {point("slug", m, {1.0, 0, 0}, {v, 0, 0})};
  BumpStop stop;
  stop.a = "ground";
  stop.b = "slug";
  stop.min = 0.5;
  stop.max = 1.2;
  stop.stiffness = k;
  s.forces = {{"stop", stop}};
  s.outputs = {"slug/position/x", "slug/velocity/x"};
  Results r;
  DynamicOptions o = accurate(1.0, 1e-4);
  o.max_step = 2e-3;
  run(s, o, r);
  EXPECT_NEAR(r.at(0.39, "slug/velocity/x"), v, tolerance(1e-12));
  EXPECT_NEAR(r.series("slug/position/x").maxCoeff(), 1.2 + v * std::sqrt(m / k), tolerance(1e-6));
  EXPECT_NEAR(r.at(1.0, "slug/velocity/x"), -v, tolerance(1e-7));
}

// Truth: free fall after the spring has broken. The continued run has the same steps as the run
// without interruption. An older form of state, with the event among the joint angles, is refused.
TEST(SpringDamper, StaysBrokenInARunThatGoesOn) {
  System s;
  s.bodies = {point("m", 1.0, {0.0, 0.0, -1.0})};
  s.gravity = {Value(0.0), Value(0.0), Value(-kGravity)};
  SpringDamper law;
  law.a = "ground";
  law.b = "m";
  law.stiffness = 100.0;
  law.break_elongation = 0.05;
  s.forces = {{"spring", law}};
  s.outputs = {"m/position/z", "m/velocity/z", "spring/value"};
  DynamicOptions o;
  o.end = 0.2;
  o.step = 1e-3;
  Results first, second, whole;
  const SimulationSummary cut = run(s, o, first);
  ASSERT_EQ(cut.final_state.events.size(), 1);
  EXPECT_EQ(cut.final_state.events(0), 1.0);
  EXPECT_EQ(cut.final_state.joint_angles.size(), 0);
  o.end = 0.4;
  run(s, o, whole);
  o.restart = cut.final_state;
  run(s, o, second);
  EXPECT_EQ(second.at(0.4, "m/position/z"), whole.at(0.4, "m/position/z"));
  EXPECT_NEAR(second.at(0.4, "m/velocity/z"),
              cut.final_state.velocity(2) - 0.2 * kGravity,
              tolerance(1e-12));
  EXPECT_EQ(second.at(0.4, "spring/value"), 0.0);
  o.restart->joint_angles = o.restart->events;
  o.restart->events.resize(0);
  EXPECT_EQ(testing::code_of([&] { run(s, o, second); }), "restart-events");
}

// Truth: central differences of the force; their error is h^2 / 6 times the third derivative.
TEST(SpringDamper, HasTheSlopesOfItsQuarticForce) {
  System s;
  s.bodies = {point("a", 1.0, {0.1, -0.2, 0.3}), point("b", 1.0, {1.0, 0.0, 0.0})};
  SpringDamper law;
  law.a = "a";
  law.b = "b";
  law.length = 1.3;
  law.stiffness = 20.0;
  law.quartic = 35.0;
  law.damping = 4.0;
  s.forces = {{"spring", law}};
  Diagnostics diagnostics;
  const Model model = compile(s, diagnostics);
  const Workspace ws(model);
  const auto& spring = std::get<SpringLaw>(model.forces.at(0).law);
  MarkerKinematics a = ws.markers.at(static_cast<std::size_t>(spring.a));
  MarkerKinematics b = ws.markers.at(static_cast<std::size_t>(spring.b));
  a.p = {0.1, -0.2, 0.3};
  a.v = {0.5, 0.1, -0.4};
  b.v = {-0.2, 0.7, 0.3};
  for (const double length : {0.9, 1.3, 2.1}) {
    b.p = a.p + length * Vector3d(2.0, -1.0, 2.0) / 3.0;
    Eigen::Matrix3d stiffness;
    Eigen::Matrix3d damping;
    ASSERT_TRUE(spring.slopes(ws, a, b, stiffness, damping));
    const double h = 1e-5;
    for (Eigen::Index axis = 0; axis < 3; ++axis) {
      const auto slope = [&](Vector3d MarkerKinematics::*of) {
        MarkerKinematics low = b;
        MarkerKinematics high = b;
        (low.*of)(axis) -= h;
        (high.*of)(axis) += h;
        return Vector3d(
            (spring.load(model, ws, a, low).force_b - spring.load(model, ws, a, high).force_b) /
            (2.0 * h));
      };
      EXPECT_LT((slope(&MarkerKinematics::p) - stiffness.col(axis)).norm(), tolerance(1e-6));
      EXPECT_LT((slope(&MarkerKinematics::v) - damping.col(axis)).norm(), tolerance(1e-6));
    }
  }
}

// Truth: J angle'' = -k angle - c angle'.
TEST(TorsionalSpring, SwingsWithTheDampedFrequency) {
  const double J = 0.2, k = 30.0, c = 0.4, a0 = 1.5;
  System s;
  add_wheel(s, "wheel", J, 0.0);
  TorsionalSpring spring;
  spring.joint = "hub_wheel";
  spring.stiffness = k;
  spring.damping = c;
  spring.free_angle = a0;
  s.forces = {{"spring", spring}};
  s.outputs = {"hub_wheel/angle"};
  Results r;
  run(s, accurate(1.0, 0.1), r);
  const double decay = c / (2.0 * J), w = std::sqrt(k / J - decay * decay);
  for (const double t : {0.1, 0.5, 1.0})
    EXPECT_NEAR(r.at(t, "hub_wheel/angle"),
                a0 - a0 * std::exp(-decay * t) * (std::cos(w * t) + decay / w * std::sin(w * t)),
                tolerance(1e-8));
}

// Truth: two wheels with angle_a + n angle_b = 0 rotate like one wheel with the inertia J_a + J_b /
// n^2.
TEST(Gear, TwoWheelsTurnAsOne) {
  const double Ja = 0.3, Jb = 0.7, n = -2.5, torque = 4.0;
  for (const Integrator integrator : testing::methods()) {
    System s;
    add_wheel(s, "a", Ja, 0.0);
    add_wheel(s, "b", Jb, 1.0);
    Joint gear;
    gear.name = "gear";
    gear.type = JointType::gear;
    gear.joint_a = "hub_a";
    gear.joint_b = "hub_b";
    gear.ratio = n;
    s.joints.push_back(gear);
    PointTorque drive;
    drive.on = "a";
    drive.value = {Value(0.0), Value(0.0), Value(torque)};
    s.forces = {{"drive", drive}};
    s.outputs = {"hub_a/angle", "hub_b/angle"};
    Results r;
    DynamicOptions o = accurate(2.0, 0.5);
    o.integrator = integrator;
    o.newton_tolerance = 1e-9;
    o.step = 1e-3;
    run(s, o, r);
    const double angle = 0.5 * torque / (Ja + Jb / (n * n)) * 4.0;  // several turns
    EXPECT_GT(angle, 2.0 * M_PI);
    EXPECT_NEAR(r.at(2.0, "hub_a/angle"), angle, tolerance(1e-7) * angle);
    EXPECT_NEAR(r.at(2.0, "hub_b/angle"), -angle / n, tolerance(1e-7) * angle);
  }
}

// Truth: a nut pushed along its screw has the effective mass m + J (2 pi / pitch)^2.
TEST(Screw, AForceAlongItTurnsIt) {
  const double m = 2.0, J = 0.01, pitch = 0.05, force = 8.0;
  System s;
  s.bodies = {rigid("nut", m, Vector3d::Zero(), Vector3d::Constant(J))};
  s.joints = {joint("screw", JointType::screw, "ground", "nut")};
  s.joints[0].axis = Vector3d::UnitX();
  s.joints[0].pitch = pitch;
  PointForce push;
  push.on = "nut";
  push.value = {Value(force), Value(0.0), Value(0.0)};
  s.forces = {{"push", push}};
  s.outputs = {"screw/displacement", "screw/angle"};
  Results r;
  run(s, accurate(1.0, 0.01), r);
  const double lead = pitch / (2.0 * M_PI);
  const double step = 0.5 * force / (m + J / (lead * lead));
  EXPECT_NEAR(r.at(1.0, "screw/displacement"), step, tolerance(1e-8));
  EXPECT_NEAR(r.at(1.0, "screw/angle"), step / lead, tolerance(1e-7));
}

// Truth: x = F/k (1 - cos w (t - t0)) of an oscillator whose load begins at t0, within a step of
// generalised-alpha. Half the step leaves a quarter of the error, also where the formula that jumps
// contains the spring.
TEST(PointForce, ALoadThatJumpsWithinAStepKeepsTheOrderOfGeneralisedAlpha) {
  constexpr double kBegin = 0.1005, kEnd = 1.0, kOmega = 10.0;  // F/k = 1 m
  const double exact = 1.0 - std::cos(kOmega * (kEnd - kBegin));
  for (const char* load : {"if(t < 0.1005, 0, 100) - 100*[block/position/x]",
                           "100*step(t, 0.1005) - 100*[block/position/x]",
                           "if(t < 0.1005, 0, 100 - 100*[block/position/x])"}) {
    System s;
    s.bodies = {rigid("block", 1.0, Vector3d::Zero(), Vector3d::Ones())};
    PointForce push;
    push.on = "block";
    push.value[0] = Value(load);
    s.forces = {{"push", push}};
    s.outputs = {"block/position/x"};
    const auto error = [&](double step) {
      DynamicOptions o;
      o.end = kEnd;
      o.output_step = 0.1;
      o.step = step;
      Results r;
      run(s, o, r);
      return std::abs(r.series("block/position/x")(r.rows() - 1) - exact);
    };
    const double coarse = error(0.01);
    EXPECT_LT(coarse, 0.01) << load;
    EXPECT_NEAR(coarse / error(0.005), 4.0, 0.4) << load;
  }
}

// Truth: a suddenly applied load doubles the static displacement of an undamped mode.
TEST(ModalForce, SwitchedOnItDoublesTheStaticAnswer) {
  Eigen::MatrixXd shape(2, 1);
  shape << 0.5, 1.0;
  System s;
  Flexible flexible;
  flexible.body = std::make_shared<FlexBody>(testing::double_mass_spring(shape));
  flexible.damping.kind = Damping::Kind::none;
  Body body;
  body.name = "dms";
  body.kind = flexible;
  s.bodies = {body};
  s.joints = {joint("hold", JointType::fixed, "ground", "dms")};
  ModalForce push;
  push.body = "dms";
  push.load = Eigen::VectorXd::Constant(1, 3.0);
  push.value = Value(2.0);
  s.forces = {{"push", push}};
  s.outputs = {"dms/zeta"};
  const FlexBody& b = *flexible.body;
  const double period = 2.0 * M_PI * std::sqrt(b.mass(0, 0) / b.stiffness(0, 0));
  Results r;
  run(s, accurate(period, period / 2.0), r);
  EXPECT_NEAR(r.value(1, 0), 2.0 * 6.0 / b.stiffness(0, 0), tolerance(1e-7) * r.value(1, 0));
}

}  // namespace
}  // namespace femflex::mbd_solver
