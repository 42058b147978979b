// Tests spinning bodies in generalised-alpha. The factored matrix stays valid while they spin, even
// with more than one turn per step. Truth: counts, closed forms, convergence to Runge-Kutta.
#include <cmath>
#include <string>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/results.h"
#include "femflex/mbd_solver/simulate.h"

#include "benchmarks.h"
#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using testing::at;
using testing::joint;
using testing::rigid;
using testing::run;
using testing::tolerance;

constexpr double kSpin = 50.0;  // [rad/s]

DynamicOptions spin_options(double end, double step) {
  DynamicOptions options;
  options.end = end;
  options.output_step = 0.1;
  options.step = step;
  return options;
}

/// A carrier with prescribed shaking on a soft bushing, with spinning wheels on its left and right.
System spinning_wheels(int count, const Vector3d& inertia, bool wheel_first) {
  System s;
  s.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  s.bodies = {rigid("carrier", 50.0, Vector3d::Zero(), {4.0, 3.0, 5.0})};
  for (int k = 0; k < count; ++k) {
    const std::string name = "wheel" + std::to_string(k);
    Body wheel = rigid(name, 10.0, Vector3d::Zero(), inertia);
    wheel.position = {0.6 * (k / 2), k % 2 == 0 ? 0.5 : -0.5, 0.0};
    wheel.angular_velocity = kSpin * Vector3d::UnitY();
    s.bodies.push_back(wheel);
    Joint hub = joint("hub" + std::to_string(k),
                      JointType::revolute,
                      wheel_first ? name : "carrier",
                      wheel_first ? "carrier" : name);
    hub.at = wheel.position;
    hub.axis = Vector3d::UnitY();
    s.joints.push_back(hub);
  }
  Bushing bushing;
  bushing.a = "ground";
  bushing.b = "carrier";
  bushing.at = Vector3d::Zero();
  bushing.stiffness.diagonal() << 2e4, 2e4, 4e4, 2e3, 2e3, 2e3;
  bushing.damping.diagonal() << 200, 200, 300, 20, 20, 20;
  PointForce shake;
  s.bodies[0].markers["edge"] = at(0.2, 0.4, 0.0);
  shake.on = "carrier/edge";
  shake.value = {Value("100*sin(23*t)"), Value(0.0), Value("300*sin(17*t)")};
  s.forces = {{"bushing", bushing}, {"shake", shake}};
  s.outputs = {"carrier/position", "carrier/angular_velocity", "hub0/reaction"};
  return s;
}

SimulationSummary summary_of(const System& s, const DynamicOptions& options) {
  Results r;
  return run(s, options, r);
}

// Truth: the number of factorisations. Spin alone causes none, for either order of the bodies of
// the joint, and for wheels whose transverse inertias differ by a fifth.
TEST(SpinningBodies, KeepTheMatrixWhileTheySpin) {
  for (const bool wheel_first : {false, true})
    for (const int count : {1, 6})
      for (const double across : {0.25, 0.3}) {
        const SimulationSummary summary = summary_of(
            spinning_wheels(count, {0.25, 0.5, across}, wheel_first), spin_options(1.0, 1e-3));
        EXPECT_LT(summary.factorisations, summary.steps / 10)
            << count << " wheels, " << across << (wheel_first ? ", wheel first" : "");
        EXPECT_LT(summary.energy_drift, 1e-4);
      }
}

// Truth: the number of factorisations with a hub that is steered.
TEST(SpinningBodies, KeepTheMatrixWhileTheyAreSteered) {
  System s = spinning_wheels(1, {0.25, 0.5, 0.25}, false);
  s.bodies.push_back(rigid("hub", 5.0, Vector3d::Zero(), {0.1, 0.1, 0.1}));
  s.bodies.back().position = {0.0, 0.5, 0.0};
  s.joints[0].a = "hub";
  Joint kingpin = joint("kingpin", JointType::revolute, "carrier", "hub");
  kingpin.at = Vector3d(0.0, 0.5, 0.0);
  kingpin.axis = Vector3d::UnitZ();
  s.joints.push_back(kingpin);
  Motion steer;
  steer.name = "steer";
  steer.joint = "kingpin";
  steer.coordinate = Motion::Coordinate::angle;
  steer.value = Value("0.3*(1-cos(3*t))");
  s.motions = {steer};
  const SimulationSummary summary = summary_of(s, spin_options(1.0, 1e-3));
  EXPECT_LT(summary.factorisations, summary.steps / 5);
}

/// The heavy symmetric top of gyroscopes_test.cpp with another spin.
System heavy_top(double spin, double theta_rate) {
  constexpr double kTopMass = 0.8, kTopLength = 0.15, kTopAcross = 0.004, kTopAlong = 0.006,
                   kTopTilt = 0.5;
  const double a = (kTopAcross + kTopMass * kTopLength * kTopLength) * std::cos(kTopTilt),
               b = kTopAlong * spin;
  const double rate = 2.0 * kTopMass * 9.81 * kTopLength /
                      (b + std::sqrt(b * b - 4.0 * a * kTopMass * 9.81 * kTopLength));
  System s;
  s.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  Body top = rigid("top", kTopMass, {0, 0, kTopLength}, {kTopAcross, kTopAcross, kTopAlong});
  top.orientation = Eigen::AngleAxisd(kTopTilt, Vector3d::UnitY()).toRotationMatrix();
  top.angular_velocity = rate * Vector3d::UnitZ() +
                         (spin - rate * std::cos(kTopTilt)) * top.orientation.col(2) +
                         theta_rate * Vector3d::UnitY();
  top.markers["tip"] = at(0, 0, kTopLength);
  s.bodies = {top};
  s.joints = {joint("pivot", JointType::spherical, "ground", "top")};
  s.joints[0].at = Vector3d::Zero();
  s.outputs = {"top/tip/position"};
  return s;
}

// Truth: the rate W of slow precession, A cos(theta) W^2 - C w W + m g l = 0. At 1e4 rad/s the top
// makes 1.6 turns in a step of 1e-3 s.
TEST(SpinningBodies, AVeryFastTopPrecessesAtTheRateOfTheClosedForm) {
  for (const double spin : {200.0, 1e4}) {
    Results r;
    const SimulationSummary summary = run(heavy_top(spin, 0.0), spin_options(2.0, 1e-3), r);
    const double a = (0.004 + 0.8 * 0.15 * 0.15) * std::cos(0.5), b = 0.006 * spin;
    const double rate =
        2.0 * 0.8 * 9.81 * 0.15 / (b + std::sqrt(b * b - 4.0 * a * 0.8 * 9.81 * 0.15));
    const double radius = 0.15 * std::sin(0.5);
    for (Eigen::Index row = 0; row < r.rows(); ++row) {
      const double angle = rate * r.time()[static_cast<std::size_t>(row)];
      EXPECT_NEAR(r.value(row, 0), radius * std::cos(angle), 1e-6) << spin;
      EXPECT_NEAR(r.value(row, 1), radius * std::sin(angle), 1e-6) << spin;
      EXPECT_NEAR(r.value(row, 2), 0.15 * std::cos(0.5), 1e-6) << spin;
    }
    EXPECT_LT(summary.factorisations, summary.steps / 4) << spin;
  }
}

// Truth: Runge-Kutta with the tolerance 1e-11. With half the step the error is a quarter.
TEST(SpinningBodies, ConvergeWithTheOrderOfTheMethod) {
  DynamicOptions fine = spin_options(0.5, 1e-3);
  fine.integrator = Integrator::runge_kutta;
  fine.relative_tolerance = fine.absolute_tolerance = 1e-11;
  for (const bool is_top : {true, false}) {
    const System s = is_top ? heavy_top(60.0, 1.0) : spinning_wheels(2, {0.25, 0.5, 0.27}, true);
    Results truth, coarse, half;
    run(s, fine, truth);
    run(s, spin_options(0.5, 1e-3), coarse);
    run(s, spin_options(0.5, 5e-4), half);
    double error = 0.0, error_of_half = 0.0;
    for (Eigen::Index row = 0; row < truth.rows(); ++row)
      for (Eigen::Index k = 0; k < 3; ++k) {
        error = std::max(error, std::abs(coarse.value(row, k) - truth.value(row, k)));
        error_of_half = std::max(error_of_half, std::abs(half.value(row, k) - truth.value(row, k)));
      }
    EXPECT_NEAR(error / error_of_half, 4.0, 0.5) << (is_top ? "top" : "wheels");
  }
}

// Truth: the same run without interruption.
TEST(SpinningBodies, GoOnAfterAPauseBitForBit) {
  const System s = spinning_wheels(2, {0.25, 0.5, 0.25}, true);
  Results whole, first, rest;
  run(s, spin_options(0.4, 1e-3), whole);
  DynamicOptions options = spin_options(0.4, 1e-3);
  options.restart = run(s, spin_options(0.2, 1e-3), first).final_state;
  run(s, options, rest);
  for (Eigen::Index k = 0; k < static_cast<Eigen::Index>(rest.channels().size()); ++k)
    EXPECT_EQ(whole.value(whole.rows() - 1, k), rest.value(rest.rows() - 1, k))
        << rest.channels()[static_cast<std::size_t>(k)].name;
}

// Truth: theta = Omega / w sin(w t) of a rotor on a torsional spring, with up to three turns a
// step, and the same for a wheel that a gear makes turn backwards at a quarter of the rate.
TEST(SpinningBodies, CountTheirTurnsAtMoreThanHalfATurnPerStep) {
  const double inertia = 0.02, wheel = 0.032, stiffness = 1e-4;
  const double w = std::sqrt(stiffness / (inertia + wheel / 16.0));
  for (const double rate : {1000.0, 4000.0, 20000.0}) {
    System s;
    s.bodies = {rigid("rotor", 1.0, Vector3d::Zero(), {inertia, 0.01, 0.01}),
                rigid("wheel", 1.0, Vector3d::Zero(), {wheel, 0.02, 0.02})};
    s.bodies[1].position = Vector3d(0.0, 1.0, 0.0);
    s.joints = {joint("shaft", JointType::revolute, "ground", "rotor"),
                joint("axle", JointType::revolute, "ground", "wheel")};
    s.joints[0].axis = s.joints[1].axis = Vector3d::UnitX();
    s.joints[0].at = Vector3d::Zero();
    s.joints[1].at = s.bodies[1].position;
    s.joints[0].initial.angle_rate = rate;
    Joint gear;
    gear.name = "gear";
    gear.type = JointType::gear;
    gear.joint_a = "shaft";
    gear.joint_b = "axle";
    gear.ratio = 4.0;
    s.joints.push_back(gear);
    TorsionalSpring spring;
    spring.joint = "shaft";
    spring.stiffness = stiffness;
    s.forces = {{"spring", spring}};
    s.outputs = {"shaft/angle", "axle/angle", "shaft/angle_rate"};
    Results r;
    run(s, spin_options(1.0, 1e-3), r);
    for (Eigen::Index row = 0; row < r.rows(); ++row) {
      const double t = r.time()[static_cast<std::size_t>(row)];
      const double angle = rate / w * std::sin(w * t);
      EXPECT_NEAR(r.value(row, 0), angle, tolerance(1e-6) * rate) << rate << " rad/s, " << t;
      EXPECT_NEAR(r.value(row, 1), -0.25 * angle, tolerance(1e-6) * rate) << rate << ", " << t;
      EXPECT_NEAR(r.value(row, 2), rate * std::cos(w * t), tolerance(1e-6) * rate) << rate;
    }
  }
}

// Truth: the limit of stability of a mass on a circle, 0.15 rad a step for rho = 0.8. A planet
// pinned to a carrier that turns by 1 rad a step is far beyond it.
TEST(SpinningBodies, BeyondTheLimitOfStabilityTheRunEndsWithTheTurnPerStep) {
  System s;
  s.planar = true;
  s.bodies = {rigid("carrier", 1.0, Vector3d::Zero(), Vector3d::Constant(4e-5)),
              rigid("planet", 0.3, Vector3d::Zero(), Vector3d::Constant(3e-6))};
  s.bodies[1].position = Vector3d(0.1, 0.0, 0.0);
  s.joints = {joint("hub", JointType::revolute, "ground", "carrier"),
              joint("pin", JointType::revolute, "carrier", "planet")};
  s.joints[0].at = Vector3d::Zero();
  s.joints[1].at = s.bodies[1].position;
  s.joints[0].axis = s.joints[1].axis = Vector3d::UnitZ();
  s.joints[0].initial.angle_rate = 1000.0;
  s.joints[1].initial.angle_rate = -300.0;
  s.outputs = {"hub/reaction"};
  Results r;
  Diagnostics diagnostics;
  Progress none;
  const SimulationSummary done = simulate(s, spin_options(1.0, 1e-3), r, diagnostics, none);
  EXPECT_NE(done.status, RunStatus::complete);
  EXPECT_NE(done.reason.find("rad in a step of 0.001 s"), std::string::npos) << done.reason;
}

}  // namespace
}  // namespace femflex::mbd_solver
