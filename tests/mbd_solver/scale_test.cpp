// Tests that results do not depend on arbitrary scales: the scaling of modes, mass ratios,
// stiffness ratios, the distance from the origin.
#include <cmath>

#include <gtest/gtest.h>

#include "femflex/mbd_solver/linearise.h"
#include "femflex/mbd_solver/statics.h"

#include "benchmarks.h"
#include "flex_bodies.h"
#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using testing::joint;
using testing::methods;
using testing::point;
using testing::rigid;
using testing::run;
using testing::tolerance;

// --- a chain of elastic segments ----------------------------------------------------------------

constexpr double kLength = 0.05;   // length of a segment [m]
constexpr double kAxial = 1.7e10;  // [N/m]
constexpr double kShear = 5.9e7;   // [N/m]
constexpr int kPieces = 4;

/// A segment whose far node moves along x in the first mode and along z in the second, without
/// rotation. For a mass of 2.3 g the frequencies are 618 and 36 kHz.
FlexBody piece(double mass, double mode_scale) {
  Eigen::Matrix3Xd positions(3, 3);
  positions << 0, 0.5 * kLength, kLength, 0, 0, 0.1 * kLength, 0, 0, 0;
  Eigen::MatrixXd lumped = Eigen::MatrixXd::Zero(3, 6);
  lumped.col(0) << 0.25 * mass, 0.25 * mass, 0.5 * mass;
  lumped.col(1) = lumped.col(2) = lumped.col(0);
  lumped.rightCols(3).setConstant(1e-6 * mass);
  Eigen::MatrixXd shapes = Eigen::MatrixXd::Zero(18, 2);
  shapes(12, 0) = shapes(14, 1) = mode_scale;
  const Eigen::Vector2d k(kAxial, kShear);
  return testing::lumped_flex_body(
      positions, lumped, shapes, mode_scale * mode_scale * Eigen::MatrixXd(k.asDiagonal()));
}

System chain(double mass, double mode_scale, const Vector3d& load) {
  System s;
  const auto body = std::make_shared<const FlexBody>(piece(mass, mode_scale));
  for (int k = 0; k < kPieces; ++k) {
    Flexible flexible;
    flexible.body = body;
    const std::string name = "p" + std::to_string(k);
    Body b;
    b.name = name;
    b.kind = flexible;
    b.position = Vector3d(k * kLength, k * 0.1 * kLength, 0);
    s.bodies.push_back(b);
    s.joints.push_back(joint("j" + std::to_string(k),
                             JointType::fixed,
                             k == 0 ? "ground" : "p" + std::to_string(k - 1) + "/3",
                             name + "/1"));
  }
  s.forces = {{"load", PointForce{"p3/3", {load.x(), load.y(), load.z()}, false, ""}}};
  s.outputs = {"p3/3/position"};
  return s;
}

// Truth: springs in series, kPieces F / k, for any mass and any scaling of the modes.
TEST(Scales, AChainOfPiecesBendsAlikeWhateverItsMassAndTheScaleOfItsModes) {
  const double pull = 1e5, push = 2000.0;  // [N]
  for (const double mass : {2.3e-6, 2.3e-3, 23.0, 2.3e6})
    for (const double scale : {1.0, 1e-4, 1e4, 1.0 / std::sqrt(0.5 * mass)}) {
      Results results;
      Diagnostics diagnostics;
      Progress none;
      const StaticSummary found = solve_statics(
          chain(mass, scale, Vector3d(pull, 0, push)), {}, results, diagnostics, none);
      EXPECT_TRUE(found.converged) << mass << " kg, modes times " << scale << ": " << found.reason;
      EXPECT_TRUE(found.stable);
      EXPECT_LE(found.iterations, 6);
      const double x = results.value(0, results.find("p3/3/position/x")) - kPieces * kLength;
      const double z = results.value(0, results.find("p3/3/position/z"));
      EXPECT_NEAR(x, kPieces * pull / kAxial, tolerance(1e-6) * kPieces * pull / kAxial);
      EXPECT_NEAR(z, kPieces * push / kShear, tolerance(1e-6) * kPieces * push / kShear);
    }
}

// --- springs of all sizes -----------------------------------------------------------------------

// Truth: F = k x for each spring; all springs are in one system.
TEST(Scales, SpringsOfEighteenDecadesFindTheirEquilibriumSideBySide) {
  System s;
  const double stretch = 1e-3;  // [m]
  std::vector<double> stiffness;
  for (int decade = -6; decade <= 12; decade += 3)
    stiffness.push_back(std::pow(10.0, decade));
  for (std::size_t k = 0; k < stiffness.size(); ++k) {
    const std::string name = "m" + std::to_string(k);
    const auto y = static_cast<double>(k);
    s.bodies.push_back(point(name, 1.0, {1, y, 0}));
    s.ground_markers["w" + std::to_string(k)] = testing::at(0, y);
    s.motions.push_back({name + "y", Motion::Coordinate::y, "", name, Value(0.0)});
    s.motions.push_back({name + "z", Motion::Coordinate::z, "", name, Value(0.0)});
    s.motions[s.motions.size() - 2].value = Value(y);
    SpringDamper spring;
    spring.a = "ground/w" + std::to_string(k);
    spring.b = name;
    spring.stiffness = stiffness[k];
    s.forces.push_back({"s" + std::to_string(k), spring});
    s.forces.push_back(
        {"f" + std::to_string(k), PointForce{name, {stretch * stiffness[k], 0.0, 0.0}, false, ""}});
    s.outputs.push_back(name + "/position/x");
  }
  Results results;
  Diagnostics diagnostics;
  Progress none;
  const StaticSummary found = solve_statics(s, {}, results, diagnostics, none);
  ASSERT_TRUE(found.converged) << found.reason;
  for (std::size_t k = 0; k < stiffness.size(); ++k)
    EXPECT_NEAR(results.value(0, static_cast<Eigen::Index>(k)) - 1.0, stretch, tolerance(1e-9))
        << stiffness[k] << " N/m";
}

// --- masses of all sizes ------------------------------------------------------------------------

Body bar(const std::string& name, double mass, double from) {
  Body b = rigid(name, mass, Vector3d(0.5, 0, 0), mass * Vector3d(1e-3, 1.0 / 12.0, 1.0 / 12.0));
  b.position = Vector3d(from, 0, 0);
  return b;
}

/// Two bars in line that swing about y from a horizontal position.
System double_bar(double inner, double outer) {
  System s;
  s.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  s.bodies = {bar("inner", inner, 0.0), bar("outer", outer, 1.0)};
  s.joints = {joint("shoulder", JointType::revolute, "ground", "inner"),
              joint("elbow", JointType::revolute, "inner", "outer")};
  s.joints[0].at = Vector3d(0, 0, 0);
  s.joints[1].at = Vector3d(1, 0, 0);
  for (Joint& j : s.joints)
    j.axis = Vector3d::UnitY();
  s.outputs = {"shoulder/angle", "elbow/angle", "energy"};
  return s;
}

DynamicOptions second_with(Integrator method) {
  DynamicOptions o;
  o.end = 1.0;
  o.step = 5e-4;
  o.output_step = 0.05;
  o.integrator = method;
  return o;
}

// Truth: the run without mass, which differs from a run with the mass m by O(m); conservation of
// energy.
TEST(Scales, AnInnerBarOfAnyMassSwingsLikeOneWithoutMass) {
  for (const Integrator method : methods()) {
    Results limit, light;
    const SimulationSummary zero = run(double_bar(0.0, 1.0), second_with(method), limit);
    ASSERT_EQ(zero.status, RunStatus::complete) << name_of(method) << ": " << zero.reason;
    EXPECT_TRUE(zero.assembly.redundant.empty());
    for (const double ratio : {1e-6, 1e-8, 1e-9, 1e-10, 1e-12, 1e-15}) {
      Results results;
      const SimulationSummary done =
          run(double_bar(1e3 * ratio, 1e3), second_with(method), results);
      ASSERT_EQ(done.status, RunStatus::complete)
          << name_of(method) << ", " << ratio << ": " << done.reason;
      EXPECT_TRUE(done.assembly.redundant.empty()) << ratio;
      EXPECT_LT(done.energy_drift, 1e-4) << name_of(method) << ", " << ratio;
      for (const char* angle : {"shoulder/angle", "elbow/angle"})
        EXPECT_NEAR(results.at(1.0, angle), limit.at(1.0, angle), tolerance(2e-6) + 20.0 * ratio)
            << name_of(method) << ", " << ratio << ", " << angle;
    }
  }
}

// Truth: a heavy pendulum, which a light pendulum at its end does not affect.
TEST(Scales, AnOuterBarOfAnyMassLeavesTheInnerOneAlone) {
  System alone = double_bar(1.0, 1.0);
  alone.bodies.pop_back();
  alone.joints.pop_back();
  alone.outputs = {"shoulder/angle"};
  for (const Integrator method : methods()) {
    Results single;
    run(alone, second_with(method), single);
    for (const double ratio : {1e-8, 1e-10, 1e-12, 1e-15}) {
      Results results;
      const SimulationSummary done = run(double_bar(1.0, ratio), second_with(method), results);
      ASSERT_EQ(done.status, RunStatus::complete)
          << name_of(method) << ", " << ratio << ": " << done.reason;
      EXPECT_TRUE(done.assembly.redundant.empty()) << ratio;
      EXPECT_NEAR(results.at(1.0, "shoulder/angle"),
                  single.at(1.0, "shoulder/angle"),
                  tolerance(2e-6) + 20.0 * ratio)
          << name_of(method) << ", " << ratio;
    }
  }
}

// --- places of all distances ---------------------------------------------------------------------

SpringDamper spring_between(const std::string& a, const std::string& b, double k, double length) {
  SpringDamper out;
  out.a = a;
  out.b = b;
  out.stiffness = k;
  out.damping = 1.0;
  out.length = length;
  return out;
}

/// A bar on a hinge and a mass, held by inclined springs and a floor; the hinge is at x = y =
/// `far`.
System crane_at(double far) {
  System s;
  s.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  s.bodies = {rigid("bar", 1.0, Vector3d(0.5, 0, 0), Vector3d(0.01, 0.1, 0.1)),
              point("mass", 2.0, {far + 1.0, far + 0.1, 0.2})};
  s.bodies[0].position = Vector3d(far, far, 0.0);
  s.bodies[0].markers["tip"] = testing::at(1.0, 0.0);
  s.ground_markers["above"] = testing::at(far + 0.8, far, 0.6);
  s.ground_markers["left"] = testing::at(far + 1.5, far + 0.5, 0.7);
  s.ground_markers["right"] = testing::at(far + 0.7, far - 0.6, 0.5);
  s.ground_markers["floor"] = testing::at(far, far, -0.1);
  s.joints = {joint("hinge", JointType::revolute, "ground", "bar")};
  s.joints[0].at = s.bodies[0].position;
  s.joints[0].axis = Vector3d::UnitY();
  Contact floor;
  floor.on = "mass";
  floor.plane = "ground/floor";
  floor.radius = 0.35;
  floor.stiffness = 2000.0;
  floor.exponent = 1.5;
  s.forces = {{"stay", spring_between("bar/tip", "ground/above", 400.0, 0.4)},
              {"left", spring_between("mass", "ground/left", 300.0, 0.3)},
              {"right", spring_between("mass", "ground/right", 300.0, 0.3)},
              {"rope", spring_between("mass", "bar/tip", 100.0, 0.2)},
              {"floor", floor}};
  s.outputs = {"hinge/angle", "mass/position"};
  return s;
}

Linearisation about_rest(const System& s, Results& rest) {
  Diagnostics diagnostics;
  Progress none;
  const StaticSummary found = solve_statics(s, {}, rest, diagnostics, none);
  EXPECT_TRUE(found.converged) << found.reason;
  return linearise(s, found.state, diagnostics);
}

// Truth: a system moved as a whole keeps its equilibrium and its eigenvalues. Round-off of its
// places, 1e-16 of the distance, remains.
TEST(Scales, FrequenciesDoNotDependOnTheDistanceFromTheOrigin) {
  Results rest_here;
  const Linearisation here = about_rest(crane_at(0.0), rest_here);
  for (const double far : {1e3, 1e4, 1e5, 1e6}) {
    Results rest;
    const Linearisation there = about_rest(crane_at(far), rest);
    EXPECT_NEAR(rest.value(0, 0), rest_here.value(0, 0), tolerance(1e-13) * far + 1e-9) << far;
    ASSERT_EQ(there.modes.size(), here.modes.size()) << far;
    for (std::size_t k = 0; k < here.modes.size(); ++k)
      EXPECT_LT(std::abs(there.modes[k].eigenvalue - here.modes[k].eigenvalue),
                tolerance(1e-6) * std::abs(here.modes[k].eigenvalue) * std::max(1.0, far / 1e5))
          << far << " m, mode " << k;
  }
}

// Truth: x = L + A cos(w t) from the anchor of the spring, wherever that is.
TEST(Scales, AnOscillatorKeepsItsPhaseFarFromTheOrigin) {
  for (const Integrator method : methods())
    for (const double far : {0.0, 1e5, 1e7}) {
      System s;
      s.bodies = {point("mass", 1.0, {far + 1.1, 0.0, 0.0})};
      s.ground_markers["anchor"] = testing::at(far, 0.0);
      SpringDamper spring = spring_between("ground/anchor", "mass", 100.0, 1.0);
      spring.damping = 0.0;
      s.forces = {{"spring", spring}};
      s.outputs = {"mass/velocity/x"};
      DynamicOptions options;
      options.end = 10.0;
      options.output_step = 0.5;
      options.step = 2e-4;
      options.integrator = method;
      Results r;
      run(s, options, r);
      const Eigen::VectorXd v = r.series("mass/velocity/x");
      for (Eigen::Index k = 0; k < v.size(); ++k)
        EXPECT_NEAR(v(k), -std::sin(5.0 * static_cast<double>(k)), tolerance(1e-4))
            << name_of(method) << " at " << far << " m, row " << k;
    }
}

}  // namespace
}  // namespace femflex::mbd_solver
