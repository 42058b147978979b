// Tests lattice runs that the caller advances step by step, compared with run().
#include "femflex/hamiltonian/stepping.h"

#include <cmath>

#include <gtest/gtest.h>

#include "femflex/hamiltonian/generators.h"
#include "femflex/hamiltonian/lattice_system.h"

#include "support/support.h"

namespace femflex::testing {
namespace {

using namespace hamiltonian;

Lattice two_masses() {
  Lattice lattice;
  lattice.dimension = 2;
  lattice.gravity = {0.0, -9.81, 0.0};
  lattice.nodes = {{.id = 1, .position = {0, 0, 0}, .fixed = {true, true, true}},
                   {.id = 2, .position = {1, 0, 0}, .mass = 2.0},
                   {.id = 3, .position = {2, 0.1, 0}, .velocity = {0, 1, 0}, .mass = 1.0}};
  Spring spring{.a = 0, .b = 1, .law = SpringLaw::linear, .stiffness = 300.0, .rest_length = 1.0};
  spring.damping.c = 0.5;
  lattice.springs = {spring, {.a = 1, .b = 2, .stiffness = 80.0, .rest_length = 1.0}};
  return make_lattice(std::move(lattice));
}

class Stepped : public ::testing::TestWithParam<Integrator> {};

// Truth: run(), bit for bit; it matters not in how many pieces the steps are made.
TEST_P(Stepped, InPiecesGivesTheStatesOfARun) {
  const LatticeSystem system(two_masses());
  RunOptions options;
  options.integrator = GetParam();
  options.step = 1e-3;
  options.end = 0.6;
  Diagnostics diagnostics;
  const RunResult whole = run(system, system.start(), options, nullptr, diagnostics, no_progress());
  Stepping stepping(system, GetParam(), 1e-3, system.start());
  for (const int count : {1, 99, 300, 200})
    ASSERT_TRUE(stepping.advance(count)) << stepping.failure();
  EXPECT_EQ(stepping.state().time, whole.state.time);
  EXPECT_EQ(stepping.state().q, whole.state.q);
  EXPECT_EQ(stepping.state().p, whole.state.p);
  EXPECT_NEAR(stepping.work(), whole.work, tolerance(1e-12) * std::abs(whole.work));
}
INSTANTIATE_TEST_SUITE_P(All,
                         Stepped,
                         ::testing::Values(Integrator::leapfrog,
                                           Integrator::runge_kutta_4,
                                           Integrator::adams_bashforth_3,
                                           Integrator::symplectic_4,
                                           Integrator::implicit_midpoint));

// Truth: conservation. Energy less work stays, over a change of the state from outside too, once
// the energy that the change gave is counted.
TEST(Stepping, KeepsItsAccountOverAChangeFromOutside) {
  const LatticeSystem system(two_masses());
  Stepping stepping(system, Integrator::symplectic_4, 5e-4, system.start());
  const auto balance = [&] { return stepping.energy().total() - stepping.work(); };
  const double start = balance();
  ASSERT_TRUE(stepping.advance(400));
  EXPECT_NEAR(balance(), start, tolerance(1e-6) * std::abs(stepping.energy().kinetic + 1.0));
  const double before = balance();
  State pushed = stepping.state();
  pushed.p[4] += 3.0;
  stepping.set_state(pushed);
  const double given = balance() - before;
  EXPECT_GT(std::abs(given), 0.1);
  ASSERT_TRUE(stepping.advance(400));
  EXPECT_NEAR(balance(), start + given, tolerance(1e-6) * stepping.energy().kinetic);
}

TEST(Stepping, OfAnUnstableStepFailsWithAReason) {
  const LatticeSystem system(two_masses());
  Stepping stepping(system, Integrator::leapfrog, 1.0, system.start());
  bool goes = true;
  for (int k = 0; k < 2000 && goes; ++k)
    goes = stepping.advance(10);
  EXPECT_FALSE(goes);
  EXPECT_FALSE(stepping.failure().empty());
}

}  // namespace
}  // namespace femflex::testing
