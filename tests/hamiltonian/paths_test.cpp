// Tests equilibrium paths: limit points, bifurcations, and springs that break along the path.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/hamiltonian/lattice_statics.h"

#include "models.h"
#include "support/support.h"

namespace femflex::hamiltonian {
namespace {

using testing::tolerance;

Load pull(std::int32_t node, double x, double y, double z = 0.0) {
  Load load;
  load.node = node;
  load.force = Eigen::Vector3d(x, y, z);
  return load;
}

/// Half span 1, pushed down at the apex.
Lattice truss(double height, double k, SpringLaw law) {
  Lattice lattice;
  lattice.dimension = 2;
  lattice.nodes = {node_at(1, -1.0, 0.0, 1.0, true),
                   node_at(2, 0.0, height, 1.0),
                   node_at(3, 1.0, 0.0, 1.0, true)};
  lattice.nodes[1].fixed = {true, false, true};
  const double rest = std::hypot(1.0, height);
  lattice.springs = {linear(0, 1, k, rest), linear(1, 2, k, rest)};
  for (Spring& spring : lattice.springs)
    spring.law = law;
  lattice.loads = {pull(1, 0.0, -1.0)};
  return make_lattice(lattice);
}

/// Load that holds the apex at height y.
double load_at(double y, double height, double k, SpringLaw law) {
  const double rest = std::hypot(1.0, height);
  const double length = std::hypot(1.0, y);
  return law == SpringLaw::linear ? 2.0 * k * y * (rest / length - 1.0)
                                  : 4.0 * k * y * (rest * rest - length * length);
}

double largest_load(double height, double k, SpringLaw law) {
  const double rest = std::hypot(1.0, height);
  const double y = law == SpringLaw::linear ? std::sqrt(std::cbrt(rest * rest) - 1.0)
                                            : height / std::numbers::sqrt3;
  return load_at(y, height, k, law);
}

/// Height, log10 of the stiffness, largest factor relative to the limit load.
class ShallowTruss : public ::testing::TestWithParam<std::tuple<double, int, double, SpringLaw>> {};

// Closed form: the largest of P(y), at y^2 = l0^(2/3) - 1 with linear springs and h^2 / 3 with
// quartic ones. Neither the scale of the forces nor how far the search may go matters.
TEST_P(ShallowTruss, SnapsThroughAtItsClosedForm) {
  const auto [height, power, reach, law] = GetParam();
  const double k = std::pow(10.0, power);
  const double most = largest_load(height, k, law);
  const LatticeSystem system(truss(height, k, law));
  BranchOptions options;
  options.largest_factor = reach * most;
  const Buckling found = find_buckling(system, system.start(), options, no_progress());
  ASSERT_TRUE(found.found) << found.message;
  EXPECT_TRUE(found.is_limit_point);
  EXPECT_NEAR(found.load_factor, most, tolerance(1e-9) * most);

  // the path contains both extremes and stays on its curve
  const Branch branch = follow_branch(system, system.start(), options, no_progress());
  ASSERT_TRUE(branch.complete && branch.message.empty()) << branch.message;
  ASSERT_EQ(branch.critical.size(), 2U);
  EXPECT_NEAR(branch.critical[0].load_factor, most, tolerance(1e-9) * most);
  EXPECT_NEAR(branch.critical[1].load_factor, -most, tolerance(1e-9) * most);
  EXPECT_TRUE(branch.critical[0].is_limit_point && branch.critical[1].is_limit_point);
  EXPECT_EQ(branch.critical[0].negative_after, 1);
  EXPECT_EQ(branch.critical[1].negative_after, 0);
  EXPECT_LT(branch.points.size(), 160U);
  for (const BranchPoint& point : branch.points)
    EXPECT_NEAR(point.load_factor,
                load_at(point.state.q[3], height, k, law),
                tolerance(1e-8) * std::max(most, std::abs(point.load_factor)));
  EXPECT_EQ(branch.points[branch.critical[0].point].load_factor, branch.critical[0].load_factor);
}

INSTANTIATE_TEST_SUITE_P(Hamiltonian,
                         ShallowTruss,
                         ::testing::Combine(::testing::Values(0.05, 0.2, 0.5, 1.0),
                                            ::testing::Values(-6, 0, 3, 9),
                                            ::testing::Values(1.5, 100.0, 1e6),
                                            ::testing::Values(SpringLaw::linear,
                                                              SpringLaw::quartic)));

/// A star dome of 24 bars: apex, a ring of six, six supports.
Lattice dome(double k, SpringLaw law) {
  Lattice lattice;
  lattice.dimension = 3;
  lattice.nodes = {node_at(1, 0.0, 0.0, 1.0)};
  lattice.nodes[0].position.z() = 0.3;
  const auto ring = [&](double radius, double height, double turn, bool held) {
    for (int i = 0; i < 6; ++i) {
      const double angle = (i + turn) * std::numbers::pi / 3.0;
      lattice.nodes.push_back(node_at(static_cast<std::int64_t>(lattice.nodes.size()) + 1,
                                      radius * std::cos(angle),
                                      radius * std::sin(angle),
                                      1.0,
                                      held));
      lattice.nodes.back().position.z() = height;
    }
  };
  ring(1.0, 0.2, 0.0, false);
  ring(2.0, 0.0, 0.5, true);
  const auto bar = [&](std::int32_t a, std::int32_t b) {
    const auto at = [&](std::int32_t n) {
      return lattice.nodes[static_cast<std::size_t>(n)].position;
    };
    lattice.springs.push_back(linear(a, b, k, (at(a) - at(b)).norm()));
    lattice.springs.back().law = law;
  };
  for (std::int32_t i = 0; i < 6; ++i) {
    bar(0, 1 + i);
    bar(1 + i, 1 + (i + 1) % 6);
    bar(1 + i, 7 + i);
    bar(1 + (i + 1) % 6, 7 + i);
  }
  lattice.loads = {pull(0, 0.0, 0.0, -1.0)};
  return make_lattice(lattice);
}

// Truth: a second algorithm, the loads applied in small parts, is stable just below the factor
// found; and factors are proportional to the stiffness, whatever the largest one.
TEST(Paths, ADomeLosesStabilityAtAFactorProportionalToItsStiffness) {
  for (const SpringLaw law : {SpringLaw::linear, SpringLaw::quartic}) {
    double unit = 0.0;
    for (const double k : {1.0, 1e-6, 3.0, 1000.0, 1e9}) {
      for (const double reach : {0.004, 1.0, 1e6}) {
        const LatticeSystem system(dome(k, law));
        BranchOptions options;
        options.largest_factor = reach * k;
        const Buckling found = find_buckling(system, system.start(), options, no_progress());
        ASSERT_TRUE(found.found) << k << " " << reach << " " << found.message;
        EXPECT_TRUE(found.is_limit_point);
        if (unit == 0.0) unit = found.load_factor;
        EXPECT_NEAR(found.load_factor, unit * k, tolerance(1e-9) * unit * k) << k << " " << reach;
      }
    }
    const LatticeSystem system(dome(1.0, law));
    EquilibriumOptions below;
    below.stable = false;
    below.load_steps = 100;
    for (const double part : {0.5, 0.9, 0.999, 1.0 - 1e-6}) {
      below.load_factor = part * unit;
      const Equilibrium rest = find_equilibrium(system, system.start(), below, no_progress());
      EXPECT_TRUE(rest.converged);
      EXPECT_EQ(rest.negative, 0) << part;
    }
  }
}

// Truth: six-fold symmetry has pairs of equal eigenvalues: two become negative at one factor, and
// the path goes on along the symmetric shape.
TEST(Paths, ADoubleBifurcationIsPassedAsOnePoint) {
  const LatticeSystem system(dome(1000.0, SpringLaw::linear));
  BranchOptions options;
  options.largest_factor = 5.0;
  const Branch branch = follow_branch(system, system.start(), options, no_progress());
  ASSERT_TRUE(branch.complete && branch.message.empty()) << branch.message;
  const auto pair =
      std::find_if(branch.critical.begin(), branch.critical.end(), [](const CriticalPoint& point) {
        return point.negative_after - point.negative_before == 2;
      });
  ASSERT_NE(pair, branch.critical.end());
  EXPECT_FALSE(pair->is_limit_point);
  EXPECT_LT(branch.points.size(), 100U);
  for (const BranchPoint& point : branch.points)
    EXPECT_NEAR(std::hypot(point.state.q[0], point.state.q[1]), 0.0, 1e-6);
}

/// Links of length 1/N between pin and roller, hinges between them, straight.
Lattice column(int links, double hinge, double k) {
  Lattice lattice;
  lattice.dimension = 2;
  const double l = 1.0 / links;
  for (int i = 0; i <= links; ++i)
    lattice.nodes.push_back(node_at(i, l * i, 0, 1, i == 0));
  lattice.nodes.back().fixed = {false, true, true};
  for (std::int32_t i = 0; i < links; ++i)
    lattice.springs.push_back(linear(i, i + 1, k, l));
  for (std::int32_t i = 0; i + 1 < links; ++i) {
    RotationalSpring spring;
    spring.a = i;
    spring.b = i + 1;
    spring.stiffness = hinge;
    lattice.hinges.push_back(spring);
  }
  lattice.loads = {pull(links, -1.0, 0.0)};
  return make_lattice(lattice);
}

// Truth: shape m of N links buckles at P = 4 (C/l') sin^2(m pi / 2N), l' = l - P/k: all N - 1 of
// them on one straight path that a few long arcs would cover.
TEST(Paths, SeveralBifurcationsOfAStraightColumnAreToldApart) {
  constexpr int kLinks = 6;
  for (const double hinge : {1e-6, 1.0, 1e6}) {
    for (const double stiffer : {1e3, 1e6}) {
      const double k = hinge * stiffer * kLinks;
      const LatticeSystem system(column(kLinks, hinge, k));
      BranchOptions options;
      options.largest_factor = 1000.0 * hinge;
      const Branch branch = follow_branch(system, system.start(), options, no_progress());
      ASSERT_TRUE(branch.complete) << branch.message;
      ASSERT_GE(branch.critical.size(), static_cast<std::size_t>(kLinks - 1));
      for (int m = 1; m < kLinks; ++m) {
        const double sine = std::sin(m * std::numbers::pi / (2.0 * kLinks));
        double load = 0.0;
        for (int i = 0; i < 60; ++i)
          load = 4.0 * hinge * sine * sine / (1.0 / kLinks - load / k);
        const CriticalPoint& point = branch.critical[static_cast<std::size_t>(m - 1)];
        EXPECT_NEAR(point.load_factor, load, tolerance(2e-9) * load) << m << " " << stiffer;
        EXPECT_FALSE(point.is_limit_point);
        EXPECT_EQ(point.negative_after, m);
      }
    }
  }
}

// Closed form: bars 1 and 2 lie side by side, k1 + k2 carry until bar 2 reaches its limit at
// P = F2 (k1 + k2) / k2; from there bar 1 carries alone, longer by P / k1.
TEST(Paths, ASpringBreaksAtItsLoadAndThePathGoesOnWithoutIt) {
  for (const double k : {1e-3, 1.0, 1e6}) {
    Lattice lattice;
    lattice.dimension = 1;
    lattice.nodes = {node_at(1, 0.0, 0.0, 1.0, true), node_at(2, 1.0, 0.0, 1.0)};
    lattice.springs = {linear(0, 1, 3.0 * k, 1.0), linear(0, 1, k, 1.0)};
    lattice.springs[1].break_force = 0.2 * k;
    lattice.loads = {pull(1, 1.0, 0.0)};
    const LatticeSystem system(make_lattice(lattice));
    BranchOptions options;
    options.largest_factor = 3.0 * k;
    const Branch branch = follow_branch(system, system.start(), options, no_progress());
    ASSERT_TRUE(branch.complete && branch.message.empty()) << branch.message;
    double last = 0.0;
    for (const BranchPoint& point : branch.points) {
      const bool broken = point.state.memory.broken[1] != 0;
      EXPECT_NEAR(point.state.q[1] - 1.0,
                  point.load_factor / (broken ? 3.0 * k : 4.0 * k),
                  tolerance(1e-9));
      if (!broken) last = point.load_factor;
    }
    EXPECT_NEAR(last, 0.8 * k, tolerance(1e-9) * k);
    EXPECT_TRUE(branch.points.back().state.memory.broken[1] != 0);
  }
}

// Closed form: a slack rope carries nothing up to the length d, then joins in: a corner in the
// path.
TEST(Paths, ARopeThatDrawsTightIsPassed) {
  Lattice lattice;
  lattice.dimension = 1;
  lattice.nodes = {node_at(1, 0.0, 0.0, 1.0, true), node_at(2, 1.0, 0.0, 1.0)};
  lattice.springs = {linear(0, 1, 2.0, 1.0), linear(0, 1, 50.0, 1.5)};
  lattice.springs[1].tension_only = true;
  lattice.loads = {pull(1, 1.0, 0.0)};
  const LatticeSystem system(make_lattice(lattice));
  const Branch branch = follow_branch(system, system.start(), {}, no_progress());
  ASSERT_TRUE(branch.complete && branch.message.empty()) << branch.message;
  for (const BranchPoint& point : branch.points) {
    const double e = point.state.q[1] - 1.0;
    EXPECT_NEAR(point.load_factor, 2.0 * e + (e > 0.5 ? 50.0 * (e - 0.5) : 0.0), tolerance(1e-8));
  }
}

}  // namespace
}  // namespace femflex::hamiltonian
