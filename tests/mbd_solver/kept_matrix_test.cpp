// Tests the factored iteration matrix that generalised-alpha keeps over several steps and over a
// restart. Also tests random roads.
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/results.h"
#include "femflex/mbd_solver/road.h"
#include "femflex/mbd_solver/simulate.h"

#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;

// A hinged bar on a bushing, with a tyre on a rough road: nonlinear, with multipliers.
System held_bar() {
  System system;
  Body body;
  body.name = "bar";
  body.kind = RigidInertia{1.0, {0.5, 0, 0}, Vector3d(0.01, 0.1, 0.1).asDiagonal()};
  system.bodies = {body};
  Joint hinge;
  hinge.name = "hinge";
  hinge.type = JointType::revolute;
  hinge.a = "ground";
  hinge.b = "bar";
  hinge.axis = Vector3d::UnitY();
  system.joints = {hinge};
  Bushing bushing;
  bushing.a = "ground";
  bushing.b = "bar";
  bushing.at = Vector3d(0.8, 0.0, 0.0);
  bushing.stiffness.diagonal() << 50, 80, 300, 1, 2, 3;
  bushing.damping.diagonal() << 0.5, 0.5, 1, 0, 0, 0;
  Tyre tyre;
  tyre.on = "bar";
  tyre.radius = 0.2;
  tyre.stiffness = 200.0;
  tyre.damping = 1.0;
  tyre.lifts_off = false;
  tyre.speed = 5.0;
  tyre.road.kind = Road::Kind::iso8608;
  tyre.road.iso_class = 'E';
  tyre.road.length = 20.0;
  system.forces = {{"bushing", bushing}, {"tyre", tyre}};
  system.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  return system;
}

DynamicOptions options_to(double end) {
  DynamicOptions options;
  options.end = end;
  options.step = options.output_step = 2e-3;
  return options;
}

// Truth: the same run without interruption. The restart must restore matrix and extrapolation.
TEST(KeptMatrix, SurvivesAPauseBitForBit) {
  const System system = held_bar();
  Diagnostics diagnostics;
  Results whole;
  simulate(system, options_to(0.5), whole, diagnostics, no_progress());
  for (const double pause : {0.002, 0.006, 0.25, 0.498}) {
    Results first, rest;
    DynamicOptions options = options_to(0.5);
    options.restart =
        simulate(system, options_to(pause), first, diagnostics, no_progress()).final_state;
    simulate(system, options, rest, diagnostics, no_progress());
    const Eigen::Index last = rest.rows() - 1;
    for (Eigen::Index k = 0; k < static_cast<Eigen::Index>(rest.channels().size()); ++k) {
      EXPECT_EQ(whole.value(whole.rows() - 1, k), rest.value(last, k))
          << rest.channels()[static_cast<std::size_t>(k)].name << " after a pause at " << pause;
    }
  }
}

// Truth: the number of factorisations. Output rows at every step do not cause additional
// factorisations.
TEST(KeptMatrix, LastsForManyStepsOfASmoothRun) {
  Diagnostics diagnostics;
  Results results;
  const SimulationSummary summary =
      simulate(held_bar(), options_to(1.0), results, diagnostics, no_progress());
  EXPECT_EQ(summary.steps, 500);
  EXPECT_LT(summary.factorisations, summary.steps / 4);
}

// Truth: the sum of cosines that defines the profile, computed directly.
TEST(MadeRoad, IsTheSumOfItsWaves) {
  const Table road = iso8608_profile('C', 7, 30.0);
  std::mt19937_64 engine(7);
  std::vector<double> y(road.x.size(), 0.0);
  for (int k = 0; k < 400; ++k) {
    const double low = 0.01 * std::pow(1000.0, k / 400.0);
    const double high = 0.01 * std::pow(1000.0, (k + 1) / 400.0);
    const double number = std::sqrt(low * high);
    const double amplitude =
        std::sqrt(2.0 * 16e-6 * 16.0 * std::pow(number / 0.1, -2.0) * (high - low));
    const double phase =
        2.0 * std::numbers::pi * static_cast<double>(engine() >> 11) * std::pow(2.0, -53);
    for (std::size_t p = 0; p < y.size(); ++p)
      y[p] += amplitude * std::cos(2.0 * std::numbers::pi * number * road.x[p] + phase);
  }
  for (std::size_t p = 0; p < y.size(); ++p)
    ASSERT_NEAR(road.y[p], y[p], testing::tolerance(1e-14)) << "at " << road.x[p];
}

}  // namespace
}  // namespace femflex::mbd_solver
