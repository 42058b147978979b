// Tests the factored iteration matrix that generalised-alpha keeps over several steps and over a
// restart. The road is rough, and made by the test.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/mbd_solver/results.h"
#include "femflex/mbd_solver/simulate.h"

#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;

// Waves of 5 m to 0.1 m whose amplitudes fall with the wavelength, as those of a bad road do.
Table rough_road() {
  Table road;
  road.interpolation = Table::Interpolation::akima;
  for (int p = 0; p <= 1000; ++p) {
    road.x.push_back(0.02 * p);
    road.y.push_back(0.0);
    for (int k = 1; k <= 50; ++k)
      road.y.back() +=
          0.02 / k * std::cos(2.0 * std::numbers::pi * 0.2 * k * road.x.back() + k * k);
  }
  return road;
}

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
  tyre.road.profile = rough_road();
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

// Truth: a generated road is made outside of the room; without its profile there is nothing to roll
// on.
TEST(GeneratedRoad, IsRefusedWithoutItsProfile) {
  System system = held_bar();
  std::get<Tyre>(system.forces.back().law).road.profile = {};
  Diagnostics diagnostics;
  Results results;
  try {
    simulate(system, options_to(0.1), results, diagnostics, no_progress());
    FAIL() << "no error";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "road-profile");
  }
}

}  // namespace
}  // namespace femflex::mbd_solver
