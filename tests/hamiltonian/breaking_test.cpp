// Tests springs that break within a time step. Truth: the time at which the closed-form motion
// exceeds the limit, and free flight afterwards.
#include <cmath>

#include <gtest/gtest.h>

#include "models.h"
#include "support/support.h"

namespace femflex::hamiltonian {
namespace {

/// Mass 1 that leaves a held one at `speed` on a spring of 100 N/m; x - 1 = speed/10 sin(10 t).
Lattice tether(double speed) {
  Lattice lattice;
  lattice.dimension = 1;
  lattice.nodes = {node_at(1, 0.0, 0.0, 1.0, true), node_at(2, 1.0, 0.0, 1.0)};
  lattice.nodes[1].velocity.x() = speed;
  lattice.springs = {linear(0, 1, 100.0, 1.0)};
  return lattice;
}

RunResult go(const Lattice& lattice, double tolerance, double end = 1.0) {
  const LatticeSystem system(make_lattice(lattice));
  RunOptions options;
  options.integrator = Integrator::dormand_prince;
  options.relative_tolerance = tolerance;
  options.absolute_tolerance = 1e-2 * tolerance;
  options.end = end;
  options.output_step = end;  // steps as long as the tolerance allows
  Diagnostics diagnostics;
  return run(system, system.start(), options, nullptr, diagnostics, no_progress());
}

// Truth: free flight from the moment at which speed/10 sin(10 t) passes the limit.
TEST(Breaking, AnAdaptiveStepEndsWhereASpringBreaks) {
  for (const double tolerance : {1e-5, 1e-8, 1e-11}) {
    for (const double part : {0.3, 0.5, 0.9, 0.999}) {
      const double speed = 4.0;
      Lattice lattice = tether(speed);
      const double limit = part * speed / 10.0;
      lattice.springs[0].break_elongation = limit;
      const RunResult result = go(lattice, tolerance);
      const double when = std::asin(part) / 10.0;
      const double after = speed * std::cos(10.0 * when);
      ASSERT_EQ(result.state.memory.broken[0], 1) << part;
      EXPECT_NEAR(result.state.q[1],
                  1.0 + limit + after * (1.0 - when),
                  testing::tolerance(100.0 * tolerance) / std::sqrt(1.0 - part * part))
          << tolerance << " " << part;
      EXPECT_NEAR(
          result.broken_energy, 50.0 * limit * limit, testing::tolerance(100.0 * tolerance));
      EXPECT_LT(result.largest_energy_error, testing::tolerance(100.0 * tolerance));
    }
  }
}

// Truth: limits on force and stress name the same moment.
TEST(Breaking, LimitsOnForceAndStressBreakAtTheSameMoment) {
  Lattice by_elongation = tether(4.0);
  by_elongation.springs[0].break_elongation = 0.2;
  Lattice by_force = tether(4.0);
  by_force.springs[0].break_force = 20.0;
  Lattice by_stress = tether(4.0);
  by_stress.springs[0].area = 1e-4;
  by_stress.springs[0].break_stress = 2e5;
  const double place = go(by_elongation, 1e-9).state.q[1];
  EXPECT_NEAR(go(by_force, 1e-9).state.q[1], place, testing::tolerance(1e-8));
  EXPECT_NEAR(go(by_stress, 1e-9).state.q[1], place, testing::tolerance(1e-8));
}

// Truth: two springs that break one after the other within what was one step; energies add up.
TEST(Breaking, EachOfSeveralSpringsBreaksAtItsOwnMoment) {
  Lattice lattice = tether(4.0);
  lattice.springs.push_back(linear(0, 1, 50.0, 1.0));
  lattice.springs[0].break_elongation = 0.10;
  lattice.springs[1].break_elongation = 0.11;
  const RunResult result = go(lattice, 1e-9);
  EXPECT_EQ(result.state.memory.broken, (std::vector<std::uint8_t>{1, 1}));
  const double left = 50.0 * 0.10 * 0.10 + 25.0 * 0.11 * 0.11;
  EXPECT_NEAR(result.broken_energy, left, testing::tolerance(1e-6));
  EXPECT_NEAR(result.state.p[1], std::sqrt(16.0 - 2.0 * left), testing::tolerance(1e-6));
  EXPECT_LT(result.largest_energy_error, testing::tolerance(1e-7));
}

// Truth: energy that leaves with broken springs is not an error of the method.
TEST(Breaking, EnergyThatLeavesWithSpringsIsNoErrorOfFixedSteps) {
  Lattice lattice = tether(4.0);
  lattice.springs[0].break_elongation = 0.2;
  const LatticeSystem system(make_lattice(lattice));
  for (const Integrator integrator :
       {Integrator::leapfrog, Integrator::runge_kutta_4, Integrator::implicit_midpoint}) {
    const RunResult result = run_quietly(system, system.start(), integrator, 1e-4, 1.0);
    EXPECT_NEAR(result.broken_energy, 2.0, testing::tolerance(0.02));
    EXPECT_LT(result.largest_energy_error, testing::tolerance(1e-6)) << name_of(integrator);
  }
}

// Truth: a spring beyond its limit at the start leaves with its energy there, k e^2 / 2.
TEST(Breaking, ASpringThatIsOverloadedAtTheStartLeavesWithItsEnergyThere) {
  Lattice lattice = tether(4.0);
  lattice.springs.push_back(linear(0, 1, 300.0, 1.0));
  lattice.springs[0].rest_length = 0.7;
  lattice.springs[0].break_elongation = 0.2;
  const RunResult result = go(lattice, 1e-9);
  EXPECT_NEAR(result.broken_energy, 50.0 * 0.3 * 0.3, testing::tolerance(1e-12));
  EXPECT_LT(result.largest_energy_error, testing::tolerance(1e-7));
}

void expect_named(const Lattice& lattice, const std::string& what) {
  const LatticeSystem system(make_lattice(lattice));
  for (const Integrator integrator : {Integrator::leapfrog,
                                      Integrator::euler,
                                      Integrator::runge_kutta_4,
                                      Integrator::implicit_midpoint,
                                      Integrator::dormand_prince}) {
    const RunResult result = run_quietly(system, system.start(), integrator, 0.01, 1.0);
    EXPECT_NE(result.status, RunStatus::finished);
    EXPECT_NE(result.message.find(what), std::string::npos)
        << name_of(integrator) << ": " << result.message;
    EXPECT_EQ(result.message.find("stable"), std::string::npos) << result.message;
  }
}

// Truth: sqrt(0.5 - t) has no value from t = 0.5 on.
TEST(Breaking, WhatIsNotFiniteIsNamedWhereARunStops) {
  Lattice loaded = tether(1.0);
  Load push;
  push.node = 1;
  push.force = Eigen::Vector3d(1.0, 0.0, 0.0);
  push.history.expression = "sqrt(0.5 - t)";
  loaded.loads = {push};
  expect_named(loaded, "load 1 on node 2 is not a number");

  Lattice moved = tether(1.0);
  moved.nodes[0].fixed = {false, true, true};
  PrescribedMotion motion;
  motion.node = 0;
  motion.displacement.expression = "1e-3 / (0.5 - t) * sqrt(0.5 - t)";
  moved.motions = {motion};
  expect_named(moved, "motion 1 of node 1 along x is");

  Lattice stretched = tether(4.0);
  stretched.functions.resize(1);
  stretched.functions[0].expression = "100*e*sqrt(0.2 - e)";
  stretched.springs[0].law = SpringLaw::expression;
  stretched.springs[0].force = 0;
  expect_named(stretched, "the force of spring 1 (nodes 1 and 2) is not a number");
}

}  // namespace
}  // namespace femflex::hamiltonian
