// Tests whole runs of lattices: continued runs, steps for slack springs, energy balances.
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "models.h"
#include "support/support.h"

namespace femflex::hamiltonian {
namespace {

RunResult run_with(const HamiltonianSystem& system,
                   const State& start,
                   const RunOptions& options,
                   Diagnostics& diagnostics) {
  return run(system, start, options, nullptr, diagnostics, no_progress());
}

/// A pendulum of two masses with a driven pivot and a damper.
Lattice driven() {
  Lattice lattice;
  lattice.dimension = 2;
  lattice.gravity = Eigen::Vector3d(0, -9.81, 0);
  lattice.nodes = {node_at(1, 0, 0, 1), node_at(2, 1, 0, 0.7), node_at(3, 2, 0.2, 0.5)};
  lattice.nodes[0].fixed = {true, false, false};
  lattice.springs = {linear(0, 1, 300, 1), linear(1, 2, 200, 1)};
  lattice.springs[1].damping.c = 0.4;
  PrescribedMotion motion;
  motion.axis = 1;
  motion.displacement.expression = "0.3*sin(4*t)*exp(-t) + 0.1*t^2";
  lattice.motions = {motion};
  return make_lattice(lattice);
}

class Resumed : public ::testing::TestWithParam<Integrator> {};

// Truth: the run that was not cut, with the step of the first part.
TEST_P(Resumed, ARunGoesOnWithItsStepAndHasTheBitsOfOneThatWasNotCut) {
  const LatticeSystem system(driven());
  Diagnostics diagnostics;
  RunOptions options;
  options.integrator = GetParam();
  options.output_step = 0.1;
  options.end = 0.3;  // three times 0.1 is another number
  const RunResult first = run_with(system, system.start(), options, diagnostics);
  options.end = 0.8;
  const RunResult second = run_with(system, first.state, options, diagnostics);
  if (GetParam() != Integrator::dormand_prince) options.step = first.step;
  const RunResult whole = run_with(system, system.start(), options, diagnostics);
  EXPECT_EQ(second.state, whole.state);
  // --dt overrides the step of the state; the step in the model does not
  if (GetParam() == Integrator::dormand_prince) return;
  EXPECT_EQ(second.step, first.step);
  options.step = 0.5 * first.step;
  EXPECT_DOUBLE_EQ(run_with(system, first.state, options, diagnostics).step, 0.5 * first.step);
  options.prefer_stored_step = true;
  EXPECT_EQ(run_with(system, first.state, options, diagnostics).step, first.step);
}

INSTANTIATE_TEST_SUITE_P(Methods,
                         Resumed,
                         ::testing::Values(Integrator::leapfrog,
                                           Integrator::adams_bashforth_3,
                                           Integrator::runge_kutta_4,
                                           Integrator::implicit_midpoint,
                                           Integrator::dormand_prince));

/// A mass thrown at 2 m/s from x = 0.5 into a rope of length 1.
Lattice thrown(double k) {
  Lattice lattice;
  lattice.dimension = 1;
  lattice.nodes = {node_at(1, 0, 0, 1, true), node_at(2, 0.5, 0, 1)};
  lattice.nodes[1].velocity.x() = 2.0;
  lattice.springs = {linear(0, 1, k, 1.0)};
  lattice.springs[0].tension_only = true;
  return make_lattice(lattice);
}

// Truth: free flight, half a period on the taut rope, free flight back: x = 1 - 2 (1 - t1 - pi/w).
TEST(SlackStart, TheStepIsBoundByTheTautRope) {
  for (const double k : {1e6, 1e7, 1e8}) {
    const LatticeSystem system(thrown(k));
    const double w = std::sqrt(k);
    const double truth = 1.0 - 2.0 * (0.75 - std::numbers::pi / w);
    RunOptions options;
    options.end = 1.0;
    for (const Integrator integrator :
         {Integrator::leapfrog, Integrator::runge_kutta_4, Integrator::symplectic_4}) {
      options.integrator = integrator;
      options.step = 0.0;
      Diagnostics diagnostics;
      const RunResult result = run_with(system, system.start(), options, diagnostics);
      EXPECT_NEAR(result.stable_step * w,
                  stable_step(integrator, {w, 0.0}, 1.0) * w,
                  testing::tolerance(1e-3));
      EXPECT_NEAR(result.state.q[1], truth, testing::tolerance(0.03));
      // one that is given and too long
      options.step = 1.5 * result.stable_step;
      Diagnostics warned;
      (void)run_with(system, system.start(), options, warned);
      ASSERT_FALSE(warned.empty());
      EXPECT_NE(warned.warnings()[0].message.find("once slack springs are taut"),
                std::string::npos);
    }
  }
}

/// A mass thrown at 2 m/s on a spring with a force law of its elongation e [m].
Lattice thrown_on(const char* law) {
  Lattice lattice = thrown(0.0);
  lattice.springs[0].tension_only = false;
  lattice.springs[0].law = SpringLaw::expression;
  lattice.springs[0].force = 0;
  lattice.functions.resize(1);
  lattice.functions[0].expression = law;
  return lattice;
}

// Truth: a spring that is soft at the start and stiffens without limit.
TEST(SlackStart, AStepThatBecomesTooLongIsShortened) {
  Lattice lattice = thrown_on("if(e < 0.1, e, 0.1 + 1e5*(e - 0.1)^2)");
  lattice.springs[0].rest_length = 0.5;
  lattice.nodes[1].velocity.x() = 40.0;
  const LatticeSystem system(make_lattice(lattice));
  RunOptions options;
  options.end = 0.05;
  Diagnostics diagnostics;
  options.output_step = 0.0005;
  options.step = 0.0;
  const RunResult result = run_with(system, system.start(), options, diagnostics);
  EXPECT_EQ(result.status, RunStatus::finished);
  EXPECT_NEAR(result.state.time, 0.05, 1e-12);
  EXPECT_LT(result.largest_energy_error, testing::tolerance(0.05));
}

// Truth: the mass on its stop: free travel, then half a period, then the same speed back.
TEST(EnergyError, OfAStopWithFreeTravelIsThatOfTheSteps) {
  const Lattice lattice = thrown_on("if(e > 0.1, 1e6*(e - 0.1), 0)");
  const LatticeSystem system(make_lattice(lattice));
  RunOptions options;
  options.end = 1.5;
  options.step = 1e-5;
  Diagnostics diagnostics;
  const RunResult result = run_with(system, system.start(), options, diagnostics);
  EXPECT_LT(result.largest_energy_error, testing::tolerance(1e-3));
}

// Truth: the energy at the end, which the mass alone has.
TEST(EnergyError, ARunThatLosesEnergySaysSoWithAStepThatWouldDo) {
  const LatticeSystem system(thrown(1e6));
  RunOptions options;
  options.end = 1.0;
  options.step = 1.0 / 520.0;
  Diagnostics diagnostics;
  const RunResult bad = run_with(system, system.start(), options, diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  const std::string said = diagnostics.warnings()[0].message;
  EXPECT_EQ(diagnostics.warnings()[0].code, "energy-error") << said;
  const std::size_t at = said.find("try ");
  ASSERT_NE(at, std::string::npos) << said;
  options.step = 1.0 / std::ceil(1.0 / std::stod(said.substr(at + 4)));
  Diagnostics silent;
  const RunResult good = run_with(system, system.start(), options, silent);
  EXPECT_TRUE(silent.empty());
  EXPECT_GT(bad.largest_energy_error, 20.0 * good.largest_energy_error);
}

// Truth: the method's own order; the work of damper and support is integrated as exactly.
TEST(Account, TheWorkIsAsExactAsTheRun) {
  const LatticeSystem system(driven());
  Diagnostics diagnostics;
  RunOptions options;
  options.integrator = Integrator::dormand_prince;
  options.end = 2.0;
  EXPECT_LT(run_with(system, system.start(), options, diagnostics).largest_energy_error,
            testing::tolerance(1e-7));
  options.integrator = Integrator::runge_kutta_4;
  std::array<double, 2> errors{};
  for (std::size_t i = 0; i < 2; ++i) {
    options.step = i == 0 ? 4e-3 : 2e-3;
    errors[i] = run_with(system, system.start(), options, diagnostics).largest_energy_error;
  }
  EXPECT_GT(std::log2(errors[0] / errors[1]), 3.7);
  EXPECT_LT(errors[1], testing::tolerance(1e-7));
}

// Truth: at a knot of a table the velocity jumps, and with it the moved mass's own energy.
TEST(Account, ATableMotionIsCutAtItsKnots) {
  Lattice lattice = driven();
  lattice.motions[0].displacement = {};
  lattice.motions[0].displacement.arguments = {0.0, 0.2, 0.6, 2.0};
  lattice.motions[0].displacement.values = {0.0, 0.05, -0.1, 0.1};
  const LatticeSystem system(make_lattice(lattice));
  EXPECT_DOUBLE_EQ(system.start().p[1], 0.25);
  Diagnostics diagnostics;
  RunOptions options;
  options.integrator = Integrator::dormand_prince;
  options.output_step = 0.03;
  options.end = 1.0;
  const RunResult result = run_with(system, system.start(), options, diagnostics);
  EXPECT_LT(result.largest_energy_error, testing::tolerance(1e-7));
  EXPECT_LT(result.rejected_steps, 10);
}

// Truth: a number of steps means nothing where the method chooses them.
TEST(Loads, CountedInStepsAreRefusedWhereStepsAreAdaptive) {
  Lattice lattice = thrown(1e3);
  Load load;
  load.node = 1;
  load.force.x() = 1.0;
  load.until_step = 100;
  lattice.loads = {load};
  const LatticeSystem system(make_lattice(lattice));
  Diagnostics diagnostics;
  RunOptions options;
  options.end = 1.0;
  options.integrator = Integrator::dormand_prince;
  EXPECT_THROW((void)run_with(system, system.start(), options, diagnostics), UsageError);
}

// Truth: no whole step fits; the run would end where it begins.
TEST(Steps, LongerThanTheRunAreRefused) {
  const LatticeSystem system(make_lattice(thrown(1e3)));
  Diagnostics diagnostics;
  RunOptions options;
  options.end = 1.0;
  options.step = 10.0;
  EXPECT_THROW((void)run_with(system, system.start(), options, diagnostics), UsageError);
}

// Truth: the order-5 pair. A mass passes the place where its spring has no length to spare, across
// which nothing holds it at the start.
TEST(Steps, AreChosenWhereNothingHoldsTheStart) {
  Lattice lattice;
  lattice.dimension = 2;
  lattice.nodes = {node_at(1, 0.1, 0, 1, true), node_at(2, 0.4, 0, 1)};
  lattice.nodes[1].velocity.y() = 1.0;
  lattice.nodes[1].fixed = {true, false, false};
  lattice.springs = {linear(0, 1, 1.0, 0.3)};
  const LatticeSystem system(make_lattice(lattice));
  Diagnostics diagnostics;
  RunOptions options;
  options.end = 1.0;
  options.output_step = 0.01;
  const RunResult result = run_with(system, system.start(), options, diagnostics);
  ASSERT_EQ(result.status, RunStatus::finished) << result.message;
  EXPECT_EQ(result.step, 0.01);
  const State exact =
      run_quietly(system, system.start(), Integrator::dormand_prince, 0.01, 1.0).state;
  EXPECT_NEAR(result.state.q[3], exact.q[3], testing::tolerance(1e-4));
}

class CountingSink : public SampleSink {
 public:
  void sample(const Sample& /*sample*/) override { ++count; }
  int count = 0;
};

// Truth: rows farther apart than the run is long leave its start and its end.
TEST(Steps, BetweenRowsOfAnyDistanceAreCounted) {
  const LatticeSystem system(make_lattice(thrown(1e3)));
  for (const double apart : {2.0, 1e13, 1e20, 1e300}) {
    Diagnostics diagnostics;
    CountingSink sink;
    RunOptions options;
    options.end = 0.1;
    options.step = 1e-3;
    options.output_step = apart;
    (void)run(system, system.start(), options, &sink, diagnostics, no_progress());
    EXPECT_EQ(sink.count, 2) << apart;
    for (const auto& warning : diagnostics.warnings())
      EXPECT_NE(warning.code, "output-between-steps") << warning.message;
  }
}

// Closed form: free fall. Enough nodes for the fast engine, and no spring at all.
TEST(Runs, ManyMassesWithoutSpringsFallFreely) {
  constexpr int kNodes = 50;
  Lattice lattice;
  lattice.gravity = Eigen::Vector3d(0, 0, -9.81);
  for (int i = 0; i < kNodes; ++i)
    lattice.nodes.push_back(node_at(i + 1, i, 0.3 * i, 1.0 + i));
  const LatticeSystem system(make_lattice(lattice));
  const State end = run_quietly(system, system.start(), Integrator::leapfrog, 1e-2, 1.0).state;
  for (std::size_t i = 0; i < kNodes; ++i)
    EXPECT_NEAR(end.q[3 * i + 2], -0.5 * 9.81, testing::tolerance(1e-12));
}

}  // namespace
}  // namespace femflex::hamiltonian
