// Tests rubber of bushings: friction that increases with the distance since the last reversal, and
// tables of single components. Truth: the closed forms of [Berg 1998], and potentials.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/statics.h"

#include "benchmarks.h"
#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using testing::accurate;
using testing::bound;
using testing::joint;
using testing::methods;
using testing::rigid;
using testing::run;
using testing::tolerance;

constexpr double kLevel = 800.0, kHalfWay = 0.004;

/// A block in a bushing that slides along x.
System block_in_rubber(const Bushing& bushing) {
  System s;
  s.bodies = {rigid("block", 2.0, Vector3d::Zero(), Vector3d::Constant(1.0))};
  s.joints = {joint("slide", JointType::prismatic, "ground", "block")};
  s.joints[0].axis = Vector3d::UnitX();
  Bushing own = bushing;
  own.a = "ground";
  own.b = "block";
  s.forces = {{"rubber", own}};
  s.outputs = {"block/position/x", "block/velocity/x", "rubber/force/x"};
  return s;
}

Bushing rubber() {
  Bushing bushing;
  bushing.friction[0] = {kLevel, kHalfWay};
  return bushing;
}

void drive_along(System& s, const std::string& formula) {
  Motion motion;
  motion.name = "drive";
  motion.joint = "slide";
  motion.coordinate = Motion::Coordinate::displacement;
  motion.value = Value(formula);
  s.motions = {motion};
}

/// Force at the ends of a steady cycle of amplitude A, divided by the level: F(A) = -F(-A) [Berg
/// 1998].
double end_of_cycle(double A) {
  return (std::sqrt(kHalfWay * kHalfWay + A * A + 6.0 * kHalfWay * A) - kHalfWay - A) /
         (2.0 * kHalfWay);
}

/// Friction at x while x increases in a steady cycle.
double on_the_way_up(double A, double x) {
  const double mu = end_of_cycle(A), way = x + A;
  return kLevel * (-mu + way * (1.0 + mu) / (kHalfWay * (1.0 + mu) + way));
}

// Truth: the loop of a steady cycle and its area. The result does not depend on the step: with one
// 40th of a cycle, and reversals inside steps, it equals that of small steps.
TEST(RubberFriction, ASteadyCycleHasItsLoop) {
  const double A = 0.01, mu = end_of_cycle(A), x2 = kHalfWay * (1.0 + mu);
  const double area = 2.0 * kLevel * (2.0 * A - x2 * (1.0 + mu) * std::log1p(2.0 * A / x2));
  System s = block_in_rubber(rubber());
  drive_along(s, "0.01*sin(2*pi*t)");
  constexpr double kCycles = 6.0;
  for (const Integrator method : methods())
    for (const double step : {1e-3, 0.03}) {
      DynamicOptions options = accurate(method, kCycles, 1e-3, step);
      Results r;
      run(s, options, r);
      double work = 0.0;
      const Eigen::Index rows = r.rows(), cycle = 1000;
      for (Eigen::Index k = rows - cycle; k < rows; ++k)  // F x' over the last cycle
        work -= r.series("rubber/force/x")(k) * r.series("block/velocity/x")(k) * 1e-3;
      const std::string who = std::string(name_of(method)) + " " + std::to_string(step);
      EXPECT_NEAR(work, area, tolerance(1e-3) * area) << who;
      EXPECT_NEAR(
          r.series("rubber/force/x")(rows - 1), -on_the_way_up(A, 0.0), tolerance(1e-4) * kLevel)
          << who;
      EXPECT_NEAR(-r.series("rubber/force/x")(rows - 1 - 3 * cycle / 4),
                  kLevel * mu,
                  tolerance(1e-3) * kLevel)
          << who;
    }
}

// Truth: from rest, half the level is reached at half_way, and the initial slope is level /
// half_way.
TEST(RubberFriction, FromRestItRisesToHalfItsLevel) {
  const laws::RubberFriction friction = {kLevel, kHalfWay};
  EXPECT_NEAR(laws::rubber_friction(friction, {}, kHalfWay), 0.5 * kLevel, 1e-12 * kLevel);
  EXPECT_NEAR(laws::rubber_friction(friction, {}, -1e-9), -kLevel / kHalfWay * 1e-9, 1e-9);
  const laws::RubberReversal at = {0.01, 600.0};
  EXPECT_EQ(laws::rubber_friction(friction, at, 0.01), 600.0);
  EXPECT_NEAR((laws::rubber_friction(friction, at, 0.01) -
               laws::rubber_friction(friction, at, 0.01 - 1e-9)) /
                  1e-9,
              kLevel / kHalfWay,
              1e-3 * kLevel / kHalfWay);
  EXPECT_GT(laws::rubber_friction(friction, at, -10.0), -kLevel);
}

// Truth: work and energy of a block that oscillates until it rests; statics continues from this
// state.
TEST(RubberFriction, AFreeBlockLosesTheWorkOfItsFriction) {
  Bushing bushing = rubber();
  bushing.stiffness(0, 0) = 4e4;
  System s = block_in_rubber(bushing);
  s.bodies[0].velocity.x() = 1.5;
  for (const Integrator method : methods()) {
    Results r;
    const auto summary = run(s, accurate(method, 1.0, 0.01, 5e-5), r);
    EXPECT_LT(summary.energy_drift, bound(method, tolerance(2e-5), tolerance(2e-5)))
        << name_of(method);
    EXPECT_LT(std::abs(r.series("block/velocity/x")(r.rows() - 1)), 0.3) << name_of(method);
  }
}

// Truth: a table of one component, along x or about z, gives its force and has a potential.
TEST(Bushing, TablesOfComponentsAreTheirForces) {
  Bushing bushing;
  bushing.curves[0] = Table{{-0.02, -0.005, 0.0, 0.005, 0.02}, {-900.0, -60.0, 0.0, 50.0, 700.0}};
  System s = block_in_rubber(bushing);
  drive_along(s, "0.0125*t");
  Results r;
  run(s, accurate(Integrator::runge_kutta, 1.0, 0.2, 1e-3), r);
  EXPECT_NEAR(r.series("rubber/force/x")(5), -(50.0 + 650.0 * 0.5), 1e-9);
  EXPECT_NEAR(r.series("rubber/force/x")(2), -50.0, 1e-9);

  bushing.curves[0]->interpolation = Table::Interpolation::akima;
  System free = block_in_rubber(bushing);
  free.bodies[0].velocity.x() = 1.0;
  for (const Integrator method : methods()) {
    Results swing;
    const auto summary = run(free, accurate(method, 0.5, 0.01, 5e-5), swing);
    EXPECT_LT(summary.energy_drift, bound(method, tolerance(1e-6), tolerance(1e-5)));
  }

  Bushing turning;
  turning.a = "ground";
  turning.b = "wheel";
  turning.curves[5] = Table{{-1.0, 1.0}, {-30.0, 30.0}};
  System wheel;
  wheel.bodies = {rigid("wheel", 1.0, Vector3d::Zero(), Vector3d::Constant(0.3))};
  wheel.joints = {joint("hub", JointType::revolute, "ground", "wheel")};
  wheel.bodies[0].angular_velocity.z() = 0.2;
  wheel.forces = {{"spring", turning}};
  wheel.outputs = {"hub/angle"};
  Results turn;
  run(wheel, accurate(Integrator::runge_kutta, 0.1, 0.1, 1e-3), turn);
  EXPECT_NEAR(turn.series("hub/angle")(1), 0.02 * std::sin(1.0), tolerance(1e-8));
}

// Truth: a bushing in axes R has the stiffness R diag(k) R' in the world. The axes are those of
// marker a; axes that the bushing gives itself take precedence.
TEST(Bushing, ItActsInTheAxesOfMarkerA) {
  constexpr double kTurn = std::numbers::pi / 6.0, kSoft = 1e3, kHard = 1e5, kPull = 20.0;
  System s;
  s.bodies = {rigid("block", 2.0, Vector3d::Zero(), Vector3d::Constant(1.0))};
  s.ground_markers["a"].orientation = testing::turn_z(kTurn);
  s.bodies[0].markers["b"] = {};
  Bushing bushing;
  bushing.a = "ground/a";
  bushing.b = "block/b";
  bushing.stiffness.diagonal() << kSoft, kHard, kHard, kHard, kHard, kHard;
  PointForce pull;
  pull.on = "block/b";
  pull.value[0] = Value(kPull);
  s.forces = {{"mount", bushing}, {"pull", pull}};

  const double c = std::cos(kTurn), n = std::sin(kTurn);
  const double x = kPull * (c * c / kSoft + n * n / kHard);
  const double y = kPull * c * n * (1.0 / kSoft - 1.0 / kHard);
  s.outputs = {"block/position"};
  const auto rests_at = [&](double x_truth, double y_truth) {
    Results r;
    Diagnostics diagnostics;
    Progress progress;
    ASSERT_TRUE(solve_statics(s, {}, r, diagnostics, progress).converged);
    // solve_statics stops at a correction of 1e-10 of the displacement
    EXPECT_NEAR(r.series("block/position/x")(0), x_truth, tolerance(1e-8) * x);
    EXPECT_NEAR(r.series("block/position/y")(0), y_truth, tolerance(1e-8) * x);
  };
  rests_at(x, y);
  std::get<Bushing>(s.forces[0].law).axes = Eigen::Matrix3d::Identity();
  rests_at(kPull / kSoft, 0.0);
}

TEST(Bushing, WrongRubberIsRefused) {
  for (const laws::RubberFriction& friction :
       {laws::RubberFriction{-1.0, 0.1}, {1.0, 0.0}, {std::nan(""), 1.0}}) {
    Bushing bushing;
    bushing.friction[0] = friction;
    Results r;
    EXPECT_THROW(run(block_in_rubber(bushing), {}, r), ModelError);
  }
}

// Truth: the rotation vector jumps from pi to -pi at half a turn.
TEST(Bushing, NearHalfATurnIsWarnedOf) {
  for (const double rate : {20.0, 30.0}) {
    System s;
    s.bodies = {rigid("block", 2.0, Vector3d::Zero(), Vector3d::Constant(1.0))};
    s.bodies[0].angular_velocity = {0, 0, rate};
    Bushing soft;
    soft.a = "ground";
    soft.b = "block";
    soft.stiffness.diagonal().setConstant(1e-3);
    s.forces = {{"mount", soft}};
    DynamicOptions options;
    options.end = 0.1;
    Results rows;
    Diagnostics diagnostics;
    simulate(s, options, rows, diagnostics, no_progress());
    ASSERT_EQ(diagnostics.warnings().size(), rate > 25.0 ? 1U : 0U);
    for (const Warning& warning : diagnostics.warnings())
      EXPECT_EQ(warning.code, "bushing-turns");
  }
}

}  // namespace
}  // namespace femflex::mbd_solver
