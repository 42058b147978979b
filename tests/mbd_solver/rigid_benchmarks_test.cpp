// Published mechanisms of rigid bodies. Truth: the files of the shared benchmarks, whose values are
// exact or far better than their tolerances.
#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "femflex/mbd_solver/linearise.h"
#include "femflex/mbd_solver/statics.h"

#include "benchmarks.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using testing::expect_entry;
using testing::expect_series;
using testing::expected_of;
using testing::run;

#define NEEDS_SHARED(expected) \
  if ((expected).empty()) GTEST_SKIP() << "the shared benchmarks are not here"

Eigen::Matrix3d turn_z(double angle) {
  return Eigen::AngleAxisd(angle, Vector3d::UnitZ()).toRotationMatrix();
}

Marker at(double x, double y, double z = 0.0) {
  return {Vector3d(x, y, z), Eigen::Matrix3d::Identity(), {}};
}

Body rigid(const std::string& name, double mass, const Vector3d& com, const Vector3d& inertia) {
  Body body;
  body.name = name;
  body.kind = RigidInertia{mass, com, inertia.asDiagonal()};
  return body;
}

Body point(const std::string& name,
           double mass,
           const Vector3d& position,
           const Vector3d& velocity = Vector3d::Zero()) {
  Body body;
  body.name = name;
  body.kind = PointMass{mass};
  body.position = position;
  body.velocity = velocity;
  return body;
}

Joint joint(const std::string& name, JointType type, const std::string& a, const std::string& b) {
  Joint j;
  j.name = name;
  j.type = type;
  j.a = a;
  j.b = b;
  return j;
}

DynamicOptions accurate(double end, double output_step) {
  DynamicOptions options;
  options.end = end;
  options.output_step = output_step;
  options.integrator = Integrator::runge_kutta;
  options.relative_tolerance = 1e-10;
  options.absolute_tolerance = 1e-11;
  return options;
}

DynamicOptions alpha(double end, double output_step, double step) {
  DynamicOptions options;
  options.end = end;
  options.output_step = output_step;
  options.step = step;
  return options;
}

System planar_under_gravity() {
  System system;
  system.planar = true;
  system.gravity = {Value(0.0), Value(-9.81), Value(0.0)};
  return system;
}

System simple_pendulum() {
  System system = planar_under_gravity();
  system.bodies.push_back(point("m", 1.0, {-1.0, 0.0, 0.0}));
  Joint rod = joint("rod", JointType::distance, "ground", "m");
  rod.length = 1.0;
  system.joints.push_back(rod);
  return system;
}

std::function<double(double)> channel(const Results& results, const std::string& name) {
  return [&results, name](double t) { return results.at(t, name); };
}

TEST(SimplePendulum, KeepsItsPathPeriodTensionAndEnergy) {
  const auto expected = expected_of("A01_simple_pendulum");
  NEEDS_SHARED(expected);
  Results r;
  const auto summary = run(simple_pendulum(), accurate(10.0, 0.001), r);
  EXPECT_EQ(expect_series(expected,
                          {{"x", channel(r, "m/position/x")},
                           {"y", channel(r, "m/position/y")},
                           {"vx", channel(r, "m/velocity/x")},
                           {"vy", channel(r, "m/velocity/y")}},
                          10.0),
            28);
  const Eigen::VectorXd fx = r.series("rod/reaction/x"), fy = r.series("rod/reaction/y"),
                        e = r.series("energy/total");
  expect_entry(
      expected, "max_rod_tension", (fx.cwiseAbs2() + fy.cwiseAbs2()).cwiseSqrt().maxCoeff());
  expect_entry(expected, "max_energy_error_J_over_10s", (e.array() - e(0)).abs().maxCoeff());
  expect_entry(expected, "max_constraint_violation_m", summary.constraint_violation);
  const Eigen::VectorXd vy = r.series("m/velocity/y");
  for (Eigen::Index k = 2000; k < 2600; ++k)  // back at the start: vy falls through zero
    if (vy(k) > 0.0 && vy(k + 1) <= 0.0)
      expect_entry(
          expected, "period", 1e-3 * (static_cast<double>(k) + vy(k) / (vy(k) - vy(k + 1))));
}

TEST(SimplePendulum, KeepsItsPhaseOver845Periods) {
  const auto expected = expected_of("A01_simple_pendulum");
  NEEDS_SHARED(expected);
  DynamicOptions options = accurate(2000.0, 2000.0);
  options.relative_tolerance = 1e-11;
  Results r;
  run(simple_pendulum(), options, r);
  expect_entry(expected, "x@t=2000 (long run, started at x=-1)", r.at(2000.0, "m/position/x"));
  expect_entry(expected, "y@t=2000 (long run)", r.at(2000.0, "m/position/y"));
}

System four_bars(int n) {
  System system = planar_under_gravity();
  const double inertia = 1.0 / 12.0;
  for (int i = 0; i <= n; ++i) {
    Body link = rigid("v" + std::to_string(i), 1.0, {0.5, 0, 0}, {inertia, inertia, inertia});
    link.position = {static_cast<double>(i), 0, 0};
    link.orientation = turn_z(M_PI / 2);
    link.angular_velocity = {0, 0, -1};
    link.markers["tip"] = at(1, 0);
    system.bodies.push_back(link);
    system.joints.push_back(
        joint("g" + std::to_string(i), JointType::revolute, "ground", link.name));
    system.joints.back().at = link.position;
  }
  for (int i = 0; i < n; ++i) {
    Body bar = rigid("h" + std::to_string(i), 1.0, {0.5, 0, 0}, {inertia, inertia, inertia});
    bar.position = {static_cast<double>(i), 1, 0};
    bar.velocity = {1, 0, 0};
    system.bodies.push_back(bar);
    for (const int side : {0, 1}) {
      system.joints.push_back(joint("p" + std::to_string(2 * i + side),
                                    JointType::revolute,
                                    "v" + std::to_string(i + side),
                                    bar.name));
      system.joints.back().at = Vector3d(i + side, 1, 0);
    }
  }
  system.outputs = {"v0/tip/position", "v0/tip/velocity", "energy"};
  return system;
}

void check_four_bars(const std::string& name,
                     int n,
                     const DynamicOptions& options,
                     double energy_scale) {
  const auto expected = expected_of(name);
  NEEDS_SHARED(expected);
  Results r;
  run(four_bars(n), options, r);
  EXPECT_GE(expect_series(expected,
                          {{"B0_x", channel(r, "v0/tip/position/x")},
                           {"B0_y", channel(r, "v0/tip/position/y")},
                           {"B0_vx", channel(r, "v0/tip/velocity/x")},
                           {"B0_vy", channel(r, "v0/tip/velocity/y")}}),
            32);
  const Eigen::VectorXd e = r.series("energy/total");
  EXPECT_LT((e.array() - e(0)).abs().maxCoeff() / energy_scale,
            expected.entries.at("max_energy_error_relative").tolerance);
}

TEST(FourBars, TwoLoopsPassTheirSingularPositions) {
  check_four_bars("A02_n_four_bar_N2", 2, alpha(10.0, 0.5, 5e-4), 40.0);
}

System squeezer() {
  System system;
  system.planar = true;
  const double beta = -0.06171389001427645, gamma = 0.45527981916307037, Phi = 0.22266839016588588,
               delta = 0.48736497954384256, epsilon = 1.2305474445498212;
  const auto body = [&](const char* name,
                        double mass,
                        double inertia,
                        double angle,
                        const Vector3d& origin,
                        double cx,
                        double cy) {
    Body b = rigid(name, mass, {cx, cy, 0}, {inertia, inertia, inertia});
    b.position = origin;
    b.orientation = turn_z(angle);
    system.bodies.push_back(b);
    return &system.bodies.back();
  };
  system.bodies.reserve(8);
  const Vector3d A(-0.06934, -0.00227, 0), B(-0.03635, 0.03273, 0), O(0, 0, 0);
  Body* k1 = body("k1", 0.04325, 2.194e-6, beta, O, 0.00092, 0);
  k1->markers["F"] = at(0.007, 0);
  const Vector3d F = k1->orientation * Vector3d(0.007, 0, 0);
  body("k2", 0.00365, 4.41e-7, beta, F, -0.0115, 0)->markers["E"] = at(-0.028, 0);
  Body* k3 = body("k3", 0.02373, 5.255e-6, gamma, B, 0.01043, -0.01874);
  k3->markers["E"] = at(0, -0.035);
  k3->markers["D"] = at(0.02, -0.018);
  Body* k5 = body("k5", 0.0705, 1.169e-5, delta, A, 0.02308, 0.00916);
  k5->markers["G"] = at(0.04, 0);
  const Vector3d G = A + k5->orientation * Vector3d(0.04, 0, 0);
  body("k4", 0.00706, 5.667e-7, Phi + delta, G, 0, -(0.02 - 0.01421))->markers["E"] = at(0, -0.02);
  Body* k7 = body("k7", 0.05498, 1.912e-5, epsilon, A, -0.00449, -0.01228);
  k7->markers["H"] = at(0, -0.04);
  const Vector3d H = A + k7->orientation * Vector3d(0, -0.04, 0);
  body("k6", 0.00706, 5.667e-7, -Phi + epsilon, H, 0.02 - 0.01421, 0)->markers["E"] = at(0.02, 0);
  for (Body& b : system.bodies)
    b.markers["o"] = at(0, 0);
  system.ground_markers["O"] = at(0, 0);
  system.ground_markers["A"] = {A, Eigen::Matrix3d::Identity(), {}};
  system.ground_markers["B"] = {B, Eigen::Matrix3d::Identity(), {}};
  system.ground_markers["C"] = at(0.014, 0.072);
  const char* pins[10][3] = {{"beta", "ground/O", "k1/o"},
                             {"Theta", "k1/F", "k2/o"},
                             {"gamma", "ground/B", "k3/o"},
                             {"Phi", "k5/G", "k4/o"},
                             {"delta", "ground/A", "k5/o"},
                             {"Omega", "k7/H", "k6/o"},
                             {"epsilon", "ground/A", "k7/o"},
                             {"e2", "k3/E", "k2/E"},
                             {"e4", "k3/E", "k4/E"},
                             {"e6", "k3/E", "k6/E"}};
  for (const auto& pin : pins)
    system.joints.push_back(joint(pin[0], JointType::revolute, pin[1], pin[2]));
  SpringDamper spring;
  spring.a = "ground/C";
  spring.b = "k3/D";
  spring.stiffness = 4530.0;
  spring.length = 0.07785;
  system.forces.push_back({"spring", spring});
  PointTorque drive;
  drive.on = "k1";
  drive.value = {Value(0.0), Value(0.0), Value(0.033)};
  system.forces.push_back({"drive", drive});
  for (const char* name : {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"}) {
    system.outputs.push_back(std::string(name) + "/angle");
    system.outputs.push_back(std::string(name) + "/angle_rate");
  }
  for (const char* name : {"k1", "k2", "k3", "k4", "k5", "k6", "k7"})
    system.outputs.push_back(std::string(name) + "/angular_acceleration/z");
  system.outputs.insert(system.outputs.end(), {"k1/F/position", "energy"});
  return system;
}

void check_squeezer(const DynamicOptions& options, bool rates) {
  const auto expected = expected_of("A03_andrews_squeezer");
  NEEDS_SHARED(expected);
  Results r;
  run(squeezer(), options, r);
  std::map<std::string, std::function<double(double)>> q;
  for (const std::string name : {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"}) {
    q[name] = channel(r, name + "/angle");
    if (rates) q[name + "_dot"] = channel(r, name + "/angle_rate");
  }
  q["F_x"] = channel(r, "k1/F/position/x");
  q["F_y"] = channel(r, "k1/F/position/y");
  if (rates) {
    const auto spin = [&](const std::string& one, const std::string& less) {
      return [&r, one, less](double t) {
        return r.at(t, one + "/angular_acceleration/z") -
               (less.empty() ? 0.0 : r.at(t, less + "/angular_acceleration/z"));
      };
    };
    q["beta_ddot"] = spin("k1", "");
    q["Theta_ddot"] = spin("k2", "k1");
    q["gamma_ddot"] = spin("k3", "");
    q["Phi_ddot"] = spin("k4", "k5");
    q["delta_ddot"] = spin("k5", "");
    q["Omega_ddot"] = spin("k6", "k7");
    q["epsilon_ddot"] = spin("k7", "");
    const double turned = r.at(0.05, "beta/angle") - r.at(0.0, "beta/angle");
    expect_entry(expected,
                 "energy_balance_T+V-E0-mom*(beta-beta0)",
                 r.at(0.05, "energy/total") - r.at(0.0, "energy/total") - 0.033 * turned);
  }
  EXPECT_GE(expect_series(expected, q), rates ? 59 : 43);
}

TEST(AndrewsSqueezer, RungeKuttaMeetsThePublishedState) {
  check_squeezer(accurate(0.05, 0.005), true);
}
TEST(AndrewsSqueezer, GeneralisedAlphaMeetsThePublishedAngles) {
  check_squeezer(alpha(0.05, 0.005, 1.25e-6), false);
}

// The axle is a body without mass that a motion drives.
System car_axis() {
  System system;
  system.planar = true;
  system.gravity = {Value(0.0), Value(-1.0), Value(0.0)};
  const double mass = 10.0 * 0.01 * 0.01 / 2.0;
  system.bodies.push_back(rigid("axle", 0.0, Vector3d::Zero(), Vector3d::Zero()));
  system.bodies.back().markers["right"] = at(1, 0);
  system.bodies.push_back(point("l", mass, {0, 0.5, 0}, {-0.5, 0, 0}));
  system.bodies.push_back(point("r", mass, {1, 0.5, 0}, {-0.5, 0, 0}));
  system.joints.push_back(joint("hub", JointType::revolute, "ground", "axle"));
  system.joints.back().axis = Vector3d::UnitZ();
  system.motions.push_back(
      {"road", Motion::Coordinate::angle, "hub", "", Value("asin(0.1*sin(10*t))")});
  system.joints.push_back(joint("upright", JointType::point_on_plane, "axle", "l"));
  system.joints.back().at = Vector3d::Zero();
  system.joints.back().axis = Vector3d::UnitX();
  // the plane passes the left wheel, the point is the mass itself
  system.bodies[0].markers["plane"] = {
      Vector3d::Zero(), Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitY()).toRotationMatrix(), {}};
  system.joints.back().at.reset();
  system.joints.back().axis.reset();
  system.joints.back().a = "axle/plane";
  system.joints.push_back(joint("bar", JointType::distance, "l", "r"));
  for (const auto& [name, a, b] :
       {std::array<const char*, 3>{"left", "ground", "l"}, {"right", "axle/right", "r"}}) {
    SpringDamper spring;
    spring.a = a;
    spring.b = b;
    spring.stiffness = 1.0;
    spring.length = 0.5;
    system.forces.push_back({name, spring});
  }
  return system;
}

TEST(CarAxis, FollowsThePublishedSolutionWithAMasslessAxle) {
  const auto expected = expected_of("car_axis");
  NEEDS_SHARED(expected);
  {
    Results r;
    run(car_axis(), accurate(3.0, 0.5), r);
    std::map<std::string, std::function<double(double)>> q;
    for (const std::string side : {"l", "r"})
      for (const std::string c : {"x", "y"}) {
        q[c + side] = channel(r, side + "/position/" + c);
        q["v" + c + side] = channel(r, side + "/velocity/" + c);
      }
    EXPECT_EQ(expect_series(expected, q), 48);
  }
}

System crane_crab() {
  System system = planar_under_gravity();
  system.bodies.push_back(rigid("trolley", 1.0, Vector3d::Zero(), {0.1, 0.1, 0.1}));
  Body bob = rigid("bob", 0.5, {0, -1, 0}, {0.1, 0.1, 0.1});
  bob.orientation = turn_z(2.6179938779915);
  system.bodies.push_back(bob);
  system.joints.push_back(joint("rail", JointType::prismatic, "ground", "trolley"));
  system.joints.back().axis = Vector3d::UnitX();
  system.joints.push_back(joint("pin", JointType::revolute, "trolley", "bob"));
  system.joints.back().axis = Vector3d::UnitZ();
  system.ground_markers["wall"] = at(-50, 0);
  SpringDamper damper;
  damper.a = "ground/wall";
  damper.b = "trolley";
  damper.damping = 10.0;
  system.forces.push_back({"damper", damper});
  system.outputs = {
      "rail/displacement", "rail/displacement_rate", "pin/angle", "pin/angle_rate", "energy"};
  return system;
}

TEST(CraneCrab, FollowsTheLibraryExample) {
  const auto expected = expected_of("planarmechanics_crane_crab");
  NEEDS_SHARED(expected);
  for (const bool explicit_one : {true, false}) {
    Results r;
    const auto summary =
        run(crane_crab(), explicit_one ? accurate(5.0, 0.5) : alpha(5.0, 0.5, 5e-5), r);
    EXPECT_EQ(
        expect_series(expected,
                      {{"s", channel(r, "rail/displacement")},
                       {"v", channel(r, "rail/displacement_rate")},
                       {"phi", [&](double t) { return r.at(t, "pin/angle") + 2.6179938779915; }},
                       {"w", channel(r, "pin/angle_rate")}}),
        24);
    EXPECT_LT(summary.energy_drift, testing::tolerance(explicit_one ? 1e-8 : 1e-5));
  }
}

System double_pendulum(bool planar) {
  System system = planar_under_gravity();
  system.planar = planar;
  system.bodies.push_back(rigid("one", 1.0, {1, 0, 0}, {0.1, 0.1, 0.1}));
  system.bodies.push_back(rigid("two", 0.2, {0.4, 0, 0}, {0.01, 0.01, 0.01}));
  system.bodies[1].position = {1, 0, 0};
  system.joints.push_back(joint("phi1", JointType::revolute, "ground", "one"));
  system.joints.back().axis = Vector3d::UnitZ();
  system.joints.push_back(joint("phi2", JointType::revolute, "one", "two"));
  system.joints.back().at = Vector3d(1, 0, 0);
  system.joints.back().axis = Vector3d::UnitZ();
  system.outputs = {"phi1/angle", "phi2/angle", "phi1/angle_rate", "phi2/angle_rate", "energy"};
  return system;
}

TEST(DoublePendulum, ThePlaneAndSpaceGiveTheSamePublishedMotion) {
  const auto expected = expected_of("double_pendulum");
  NEEDS_SHARED(expected);
  for (const bool planar : {true, false})
    for (const bool explicit_one : {true, false}) {
      Results r;
      run(double_pendulum(planar),
          explicit_one ? accurate(10.0, 0.5) : alpha(10.0, 0.5, 1.25e-4),
          r);
      EXPECT_EQ(expect_series(expected,
                              {{"phi1", channel(r, "phi1/angle")},
                               {"phi2", channel(r, "phi2/angle")},
                               {"w1", channel(r, "phi1/angle_rate")},
                               {"w2", channel(r, "phi2/angle_rate")}}),
                24);
      const Eigen::VectorXd e = r.series("energy/total");
      expect_entry(expected, "max_energy_error_J_over_10s", (e.array() - e(0)).abs().maxCoeff());
    }
}

// Calibration of dae_methods.md section 2: 1.3e-3 / 3.2e-4 / 8.0e-5 rad with rho = 0.8.
TEST(DoublePendulum, HalvingTheStepDividesTheErrorByFour) {
  double errors[3] = {};
  for (int k = 0; k < 3; ++k) {
    Results r;
    run(double_pendulum(true), alpha(2.0, 2.0, 0.01 / (1 << k)), r);
    errors[k] = std::abs(r.at(2.0, "phi1/angle") - -1.3213961237);
  }
  EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.6);
  EXPECT_NEAR(errors[1] / errors[2], 4.0, 0.6);
  EXPECT_LT(errors[2], 1.2e-4);
}

System spatial_slider_crank() {
  System system;
  system.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  const Vector3d A(0, 0.1, 0.12), B(0, 0.1, 0.2), C(0.2, 0, 0);
  Body crank = rigid("crank", 0.12, {0, 0, 0.04}, {1e-4, 1e-4, 1e-5});
  crank.position = A;
  crank.angular_velocity = {6, 0, 0};
  Body rod = rigid("rod", 0.5, {0.15, 0, 0}, {4e-4, 4e-3, 4e-3});
  rod.position = B;
  rod.orientation = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), C - B).toRotationMatrix();
  rod.velocity = {0, -0.48, 0};
  rod.angular_velocity = {1.92, -0.96, 0.48};
  Body slider = rigid("slider", 2.0, Vector3d::Zero(), {1e-4, 1e-4, 1e-4});
  slider.position = C;
  slider.velocity = {0.24, 0, 0};
  system.bodies = {crank, rod, slider};
  system.joints.push_back(joint("hinge", JointType::revolute, "ground", "crank"));
  system.joints.back().at = A;
  system.joints.back().axis = Vector3d::UnitX();
  system.joints.push_back(joint("ball", JointType::spherical, "crank", "rod"));
  system.joints.back().at = B;
  system.joints.push_back(joint("cardan", JointType::universal, "slider", "rod"));
  system.joints.back().at = C;
  system.joints.back().axis = Vector3d::UnitX();
  system.joints.back().axis_b = Vector3d::UnitX().cross(C - B);
  system.joints.push_back(joint("guide", JointType::prismatic, "ground", "slider"));
  system.joints.back().at = C;
  system.joints.back().axis = Vector3d::UnitX();
  system.outputs = {"hinge/angle", "hinge/angle_rate", "slider/position/x", "energy"};
  return system;
}

TEST(SpatialSliderCrank, FollowsThePublishedMotion) {
  const auto expected = expected_of("spatial_slider_crank");
  NEEDS_SHARED(expected);
  for (const bool explicit_one : {true, false}) {
    Results r;
    const auto summary =
        run(spatial_slider_crank(), explicit_one ? accurate(5.0, 0.25) : alpha(5.0, 0.25, 1e-4), r);
    const auto wrapped = [&](double t) {
      return std::remainder(r.at(t, "hinge/angle"), 2.0 * M_PI);
    };
    EXPECT_EQ(expect_series(expected,
                            {{"crank_angle", wrapped},
                             {"slider_x", channel(r, "slider/position/x")},
                             {"crank_omega", channel(r, "hinge/angle_rate")}}),
              24);
    EXPECT_EQ(summary.assembly.degrees_of_freedom, 1);
    EXPECT_TRUE(summary.assembly.redundant.empty());
    EXPECT_LT(summary.assembly.velocity_change, 1e-12);
    const Eigen::VectorXd e = r.series("energy/total");
    expect_entry(expected, "max_energy_error_J", (e.array() - e(0)).abs().maxCoeff());
  }
}

TEST(FreeAsymmetricBody, TumblesAboutItsMiddleAxis) {
  const auto expected = expected_of("free_asymmetric_body");
  NEEDS_SHARED(expected);
  System system;
  system.bodies.push_back(rigid("body", 5.0, Vector3d::Zero(), {1, 2, 3}));
  system.bodies[0].angular_velocity = {0.01, 2.0, 0.01};
  DynamicOptions options = accurate(30.0, 5.0);
  options.relative_tolerance = 1e-12;
  options.absolute_tolerance = 1e-13;
  Results r;
  run(system, options, r);
  const auto rate = [&](int c) {  // in the body frame
    return [&r, c](double t) {
      const Eigen::Quaterniond q(r.at(t, "body/orientation/w"),
                                 r.at(t, "body/orientation/x"),
                                 r.at(t, "body/orientation/y"),
                                 r.at(t, "body/orientation/z"));
      const Vector3d w(r.at(t, "body/angular_velocity/x"),
                       r.at(t, "body/angular_velocity/y"),
                       r.at(t, "body/angular_velocity/z"));
      return (q.conjugate() * w)(c);
    };
  };
  const auto quaternion = [&](const std::string& c) {  // up to a common sign
    return [&, c](double t) {
      const double sign =
          expected.entries.at("q0@t=" + std::to_string(static_cast<int>(t))).value < 0.0 ? -1.0
                                                                                         : 1.0;
      return sign * r.at(t, "body/orientation/" + c);
    };
  };
  EXPECT_EQ(expect_series(expected,
                          {{"w1", rate(0)},
                           {"w2", rate(1)},
                           {"w3", rate(2)},
                           {"q0", quaternion("w")},
                           {"q1", quaternion("x")},
                           {"q2", quaternion("y")},
                           {"q3", quaternion("z")}}),
            24);
  expect_entry(expected, "kinetic_energy", r.at(30.0, "energy/kinetic"));
}

System slider_crank(bool driven) {
  System system = planar_under_gravity();
  const double L1 = 0.15, L2 = 0.3, m1 = 0.36, m2 = 0.151104;
  const double phi = driven ? 0.0 : M_PI / 4;
  const double swing = -std::asin(L1 * std::sin(phi) / L2);
  Body crank = rigid("crank", m1, {L1 / 2, 0, 0}, Vector3d::Constant(m1 * L1 * L1 / 12));
  crank.orientation = turn_z(phi);
  Body rod = rigid("rod", m2, {L2 / 2, 0, 0}, Vector3d::Constant(m2 * L2 * L2 / 12));
  rod.position = crank.orientation * Vector3d(L1, 0, 0);
  rod.orientation = turn_z(swing);
  Body slider = rigid("slider", 0.075552, Vector3d::Zero(), Vector3d::Constant(1e-5));
  slider.position = rod.position + rod.orientation * Vector3d(L2, 0, 0);
  slider.position.y() = 0.0;
  system.bodies = {crank, rod, slider};
  const auto pin = [&](const char* name, const char* a, const char* b, const Vector3d& where) {
    system.joints.push_back(joint(name, JointType::revolute, a, b));
    system.joints.back().at = where;
    system.joints.back().axis = Vector3d::UnitZ();
  };
  pin("main", "ground", "crank", Vector3d::Zero());
  pin("crankpin", "crank", "rod", rod.position);
  pin("gudgeon", "rod", "slider", slider.position);
  system.joints.push_back(joint("bore", JointType::prismatic, "ground", "slider"));
  system.joints.back().at = slider.position;
  system.joints.back().axis = Vector3d::UnitX();
  if (driven)
    system.motions.push_back({"drive", Motion::Coordinate::angle, "main", "", Value("150*t")});
  system.outputs = {"slider/position/x",
                    "slider/velocity/x",
                    "slider/acceleration/x",
                    "main/angle",
                    "main/angle_rate"};
  if (driven) system.outputs.emplace_back("drive/torque");
  return system;
}

TEST(SliderCrank, GivesKinematicsAndDrivingTorqueOfAMotion) {
  const auto expected = expected_of("driven_slider_crank");
  NEEDS_SHARED(expected);
  Results r;
  const double tick = 15.0 * M_PI / 180.0 / 150.0;
  run(slider_crank(true), accurate(22 * tick, tick), r);
  for (const int degrees : {0, 15, 30, 45, 60, 90, 120, 135, 150, 180, 270, 330}) {
    const Eigen::Index row = degrees / 15;
    const std::string at_angle = "@phi=" + std::to_string(degrees) + "deg";
    expect_entry(expected, "slider_x" + at_angle, r.value(row, 0));
    expect_entry(expected, "slider_v" + at_angle, r.value(row, 1));
    expect_entry(expected, "slider_a" + at_angle, r.value(row, 2));
    expect_entry(expected, "driver_torque" + at_angle, r.value(row, 5));
  }
}

TEST(SliderCrank, RunsFreeUnderGravity) {
  const auto expected = expected_of("driven_slider_crank");
  NEEDS_SHARED(expected);
  for (const bool explicit_one : {true, false}) {
    Results r;
    run(slider_crank(false), explicit_one ? accurate(2.0, 0.1) : alpha(2.0, 0.1, 5e-5), r);
    EXPECT_EQ(
        expect_series(expected,
                      {{"free_run phi", [&](double t) { return r.at(t, "main/angle") + M_PI / 4; }},
                       {"free_run phidot", channel(r, "main/angle_rate")}}),
        12);
  }
}

System bushed_block(bool gravity, bool damped) {
  System system;
  if (gravity) system.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  system.bodies.push_back(rigid("block", 120.0, Vector3d::Zero(), {6, 14, 17}));
  int k = 0;
  for (const auto& p : {Vector3d(0.8, 0.45, -0.12),
                        Vector3d(0.8, -0.45, -0.12),
                        Vector3d(-0.6, 0.45, -0.12),
                        Vector3d(-0.6, -0.45, -0.12)}) {
    Bushing bushing;
    bushing.a = "ground";
    bushing.b = "block";
    bushing.at = p;
    bushing.stiffness.diagonal() << 200000, 150000, 300000, 120, 80, 60;
    if (damped) bushing.damping.diagonal() << 300, 250, 450, 1.2, 0.8, 0.6;
    system.forces.push_back({"b" + std::to_string(++k), bushing});
  }
  system.outputs = {"block/position", "block/orientation"};
  return system;
}

TEST(BushedBlock, HasItsEigenvaluesAndItsStaticPosition) {
  const auto expected = expected_of("bushed_block");
  NEEDS_SHARED(expected);
  Diagnostics diagnostics;
  AssemblyReport report;
  for (const bool damped : {false, true}) {
    const System system = bushed_block(false, damped);
    const Linearisation lin = linearise(system, assemble(system, report, diagnostics), diagnostics);
    ASSERT_EQ(lin.modes.size(), 6U);
    for (std::size_t m = 0; m < 6; ++m) {
      const std::string number = std::to_string(m + 1);
      if (!damped) expect_entry(expected, "undamped_hz " + number, lin.modes[m].frequency_hz);
      if (!damped) continue;
      expect_entry(expected, "eig " + number + " real", lin.modes[m].eigenvalue.real());
      expect_entry(expected, "eig " + number + " imag", lin.modes[m].eigenvalue.imag());
    }
  }
  Results r;
  const StaticSummary rest =
      solve_statics(bushed_block(true, true), {}, r, diagnostics, no_progress());
  EXPECT_TRUE(rest.converged) << rest.reason;
  EXPECT_TRUE(rest.stable);
  expect_entry(expected, "static_x (linear theory)", r.value(0, 0));
  expect_entry(expected, "static_y (linear theory)", r.value(0, 1));
  expect_entry(expected, "static_z (linear theory)", r.value(0, 2));
  expect_entry(expected, "static_rx (linear theory)", 2.0 * r.value(0, 4));
  expect_entry(expected, "static_ry (linear theory)", 2.0 * r.value(0, 5));
  expect_entry(expected, "static_rz (linear theory)", 2.0 * r.value(0, 6));
}

// Heave along y; a nose-down pitch is a turn about -z of a car that drives along +x.
System half_car(double road) {
  System system;
  system.planar = true;
  Body body = rigid("car", 580.0, Vector3d::Zero(), Vector3d::Constant(1100.0));
  body.markers["front"] = at(1.25, 0);
  body.markers["rear"] = at(-1.51, 0);
  system.bodies = {body,
                   rigid("wf", 40.0, Vector3d::Zero(), Vector3d::Constant(1.0)),
                   rigid("wr", 35.5, Vector3d::Zero(), Vector3d::Constant(1.0))};
  system.bodies[1].position = {1.25, -0.5, 0};
  system.bodies[2].position = {-1.51, -0.5, 0};
  system.ground_markers["front"] = at(1.25, -1.0);
  system.ground_markers["rear"] = at(-1.51, -1.0);
  for (const std::string wheel : {"wf", "wr"}) {
    system.joints.push_back(joint("g" + wheel, JointType::prismatic, "ground", wheel));
    system.joints.back().axis = Vector3d::UnitY();
  }
  system.motions.push_back({"hold", Motion::Coordinate::x, "", "car", Value(0.0)});
  const auto spring =
      [&](const char* name, const char* a, const char* b, double k, double c, double force) {
        SpringDamper s;
        s.a = a;
        s.b = b;
        s.stiffness = k;
        s.damping = c;
        s.force = force;
        system.forces.push_back({name, s});
      };
  spring("sf", "wf", "car/front", 23500, 1000, 0.0);
  spring("sr", "wr", "car/rear", 25500, 1100, 0.0);
  spring("tf", "ground/front", "wf", 190000, 0.0, -190000 * road);
  spring("tr", "ground/rear", "wr", 190000, 0.0, -190000 * road);
  system.outputs = {"car/position/y", "car/orientation/z", "wf/position/y", "wr/position/y"};
  return system;
}

TEST(HalfCar, HasItsEigenvaluesFrequencyResponseAndStepResponse) {
  const auto expected = expected_of("half_car_ride");
  NEEDS_SHARED(expected);
  Diagnostics diagnostics;
  AssemblyReport report;
  const System system = half_car(0.0);
  const Linearisation lin = linearise(system, assemble(system, report, diagnostics), diagnostics);
  ASSERT_EQ(lin.modes.size(), 4U);
  for (std::size_t m = 0; m < 4; ++m) {
    const std::string number = std::to_string(m + 1);
    expect_entry(expected, "halfcar4 eig" + number + " real", lin.modes[m].eigenvalue.real());
    expect_entry(expected, "halfcar4 eig" + number + " imag(abs)", lin.modes[m].eigenvalue.imag());
  }
  Eigen::VectorXd load = Eigen::VectorXd::Zero(9);
  load(4) = 190000.0;  // front wheel, y
  const Eigen::VectorXd hz = (Eigen::VectorXd(5) << 0.5, 1.0, 1.5, 5.0, 11.0).finished();
  const char* printed[5] = {"0.5", "1.0", "1.5", "5.0", "11.0"};
  const std::pair<const char*, int> outputs[4] = {
      {"heave m/m", 1}, {"pitch rad/m", 2}, {"front wheel m/m", 4}, {"rear wheel m/m", 7}};
  for (const auto& [name, index] : outputs) {
    const Eigen::VectorXcd answer =
        frequency_response(lin, load, Eigen::VectorXd::Unit(9, index), hz);
    for (Eigen::Index k = 0; k < 5; ++k)
      expect_entry(expected,
                   std::string("halfcar4 |FRF| front road, ") + name + " @" + printed[k] + " Hz",
                   std::abs(answer(k)));
  }
  Results r;
  DynamicOptions options = accurate(1.0, 0.05);
  run(half_car(0.05), options, r);
  EXPECT_EQ(
      expect_series(
          expected,
          {{"halfcar4 step heave", channel(r, "car/position/y")},
           {"halfcar4 step pitch",
            [&](double t) { return -2.0 * std::asin(r.at(t, "car/orientation/z")); }},
           {"halfcar4 step front wheel", [&](double t) { return r.at(t, "wf/position/y") + 0.5; }},
           {"halfcar4 step rear wheel", [&](double t) { return r.at(t, "wr/position/y") + 0.5; }}}),
      20);
}

TEST(ElasticPendulum, FollowsTheHamiltonianReference) {
  const auto expected = expected_of("elastic_pendulum");
  NEEDS_SHARED(expected);
  System system = planar_under_gravity();
  system.bodies.push_back(point("m", 1.0, {1.2, 0, 0}));
  SpringDamper spring;
  spring.a = "ground";
  spring.b = "m";
  spring.stiffness = 40.0;
  spring.length = 1.0;
  system.forces.push_back({"s", spring});
  for (const bool explicit_one : {true, false}) {
    Results r;
    run(system, explicit_one ? accurate(20.0, 1.0) : alpha(5.0, 1.0, 2e-5), r);
    EXPECT_EQ(expect_series(expected,
                            {{"x", channel(r, "m/position/x")},
                             {"y", channel(r, "m/position/y")},
                             {"vx", channel(r, "m/velocity/x")},
                             {"vy", channel(r, "m/velocity/y")}},
                            explicit_one ? 20.0 : 2.0),
              explicit_one ? 20 : 8);
    expect_entry(expected, "H0", r.at(0.0, "energy/total"));
  }
}

}  // namespace
}  // namespace femflex::mbd_solver
