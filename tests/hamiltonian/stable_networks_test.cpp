// Tests stable steps of damped networks that are too large to compute all eigenvalues.
#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/dense.h"

#include "integrators/growth.h"
#include "models.h"
#include "support/support.h"

namespace femflex::hamiltonian {
namespace {

enum class Dampers { some_nodes, all_nodes, some_springs, all_springs, both };

/// A crooked net with masses, constants and dampers that differ by orders of magnitude.
Lattice uneven_net(int columns, int rows, Dampers where, std::uint32_t seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> part(0.0, 1.0);
  const auto decades = [&](double from, double to) {
    return std::pow(10.0, from + (to - from) * part(engine));
  };
  Lattice lattice;
  lattice.dimension = 2;
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      lattice.nodes.push_back(node_at(static_cast<std::int64_t>(lattice.nodes.size()) + 1,
                                      i + 0.2 * part(engine),
                                      j + 0.2 * part(engine),
                                      decades(-1.0, 1.0),
                                      j == 0 && (i == 0 || i == columns - 1)));
      const bool some = part(engine) < 0.4 && where != Dampers::some_springs;
      if (where == Dampers::all_nodes || (some && where != Dampers::all_springs))
        lattice.nodes.back().damping.c = decades(-2.0, 2.0);
    }
  }
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      for (const auto& [di, dj] : {std::pair{1, 0}, {0, 1}, {1, 1}, {-1, 1}}) {
        if (i + di < 0 || i + di >= columns || j + dj >= rows) continue;
        const std::int32_t a = j * columns + i;
        const std::int32_t b = (j + dj) * columns + i + di;
        const double length = (lattice.nodes[static_cast<std::size_t>(a)].position -
                               lattice.nodes[static_cast<std::size_t>(b)].position)
                                  .norm();
        lattice.springs.push_back(linear(a, b, decades(0.0, 3.0), length));
        const bool some = part(engine) < 0.5;
        if (where == Dampers::all_springs ||
            (some && (where == Dampers::some_springs || where == Dampers::both)))
          lattice.springs.back().damping.c = decades(-2.0, 1.0);
      }
    }
  }
  lattice.springs[5].stiffness *= 1e5;
  return make_lattice(lattice);
}

/// All eigenvalues, from the rates of unit displacements and speeds.
std::vector<std::complex<double>> eigenvalues_of(const LatticeSystem& system) {
  const State start = system.start();
  const std::size_t n = system.dof_count();
  const auto size = static_cast<Eigen::Index>(n);
  SparseMatrix lower;
  std::vector<double> inverse_mass;
  system.tangent(start.memory, start.q, lower, inverse_mass);
  const Eigen::MatrixXd k = Eigen::MatrixXd(lower).selfadjointView<Eigen::Lower>();
  Eigen::MatrixXd flow = Eigen::MatrixXd::Zero(2 * size, 2 * size);
  flow.topRightCorner(size, size).setIdentity();
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    flow.row(size + row).head(size) = -inverse_mass[i] * k.row(row);
    if (inverse_mass[i] == 0.0) flow(row, size + row) = 0.0;
  }
  std::vector<double> p(n);
  std::vector<double> drag(n);
  for (std::size_t j = 0; j < n; ++j) {
    if (inverse_mass[j] == 0.0) continue;
    std::fill(p.begin(), p.end(), 0.0);
    std::fill(drag.begin(), drag.end(), 0.0);
    p[j] = 1.0 / inverse_mass[j];
    system.add_dissipation(start.memory, start.q, p, drag);
    for (std::size_t i = 0; i < n; ++i)
      flow(size + static_cast<Eigen::Index>(i), size + static_cast<Eigen::Index>(j)) =
          drag[i] * inverse_mass[i];
  }
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(flow, false);
  return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

bool less_than_twofold(const std::vector<std::complex<double>>& all,
                       Integrator integrator,
                       double h,
                       double duration) {
  double worst = 0.0;
  for (const std::complex<double>& lambda : all)
    worst = std::max(
        worst,
        growth(integrator, h * std::complex<double>(std::min(0.0, lambda.real()), lambda.imag())));
  return std::log(worst) * duration / h <= std::log(2.0) + 1e-6;
}

class UnevenNets : public ::testing::TestWithParam<Dampers> {};

// Truth: all eigenvalues of the linearised net. The limits of Euler and AB2 depend on the least
// damping, which must not be overestimated.
TEST_P(UnevenNets, ClaimNoStepThatGrows) {
  const LatticeSystem system(uneven_net(10, 9, GetParam(), 11));
  const State start = system.start();
  ASSERT_TRUE(system.eigenvalues(start).empty()) << "small enough to be exact";
  const std::vector<std::complex<double>> all = eigenvalues_of(system);
  const FastestMotion fastest = system.fastest_motion(start);
  for (const Integrator integrator : {Integrator::euler,
                                      Integrator::adams_bashforth_2,
                                      Integrator::adams_bashforth_3,
                                      Integrator::runge_kutta_4}) {
    for (const double duration : {1.0, 50.0, 1e4}) {
      const double step = stable_step(integrator, system, start, fastest, duration);
      ASSERT_GT(step, 0.0) << name_of(integrator) << " " << duration;
      EXPECT_TRUE(less_than_twofold(all, integrator, step, duration))
          << name_of(integrator) << " " << duration << " " << step;
      // what a method without damping may take is always true; where eigenvalues and not shapes
      // bound the step it may be longer
      const double undamped = stable_step(integrator, {fastest.omega, 0.0}, duration);
      EXPECT_GE(step, 0.9 * std::min(undamped, 1.0)) << name_of(integrator) << " " << duration;
      if (integrator == Integrator::runge_kutta_4) {
        EXPECT_FALSE(less_than_twofold(all, integrator, 2.0 * step, duration)) << duration;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Hamiltonian,
                         UnevenNets,
                         ::testing::Values(Dampers::some_nodes,
                                           Dampers::all_nodes,
                                           Dampers::some_springs,
                                           Dampers::all_springs,
                                           Dampers::both));

// Truth: Rayleigh quotients of random shapes and of extreme ones, of a net under tension.
TEST(StableNetworks, NoShapeIsLessDampedThanNodesAndSpringsPromise) {
  for (const bool on_springs : {false, true}) {
    Lattice lattice = uneven_net(
        10, 9, on_springs ? Dampers::all_springs : Dampers::all_nodes, on_springs ? 3U : 4U);
    lattice.friction = 0.01;
    for (Spring& spring : lattice.springs)
      spring.rest_length *= 0.999;
    const LatticeSystem system(make_lattice(lattice));
    const State start = system.start();
    const DampingBound line = system.damping_bound(start);
    EXPECT_GT(line.least, 0.0);
    EXPECT_EQ(line.slope > 0.0, on_springs);
    for (const auto& [a, b] :
         {std::pair{1.0, 0.0}, {-1.0, 0.0}, {0.0, 1.0}, {-1.0, 1e-3}, {-1.0, 1e-4}}) {
      const RayleighQuotients motion = system.extreme_shape(start, a, b);
      EXPECT_GE(motion.damping, line.least * (1.0 - 1e-9));
      EXPECT_GE(motion.damping + 1e-9, line.slope * motion.stiffness - line.offset);
    }
    const auto proof = system.definiteness_test(start);
    ASSERT_TRUE(proof);
    EXPECT_TRUE(proof(1.0, 0.0, -0.99 * line.least)) << "C > least M";
    EXPECT_TRUE(proof(1.0, -0.99 * line.slope, line.offset + line.least));
    EXPECT_FALSE(proof(-1.0, 0.0, 0.0));
  }
}

}  // namespace
}  // namespace femflex::hamiltonian
