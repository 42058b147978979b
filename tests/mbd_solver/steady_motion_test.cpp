// Tests equilibrium and linearisation of rolling systems: systems that are free along the road, and
// small motions about steady rolling, cornering and spinning. Truth: closed forms of the linear
// bicycle model and of a rotor on springs.
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "femflex/mbd_solver/linear_system.h"
#include "femflex/mbd_solver/linearise.h"
#include "femflex/mbd_solver/simulate.h"
#include "femflex/mbd_solver/statics.h"

#include "benchmarks.h"
#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector3d;
using testing::at;
using testing::joint;
using testing::rigid;
using testing::run;
using testing::tolerance;
using Complex = std::complex<double>;

// --- wheels on springs along a road --------------------------------------------------------------

constexpr double kBlockMass = 1000.0, kCornerStiffness = 1e5, kSlope = 0.1;

/// A block on four vertical tyres, on a road that rises along x.
System block_on_a_hill(double damping) {
  System s;
  s.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  Body block = rigid("block", kBlockMass, Vector3d::Zero(), {400.0, 900.0, 1200.0});
  block.position = {2.0, 1.0, 0.69};
  block.orientation = Eigen::AngleAxisd(-std::atan(kSlope), Vector3d::UnitY()).toRotationMatrix();
  for (const double x : {-1.0, 1.0})
    for (const double y : {-0.8, 0.8}) {
      const std::string name = std::string(x > 0 ? "front" : "rear") + (y > 0 ? "_left" : "_right");
      block.markers[name] = at(x, y, 0.0);
      Tyre tyre;
      tyre.on = "block/" + name;
      tyre.radius = 0.5;
      tyre.stiffness = kCornerStiffness;
      tyre.damping = damping;
      tyre.road.kind = Road::Kind::profile;
      tyre.road.profile = {{-100.0, 100.0}, {-100.0 * kSlope, 100.0 * kSlope}, {}};
      s.forces.push_back({name, tyre});
    }
  s.bodies = {block};
  return s;
}

// Truth: the weight is distributed equally on four springs. The vertical forces do not move the
// block along the road, and nothing turns it about z.
TEST(Statics, WhatNothingHoldsAlongTheRoadStaysWhereItIs) {
  Results row;
  Diagnostics diagnostics;
  const StaticSummary found =
      solve_statics(block_on_a_hill(0.0), {}, row, diagnostics, no_progress());
  ASSERT_TRUE(found.converged) << found.reason;
  EXPECT_TRUE(found.stable);
  EXPECT_EQ(found.idle_directions, 3);
  const double sink = kBlockMass * 9.81 / (4.0 * kCornerStiffness);
  EXPECT_NEAR(found.state.position(0), 2.0, tolerance(1e-9));
  EXPECT_NEAR(found.state.position(1), 1.0, tolerance(1e-9));
  EXPECT_NEAR(found.state.position(2), 0.5 + 2.0 * kSlope - sink, tolerance(1e-8));
}

// Truth: the lever rule. A load P on one corner adds 3/4 P there, 1/4 P at its neighbours and -1/4
// P at the opposite corner, for any slope.
TEST(Statics, ALoadOnOneCornerIsSharedByTheLeverRule) {
  System s = block_on_a_hill(0.0);
  constexpr double kCornerLoad = 2000.0;
  PointForce load;
  load.on = "block/front_left";
  load.value = {Value(0.0), Value(0.0), Value(-kCornerLoad)};
  s.forces.push_back({"load", load});
  s.outputs = {"front_left/value", "front_right/value", "rear_left/value", "rear_right/value"};
  Results row;
  Diagnostics diagnostics;
  const StaticSummary found = solve_statics(s, {}, row, diagnostics, no_progress());
  ASSERT_TRUE(found.converged) << found.reason;
  EXPECT_TRUE(found.stable);
  EXPECT_EQ(found.idle_directions, 3);
  const double even = 0.25 * kBlockMass * 9.81, quarter = 0.25 * kCornerLoad;
  EXPECT_NEAR(row.value(0, 0), even + 3.0 * quarter, tolerance(1e-6) * even);
  EXPECT_NEAR(row.value(0, 1), even + quarter, tolerance(1e-6) * even);
  EXPECT_NEAR(row.value(0, 2), even + quarter, tolerance(1e-6) * even);
  EXPECT_NEAR(row.value(0, 3), even - quarter, tolerance(1e-6) * even);
}

// Truth: bounce frequency sqrt(4 k / m) with damping ratio c w / 2 k, and three motions without
// force.
TEST(Linearise, WhatNothingHoldsAlongTheRoadIsFree) {
  const double w = std::sqrt(4.0 * kCornerStiffness / kBlockMass);
  for (const double damping : {0.0, 1000.0}) {
    const System s = block_on_a_hill(damping);
    Results row;
    Diagnostics diagnostics;
    const StaticSummary found = solve_statics(s, {}, row, diagnostics, no_progress());
    ASSERT_TRUE(found.converged) << found.reason;
    const Linearisation linear = linearise(s, found.state, diagnostics);
    ASSERT_EQ(linear.modes.size(), 6U);
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_EQ(linear.modes[k].is_free, k < 3) << k;
      if (k < 3) {
        EXPECT_EQ(linear.modes[k].frequency_hz, 0.0);
      }
    }
    double nearest = 1e300, ratio = 0.0;
    for (const SystemMode& mode : linear.modes)
      if (const double off = std::abs(2.0 * std::numbers::pi * mode.frequency_hz - w);
          off < nearest) {
        nearest = off;
        ratio = mode.damping_ratio;
      }
    EXPECT_LT(nearest, tolerance(1e-6) * w);
    EXPECT_NEAR(ratio, damping * w / (2.0 * kCornerStiffness), tolerance(1e-6));
  }
}

// --- the single-track model ----------------------------------------------------------------------

constexpr double kWheelRadius = 0.5, kTyreStiffness = 2e5, kLoad = 7500.0;
constexpr double kLongSlip = 8e4, kShortLag = 1e-3;  // relaxation length [m], too short to affect
                                                     // the yaw motion
constexpr double kFront = 1.2, kRear = 1.5, kFrontCorner = 6e4, kRearCorner = 9e4, kSpeed = 20.0;

/// A tyre whose forces are proportional to the slips without delay.
class StiffPatch final : public TyreCharacteristic {
 public:
  explicit StiffPatch(double corner) : corner_(corner) {}
  double unloaded_radius() const override { return kWheelRadius; }
  double normal_force(double deflection, double /*rate*/) const override {
    return kTyreStiffness * deflection;
  }
  WheelLoad load(const WheelMotion& m,
                 const PatchRule& rule,
                 double* patch,
                 double* rates) const override {
    const double per_second = std::abs(m.Vx) / kShortLag;
    const double slip[2] = {m.Vx - kWheelRadius * m.spin, m.Vy};
    for (std::size_t k = 0; k < 2; ++k) {
      patch[k] = (rule.constants[k] - rule.gain * slip[k]) / (1.0 + rule.gain * per_second);
      rates[k] = -slip[k] - per_second * patch[k];
    }
    WheelLoad out;
    out.kappa = patch[0] / kShortLag;
    out.alpha = -std::atan(patch[1] / kShortLag);
    out.fx = kLongSlip * out.kappa;
    out.fy = corner_ * patch[1] / kShortLag;
    return out;
  }

 private:
  double corner_;
};

class LevelRoad final : public RoadSurface {
 public:
  RoadPlane at(double, double, RoadHint&) const override { return {}; }
};

/// A body that moves in the plane on two wheels; the front wheel is steered.
System single_track(double steer) {
  System s;
  Body car = rigid("car", 1480.0, Vector3d::Zero(), {500.0, 2000.0, 2300.0});
  car.position.z() = kWheelRadius - kLoad / kTyreStiffness;
  car.velocity = {kSpeed, 0.0, 0.0};
  s.bodies = {car};
  s.joints = {joint("plane", JointType::planar, "ground", "car")};
  s.joints[0].at = car.position;
  s.joints[0].axis = Vector3d::UnitZ();
  for (const bool is_front : {true, false}) {
    const std::string name = is_front ? "front" : "rear";
    Body wheel = rigid(name, 10.0, Vector3d::Zero(), {0.5, 1.0, 0.5});
    wheel.position = car.position + Vector3d(is_front ? kFront : -kRear, 0.0, 0.0);
    wheel.velocity = car.velocity;
    if (is_front) wheel.orientation = testing::turn_z(steer);
    wheel.angular_velocity = kSpeed / kWheelRadius * wheel.orientation.col(1);
    s.bodies.push_back(wheel);
    Joint hub = joint("hub_" + name, JointType::revolute, "car", name);
    hub.at = wheel.position;
    hub.axis = wheel.orientation.col(1);
    s.joints.push_back(hub);
    RollingTyre tyre;
    tyre.on = name;
    tyre.tyre = std::make_shared<StiffPatch>(is_front ? kFrontCorner : kRearCorner);
    tyre.road = std::make_shared<LevelRoad>();
    s.forces.push_back({"tyre_" + name, tyre});
  }
  s.outputs = {"car/velocity", "car/angular_velocity/z"};
  return s;
}

/// The linear bicycle model: matrices of the rates of lateral velocity and yaw rate.
struct Bicycle {
  Matrix2d A;
  Eigen::Vector2d B;
  Bicycle() {
    const double mass = 1500.0, front = kFrontCorner, rear = kRearCorner;
    const double inertia = 2300.0 + 2.0 * 0.5 + 10.0 * (kFront * kFront + kRear * kRear);
    // the wheels shift the mass centre slightly; both have the same mass
    const double shift = 10.0 * (kFront - kRear) / mass;
    const double a = kFront - shift, b = kRear + shift;
    const double turn = inertia - mass * shift * shift, moment = a * front - b * rear;
    A << -(front + rear) / (mass * kSpeed), -moment / (mass * kSpeed) - kSpeed,
        -moment / (turn * kSpeed), -(a * a * front + b * b * rear) / (turn * kSpeed);
    B << front / mass, a * front / turn;
  }
  Complex pole() const { return Eigen::EigenSolver<Matrix2d>(A).eigenvalues()(0); }
};

Complex nearest_to(const Complex& wanted, const Linearisation& linear) {
  Complex best(1e300, 0.0);
  for (const SystemMode& mode : linear.modes)
    if (std::abs(mode.eigenvalue - wanted) < std::abs(best - wanted)) best = mode.eigenvalue;
  return best;
}

Complex upper(const Complex& pole) {
  return {pole.real(), std::abs(pole.imag())};
}

// Truth: the poles of the linear bicycle model.
TEST(Linearise, AboutSteadyRollingHasTheYawPolesOfTheBicycleModel) {
  const System s = single_track(0.0);
  AssemblyReport report;
  Diagnostics diagnostics;
  const State state = assemble(s, report, diagnostics);
  const Linearisation linear = linearise(s, state, diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.warnings().front().message;
  const Complex pole = upper(Bicycle().pole());
  ASSERT_GT(pole.imag(), 1.0);
  const Complex found = nearest_to(pole, linear);
  EXPECT_LT(std::abs(found - pole), tolerance(1e-3) * std::abs(pole)) << found << " " << pole;
}

/// The force along the car that keeps its speed constant.
PointForce thrust() {
  PointForce force;
  force.on = "car";
  force.in_body_frame = true;
  force.value = {
      Value("5e4*(20-sqrt([car/velocity/x]^2+[car/velocity/y]^2))"), Value(0.0), Value(0.0)};
  return force;
}

// Truth: at small slip angles cornering does not change the poles, and the yaw rate is that of the
// bicycle model: U delta / (l + K U^2). The motion is steady because the wheel axes move with the
// body.
TEST(Linearise, AboutSteadyCorneringHasThePolesOfTheBicycleModel) {
  constexpr double kSteer = 0.01;
  System s = single_track(kSteer);
  s.forces.push_back({"thrust", thrust()});
  DynamicOptions options;
  options.end = 4.0;
  options.step = 2e-3;
  options.output_step = 0.1;
  Results r;
  const SimulationSummary summary = run(s, options, r);
  EXPECT_LT(summary.energy_drift, 1e-4);
  const Bicycle model;
  const double yaw_rate = -model.A.inverse().row(1).dot(model.B) * kSteer;
  const double found_rate = r.series("car/angular_velocity/z")(r.rows() - 1);
  EXPECT_NEAR(found_rate, yaw_rate, tolerance(3e-3) * yaw_rate);
  Diagnostics diagnostics;
  const Linearisation linear = linearise(s, summary.final_state, diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << diagnostics.warnings().front().message;
  const Complex pole = upper(model.pole()), found = nearest_to(pole, linear);
  EXPECT_LT(std::abs(found - pole), tolerance(5e-3) * std::abs(pole)) << found << " " << pole;
}

// Truth: the bicycle model's yaw rate under a yaw moment, at 0.1 to 3 Hz.
TEST(LinearSystem, AboutSteadyRollingHasTheYawResponseOfTheBicycleModel) {
  System s = single_track(0.0);
  Block moment;
  moment.name = "moment";
  moment.inputs = {Value(0.0)};
  moment.law = gain();
  s.blocks = {moment};
  PointTorque turn_it;
  turn_it.on = "car";
  turn_it.value = {Value(0.0), Value(0.0), Value("[moment]")};
  s.forces.push_back({"turn", turn_it});
  AssemblyReport report;
  Diagnostics diagnostics;
  const State state = assemble(s, report, diagnostics);
  const LinearSystem linear = linear_system(s, state, {"moment"}, diagnostics);
  const Bicycle model;
  const double shift = 10.0 * (kFront - kRear) / 1500.0;
  const double turn =
      2300.0 + 1.0 + 10.0 * (kFront * kFront + kRear * kRear) - 1500.0 * shift * shift;
  Eigen::Index row = -1;
  for (std::size_t k = 0; k < linear.outputs.size(); ++k)
    if (linear.outputs[k].name == "car/angular_velocity/z") row = static_cast<Eigen::Index>(k);
  ASSERT_GE(row, 0);
  for (const double hz : {0.1, 0.5, 1.0, 3.0}) {
    const Complex p(0.0, 2.0 * std::numbers::pi * hz);
    const Eigen::MatrixXcd lag =
        p * Eigen::MatrixXcd::Identity(linear.A.rows(), linear.A.rows()) - linear.A.cast<Complex>();
    const Complex found = (linear.C.row(row).cast<Complex>() *
                           lag.partialPivLu().solve(linear.B.cast<Complex>()))(0) +
                          linear.D(row, 0);
    const Eigen::Matrix2cd small = p * Eigen::Matrix2cd::Identity() - model.A.cast<Complex>();
    const Complex expected = small.inverse()(1, 1) / turn;
    EXPECT_LT(std::abs(found - expected), tolerance(1e-3) * std::abs(expected)) << hz;
  }
}

// --- a rotor on springs --------------------------------------------------------------------------

constexpr double kAlong = 2.0, kAcross = 1.2, kCarrier = 0.8, kTurn = 5e4, kRate = 120.0;

/// A rotor in the middle of a carrier that tilts on springs.
System rotor_on_springs(JointType hub, bool wheel_first) {
  System s;
  Body carrier = rigid("carrier", 5.0, Vector3d::Zero(), {kCarrier, 1.0, kCarrier});
  Body rotor = rigid("rotor", 10.0, Vector3d::Zero(), {kAcross, kAlong, kAcross});
  rotor.orientation = Eigen::AngleAxisd(0.7, Vector3d::UnitY()).toRotationMatrix();
  rotor.angular_velocity = {0.0, kRate, 0.0};
  s.bodies = {carrier, rotor};
  s.joints = {
      joint("hub", hub, wheel_first ? "rotor" : "carrier", wheel_first ? "carrier" : "rotor"),
      joint("pivot", JointType::spherical, "ground", "carrier")};
  s.joints[0].at = s.joints[1].at = Vector3d::Zero();
  s.joints[0].axis = Vector3d::UnitY();
  s.joints[0].pitch = 1e-6;  // of a screw: the rotor then stays in the middle
  Bushing springs;
  springs.a = "ground";
  springs.b = "carrier";
  springs.at = Vector3d::Zero();
  springs.stiffness.diagonal() << 0.0, 0.0, 0.0, kTurn, kTurn, kTurn;
  s.forces = {{"springs", springs}};
  return s;
}

// Truth: I_t s^2 +- i I_p W s + k = 0 for a rotor whose carrier tilts on springs. With the
// carrier's turn about the rotor's axis and the rotor's own, which nothing resists, these are four
// motions.
void expect_gyroscopic_pair(JointType hub, bool wheel_first) {
  const System s = rotor_on_springs(hub, wheel_first);
  AssemblyReport report;
  Diagnostics diagnostics;
  const Linearisation linear = linearise(s, assemble(s, report, diagnostics), diagnostics);
  ASSERT_EQ(linear.modes.size(), 4U) << wheel_first;
  EXPECT_TRUE(linear.modes[0].is_free) << wheel_first;
  EXPECT_EQ(linear.modes[0].frequency_hz, 0.0) << wheel_first;
  const double about = std::sqrt(kTurn / 1.0);  // the carrier alone has inertia about the hub
  EXPECT_NEAR(nearest_to({0.0, about}, linear).imag(), about, tolerance(1e-6) * about);
  const double across = kAcross + kCarrier, half = kAlong * kRate / (2.0 * across);
  const double root = std::sqrt(half * half + kTurn / across);
  for (const double w : {root + half, root - half}) {
    const Complex found = nearest_to({0.0, w}, linear);
    EXPECT_NEAR(found.imag(), w, tolerance(1e-6) * w) << wheel_first;
    EXPECT_NEAR(found.real(), 0.0, tolerance(1e-6) * w) << wheel_first;
  }
}

TEST(Linearise, ARotorOnSpringsHasTheRootsOfItsGyroscopicPair) {
  for (const bool wheel_first : {false, true})
    expect_gyroscopic_pair(JointType::revolute, wheel_first);
}

TEST(Linearise, ARotorOnAScrewHasTheRootsOfOneOnAnAxle) {
  for (const bool wheel_first : {false, true})
    expect_gyroscopic_pair(JointType::screw, wheel_first);
}

}  // namespace
}  // namespace femflex::mbd_solver
