// Tests the implicit midpoint rule with initial momenta of zero.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/hamiltonian/integrate.h"

#include "models.h"
#include "support/support.h"

namespace femflex::hamiltonian {
namespace {

using testing::tolerance;

/// A stiff truss of light masses, held at one end, that gravity and a weight set off.
Lattice truss() {
  Lattice lattice;
  lattice.dimension = 2;
  lattice.gravity = Eigen::Vector3d(0.0, -9.81, 0.0);
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 2; ++row)
      lattice.nodes.push_back(node_at(2 * column + row, column, row, 0.2, column == 0));
  const auto bar = [&](std::int32_t a, std::int32_t b, double length) {
    Spring spring = linear(a, b, 300.0, length);
    spring.law = SpringLaw::quartic;
    lattice.springs.push_back(spring);
  };
  for (std::int32_t c = 0; c < 4; ++c) {
    if (c > 0) bar(2 * c, 2 * c + 1, 1.0);
    if (c == 3) break;
    bar(2 * c, 2 * c + 2, 1.0);
    bar(2 * c + 1, 2 * c + 3, 1.0);
    bar(2 * c, 2 * c + 3, std::sqrt(2.0));
    bar(2 * c + 1, 2 * c + 2, std::sqrt(2.0));
  }
  return lattice;
}

double position_distance(const State& a, const State& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.q.size(); ++i)
    sum += std::pow(a.q[i] - b.q[i], 2);
  return std::sqrt(sum);
}

// Truth: the order-5 pair. The fastest motion takes 0.02 s, so that the longest steps need Newton
// and the shortest ones iterate; every one of them moves, and halved steps quarter the error.
TEST(ImplicitMidpoint, MovesFromRestWhateverTheStep) {
  const LatticeSystem system(make_lattice(truss()));
  constexpr double end = 0.24;
  const RunResult exact =
      run_quietly(system, system.start(), Integrator::dormand_prince, 1e-3, end);
  ASSERT_EQ(exact.status, RunStatus::finished) << exact.message;
  const double travel = position_distance(exact.state, system.start());
  ASSERT_GT(travel, 0.05);
  double last = 0.0;
  for (const double h : {4e-2, 2e-2, 1e-2, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4}) {
    const RunResult moved =
        run_quietly(system, system.start(), Integrator::implicit_midpoint, h, end);
    ASSERT_EQ(moved.status, RunStatus::finished) << moved.message << " step " << h;
    const double error = position_distance(moved.state, exact.state);
    EXPECT_LT(error, 0.3 * travel) << h;
    if (h <= 5e-4) {
      EXPECT_NEAR(last / error, 4.0, 0.4) << h;
    }
    last = error;
  }
}

/// A mass of 1 kg, 0.2 m from the rest of a spring of 1 N/m, with a strong damper.
Lattice overdamped(double c, bool along_spring) {
  Lattice lattice;
  lattice.dimension = 1;
  lattice.nodes = {node_at(1, 0, 0, 1, true), node_at(2, 1.2, 0, 1)};
  lattice.springs = {linear(0, 1, 1.0, 1.0)};
  (along_spring ? lattice.springs[0].damping : lattice.nodes[1].damping).c = c;
  return make_lattice(lattice);
}

// Closed form: e = 0.2 (b exp(-a t) - a exp(-b t)) / (b - a), where a and b are the roots of
// x^2 - c x + 1.
TEST(ImplicitMidpoint, TakesLongStepsWithStrongDampers) {
  constexpr double end = 10.0;
  for (const double c : {10.0, 1e3, 1e5}) {
    for (const bool along_spring : {false, true}) {
      const LatticeSystem system(overdamped(c, along_spring));
      const RunResult moved =
          run_quietly(system, system.start(), Integrator::implicit_midpoint, 0.2, end);
      ASSERT_EQ(moved.status, RunStatus::finished) << moved.message << " c " << c;
      const double b = 0.5 * (c + std::sqrt(c * c - 4.0));
      const double a = 1.0 / b;
      const double exact = 1.0 + 0.2 * (b * std::exp(-a * end) - a * std::exp(-b * end)) / (b - a);
      EXPECT_NEAR(moved.state.q[1], exact, tolerance(1e-5)) << c;
    }
  }
}

// Truth: the order-5 pair. Dampers along bars that turn, so that Newton's matrix changes.
TEST(ImplicitMidpoint, TakesLongStepsWithStrongDampersInAPlane) {
  Lattice lattice = truss();
  for (Spring& spring : lattice.springs)
    spring.damping.c = 500.0;
  const LatticeSystem system(make_lattice(lattice));
  constexpr double end = 0.2;
  const State moved =
      run_quietly(system, system.start(), Integrator::implicit_midpoint, 5e-3, end).state;
  const State exact =
      run_quietly(system, system.start(), Integrator::dormand_prince, 1e-3, end).state;
  const double travel = position_distance(exact, system.start());
  EXPECT_EQ(moved.time, end);
  EXPECT_GT(travel, 1e-3);
  EXPECT_LT(position_distance(moved, exact), 0.02 * travel);
}

}  // namespace
}  // namespace femflex::hamiltonian
