// Tests bodies without mass: parts between joints, and junctions of springs. Also tests linearised
// systems with motions against which there is no resistance.
#include <cmath>
#include <numbers>

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
using testing::bound;
using testing::joint;
using testing::methods;
using testing::point;
using testing::rigid;
using testing::run;
using testing::tolerance;

// --- a slider without mass ----------------------------------------------------------------------

/// The crane crab with a body of the given mass between rail and pin, welded to the trolley.
System crab_with_slider(double mass) {
  System s = testing::crane_crab();
  s.bodies.push_back(rigid("slider", mass, Vector3d::Zero(), 0.1 * mass * Vector3d::Ones()));
  s.joints[0].b = "slider";
  s.joints[1].a = "slider";
  s.joints.push_back(joint("weld", JointType::fixed, "slider", "trolley"));
  return s;
}

// Truth: the crab without this part, which is one of the shared benchmarks.
TEST(Massless, ASlidingPieceBetweenTwoJointsChangesNothing) {
  for (const Integrator method : methods()) {
    const DynamicOptions options = testing::accurate(method, 3.0, 0.1, 2e-4);
    Results plain;
    run(testing::crane_crab(), options, plain);
    for (const double mass : {0.0, 1e-15, 1e-12, 1e-9, 1e-6}) {
      Results results;
      const SimulationSummary done = run(crab_with_slider(mass), options, results);
      EXPECT_TRUE(done.assembly.redundant.empty()) << mass;
      for (const char* channel : {"rail/displacement", "pin/angle", "pin/angle_rate"})
        EXPECT_NEAR(results.at(3.0, channel),
                    plain.at(3.0, channel),
                    tolerance(bound(method, 1e-5, 1e-5)) + 100.0 * mass)
            << name_of(method) << ", " << mass << " kg, " << channel;
    }
  }
}

// A pendulum whose pivot slides without mass on a horizontal rail, so no horizontal force acts on
// the bob. Truth: its centre falls vertically with m y'' = -m g + N and J phi'' = N r sin(phi). The
// energy is a function of phi alone and is constant: 1/2 (J + m r^2 sin^2 phi) phi'^2 - m g r cos
// phi.
TEST(Massless, APendulumOnASliderWithoutMassFallsStraight) {
  const double r = 0.5, m = 2.0, J = 0.3, g = 9.81;
  System s = testing::planar_under_gravity();
  s.gravity = {Value(0.0), Value(-g), Value(0.0)};
  s.bodies.push_back(rigid("slider", 0.0, Vector3d::Zero(), Vector3d::Zero()));
  Body bob = rigid("bob", m, {0, -r, 0}, {J, J, J});
  bob.orientation = testing::turn_z(2.0);
  s.bodies.push_back(bob);
  s.joints = {joint("rail", JointType::prismatic, "ground", "slider"),
              joint("pin", JointType::revolute, "slider", "bob")};
  s.joints[0].axis = Vector3d::UnitX();
  s.joints[1].axis = Vector3d::UnitZ();
  s.outputs = {"bob/centre/position", "bob/orientation", "bob/angular_velocity", "energy/total"};
  s.bodies[1].markers["centre"] = testing::at(0, -r);
  for (const Integrator method : methods()) {
    Results results;
    run(s, testing::accurate(method, 1.0, 0.05, 1e-4), results);
    const double start = results.value(0, results.find("bob/centre/position/x"));
    for (const double t : results.time()) {
      EXPECT_NEAR(results.at(t, "bob/centre/position/x"), start, tolerance(1e-8)) << t;
      const double phi =
          2.0 * std::atan2(results.at(t, "bob/orientation/z"), results.at(t, "bob/orientation/w"));
      const double rate = results.at(t, "bob/angular_velocity/z");
      const double inertia = J + m * r * r * std::sin(phi) * std::sin(phi);
      EXPECT_NEAR(0.5 * inertia * rate * rate - m * g * r * std::cos(phi),
                  -m * g * r * std::cos(2.0),
                  tolerance(bound(method, 1e-6, 1e-4)))
          << name_of(method) << " at " << t;
    }
  }
}

// --- a junction of springs ----------------------------------------------------------------------

/// A body hangs by a spring from a junction, which is supported by two springs. All springs have
/// the free length 0.
System three_springs(double junction_mass) {
  System s;
  s.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  s.bodies = {point("body", 0.8, {0.1, 0.1, -0.7}),
              point("junction", junction_mass, {0.1, 0.1, -0.2})};
  s.ground_markers["a"] = testing::at(0.3, 0.0);
  s.ground_markers["b"] = testing::at(0.0, 0.3);
  const auto spring = [&](const char* name, const char* from, const char* to, double k) {
    SpringDamper law;
    law.a = from;
    law.b = to;
    law.stiffness = k;
    law.length = 0.0;
    s.forces.push_back({name, law});
  };
  spring("left", "ground/a", "junction", 20.0);
  spring("right", "ground/b", "junction", 20.0);
  spring("middle", "junction", "body", 40.0);
  s.outputs = {"body/position", "junction/position", "energy"};
  return s;
}

// Truth: springs with free length 0 are linear. Two springs of 40 N/m in series act between the
// body and the middle c of the two supports: x'' = -(20 / 0.8) (x - c) + g. The junction is in the
// middle between body and c.
TEST(Massless, AJunctionOfSpringsFollowsTheBodyThatHangsFromIt) {
  const double omega = std::sqrt(20.0 / 0.8), g = 9.81, end = 1.0;
  const Vector3d rest(0.15, 0.15, -g / (omega * omega)), start(0.1, 0.1, -0.7);
  const Vector3d there = rest + (start - rest) * std::cos(omega * end);
  DynamicOptions options;
  options.end = end;
  options.step = 1e-4;
  options.output_step = 0.1;
  Results results;
  const SimulationSummary done = run(three_springs(0.0), options, results);
  EXPECT_LT(done.energy_drift, 1e-5);
  const char* const axes[3] = {"x", "y", "z"};
  for (int c = 0; c < 3; ++c) {
    EXPECT_NEAR(
        results.at(end, std::string("body/position/") + axes[c]), there(c), tolerance(1e-5));
    EXPECT_NEAR(results.at(end, std::string("junction/position/") + axes[c]),
                0.5 * (there(c) + (c < 2 ? 0.15 : 0.0)),
                tolerance(1e-5));
  }
  for (const Integrator other : {Integrator::runge_kutta, Integrator::bdf}) {
    if (std::find(methods().begin(), methods().end(), other) == methods().end()) continue;
    options.integrator = other;
    Results none;
    EXPECT_THROW(run(three_springs(0.0), options, none), ModelError) << name_of(other);
  }
}

// Truth: the closed form of the previous test, with an error proportional to the mass of the
// junction, for every integrator.
TEST(Massless, ALightJunctionOfSpringsRunsWithEveryIntegrator) {
  const double omega = std::sqrt(20.0 / 0.8), end = 0.5;
  const double rest = 0.15, there = rest + (0.1 - rest) * std::cos(omega * end);
  for (const Integrator method : methods())
    for (const double mass : {1e-3, 1e-6}) {
      DynamicOptions options;
      options.end = end;
      options.step = 1e-4;
      options.output_step = 0.1;
      options.integrator = method;
      options.relative_tolerance = 1e-6;
      options.absolute_tolerance = 1e-8;
      Results results;
      const SimulationSummary done = run(three_springs(mass), options, results);
      ASSERT_EQ(done.status, RunStatus::complete) << name_of(method) << ", " << mass;
      EXPECT_NEAR(results.at(end, "body/position/x"), there, tolerance(1e-4) + 2.0 * mass)
          << name_of(method) << ", " << mass;
    }
}

// Truth: closed form of linear springs; frequency of the body on the springs in series.
TEST(Massless, StaticsAndFrequenciesKnowAJunctionOfSprings) {
  Results results;
  Diagnostics diagnostics;
  Progress none;
  const System s = three_springs(0.0);
  const StaticSummary found = solve_statics(s, {}, results, diagnostics, none);
  ASSERT_TRUE(found.converged) << found.reason;
  EXPECT_NEAR(
      results.value(0, results.find("body/position/z")), -0.8 * 9.81 / 20.0, tolerance(1e-9));
  const Linearisation linear = linearise(s, found.state, diagnostics);
  ASSERT_EQ(linear.modes.size(), 3U);
  for (const SystemMode& mode : linear.modes)
    EXPECT_NEAR(
        mode.frequency_hz, std::sqrt(20.0 / 0.8) / (2.0 * std::numbers::pi), tolerance(1e-6));
}

// --- motions without resistance -----------------------------------------------------------------

std::size_t zero_lines(const System& s) {
  Diagnostics diagnostics;
  AssemblyReport report;
  const State state = assemble(s, report, diagnostics);
  std::size_t count = 0;
  for (const SystemMode& mode : linearise(s, state, diagnostics).modes) {
    if (mode.frequency_hz == 0.0) ++count;
    EXPECT_EQ(mode.frequency_hz == 0.0, mode.is_free);
    EXPECT_TRUE(mode.is_free || mode.frequency_hz > 1e-3) << mode.frequency_hz;
  }
  return count;
}

Body block(const std::string& name, double mass, const Vector3d& position) {
  Body b = rigid(name, mass, Vector3d(0.1, -0.2, 0.05), mass * Vector3d(0.3, 0.4, 0.5));
  b.position = position;
  return b;
}

// Truth: six zero frequencies for each free part, and one for each joint DOF without a spring.
TEST(FreeMotions, AreListedOnceEach) {
  System s;
  s.bodies = {block("a", 2.0, {0, 0, 0})};
  EXPECT_EQ(zero_lines(s), 6U);
  s.bodies.push_back(block("b", 1e-3, {1, 0.3, 0}));
  EXPECT_EQ(zero_lines(s), 12U);
  s.joints = {joint("hinge", JointType::revolute, "a", "b")};
  s.joints[0].at = Vector3d(0.5, 0, 0);
  s.joints[0].axis = Vector3d(0, 1, 0);
  EXPECT_EQ(zero_lines(s), 7U);
  TorsionalSpring spring;
  spring.joint = "hinge";
  spring.stiffness = 30.0;
  spring.damping = 0.1;
  s.forces = {{"spring", spring}};
  EXPECT_EQ(zero_lines(s), 6U);
  s.bodies.push_back(block("c", 1e4, {5, 0, 0}));
  EXPECT_EQ(zero_lines(s), 12U);
  System plane = testing::planar_under_gravity();
  plane.gravity = {Value(0.0), Value(0.0), Value(0.0)};
  plane.bodies = {block("a", 2.0, {0, 0, 0})};
  EXPECT_EQ(zero_lines(plane), 3U);
}

// Truth: m x'' + c x' = 0 has the eigenvalues 0 and -c / m, once each.
TEST(FreeMotions, ThatADamperResistsKeepTheirRate) {
  System s = testing::planar_under_gravity();
  s.gravity = {Value(0.0), Value(0.0), Value(0.0)};
  s.bodies = {point("a", 2.0, {1, 0, 0})};
  SpringDamper damper;
  damper.a = "ground";
  damper.b = "a";
  damper.damping = 0.1;
  s.forces = {{"damper", damper}};
  Diagnostics diagnostics;
  AssemblyReport report;
  const Linearisation linear = linearise(s, assemble(s, report, diagnostics), diagnostics);
  ASSERT_EQ(linear.modes.size(), 3U);
  EXPECT_TRUE(linear.modes[0].is_free != linear.modes[1].is_free);
  EXPECT_EQ(linear.modes[0].frequency_hz, 0.0);
  EXPECT_EQ(linear.modes[1].frequency_hz, 0.0);
  EXPECT_NEAR(linear.modes[2].eigenvalue.real(), -0.05, tolerance(1e-7));
}

}  // namespace
}  // namespace femflex::mbd_solver
