// Tests the fast leapfrog kernels. Truth: the general step, which computes one spring at a time;
// the laws of laws/; and equality of every bit for any number of threads and passes.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "femflex/laws/spring.h"

#include "integrators/stepper.h"
#include "kernels/tiled_network.h"
#include "lattice_system/spring_law.h"
#include "models.h"
#include "support/support.h"

namespace femflex::hamiltonian {
namespace {

/// A moving block: displaced positions, some fixed nodes, a different stiffness for each spring,
/// nodes numbered at random.
Lattice moving_block(int dimension, bool irregular) {
  BlockOptions options;
  options.dimension = dimension;
  options.nodes = {dimension == 3 ? 21 : 83, dimension == 3 ? 17 : 61, dimension == 3 ? 14 : 1};
  options.size = {
      dimension == 3 ? 20.0 : 82.0, dimension == 3 ? 16.0 : 60.0, dimension == 3 ? 13.0 : 0.0};
  options.stiffness = 30.0;
  options.diagonal_stiffness = 20.0;
  Lattice lattice = make_block(options);
  lattice.gravity(1) = -1.0;
  std::mt19937 random(11);
  std::uniform_real_distribution<double> shake(-0.1, 0.1);
  for (LatticeNode& node : lattice.nodes) {
    for (int axis = 0; axis < dimension; ++axis)
      node.velocity(axis) = shake(random);
  }
  for (std::size_t i = 0; i < 20; ++i)
    lattice.nodes[i].fixed = {true, i % 2 == 0, true};
  if (!irregular) return make_lattice(lattice);
  for (Spring& spring : lattice.springs)
    spring.stiffness *= 1.0 + shake(random);
  for (std::size_t i = 0; i < lattice.nodes.size(); i += 3)
    lattice.nodes[i].mass = 2.0;
  std::vector<std::int32_t> place(lattice.nodes.size());
  for (std::size_t i = 0; i < place.size(); ++i)
    place[i] = static_cast<std::int32_t>(i);
  std::shuffle(place.begin(), place.end(), random);
  std::vector<LatticeNode> nodes(lattice.nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    nodes[static_cast<std::size_t>(place[i])] = lattice.nodes[i];
  lattice.nodes = nodes;
  std::vector<Spring> kept;
  for (Spring spring : lattice.springs) {
    if (std::abs(shake(random)) < 0.02) continue;  // makes holes in the network
    spring.a = place[static_cast<std::size_t>(spring.a)];
    spring.b = place[static_cast<std::size_t>(spring.b)];
    kept.push_back(spring);
  }
  lattice.springs = kept;
  return make_lattice(lattice);
}

class Tiles : public ::testing::TestWithParam<std::tuple<int, bool>> {};

// Truth: the general leapfrog step, which computes one spring at a time.
TEST_P(Tiles, MoveANetworkAsTheGeneralStepDoes) {
  const auto [dimension, irregular] = GetParam();
  const LatticeSystem system(moving_block(dimension, irregular));
  const auto fast = system.fast_leapfrog();
  ASSERT_NE(fast, nullptr);
  RunOptions options;
  Stepper stepper(system, options);
  State slow = system.start();
  State quick = slow;
  const double h = 0.01;
  ASSERT_TRUE(fast->load(quick, h));
  EXPECT_EQ(fast->advance(50, 1), 50);
  fast->store(quick);
  for (int i = 0; i < 50; ++i)
    ASSERT_TRUE(stepper.advance(slow, i * h, h));
  double worst = 0.0;
  for (std::size_t i = 0; i < slow.q.size(); ++i) {
    worst = std::max(worst, std::abs(slow.q[i] - quick.q[i]));
    worst = std::max(worst, std::abs(slow.p[i] - quick.p[i]));
  }
  EXPECT_LT(worst, testing::tolerance(1e-10));
}

/// The force -dH/dq by the laws of laws/, and a bound of its rounding errors.
struct ByTheKit {
  std::vector<double> force, scale;
};

ByTheKit force_by_the_kit(const Lattice& lattice, const std::vector<double>& q) {
  const auto dim = static_cast<std::size_t>(lattice.dimension);
  ByTheKit out{std::vector<double>(q.size()), std::vector<double>(q.size())};
  for (const Spring& spring : lattice.springs) {
    const std::size_t a = static_cast<std::size_t>(spring.a) * dim;
    const std::size_t b = static_cast<std::size_t>(spring.b) * dim;
    double r2 = 0.0;
    for (std::size_t d = 0; d < dim; ++d)
      r2 += (q[b + d] - q[a + d]) * (q[b + d] - q[a + d]);
    const double over_length = force_over_length(spring, nullptr, r2);
    const double k = spring.stiffness;
    const double d0 = spring.rest_length;
    const double terms = spring.law == SpringLaw::linear ? k * (std::sqrt(r2) + d0)
                                                         : 2.0 * k * (r2 + d0 * d0) * std::sqrt(r2);
    for (std::size_t d = 0; d < dim; ++d) {
      out.force[a + d] += over_length * (q[b + d] - q[a + d]);
      out.force[b + d] -= over_length * (q[b + d] - q[a + d]);
      out.scale[a + d] += terms;
      out.scale[b + d] += terms;
    }
  }
  return out;
}

enum class Laws { quartic, linear, taut_quartic, taut_linear, mixed };
constexpr std::array kAllLaws = {
    Laws::quartic, Laws::linear, Laws::taut_quartic, Laws::taut_linear, Laws::mixed};

void set_laws(Lattice& lattice, Laws laws) {
  for (std::size_t s = 0; s < lattice.springs.size(); ++s) {
    const std::size_t law =
        laws == Laws::mixed ? (s * s + s / 7) % 4 : static_cast<std::size_t>(laws);
    lattice.springs[s].law = law % 2 == 0 ? SpringLaw::quartic : SpringLaw::linear;
    lattice.springs[s].tension_only = law >= 2;
  }
}

double largest_difference(const State& one, const State& other) {
  double worst = 0.0;
  for (std::size_t i = 0; i < one.q.size(); ++i) {
    worst = std::max(worst, std::abs(one.q[i] - other.q[i]));
    worst = std::max(worst, std::abs(one.p[i] - other.p[i]));
  }
  return worst;
}

// Truth: the laws of laws/. The kernels compute alpha r^2 - beta for 2 k (r^2 - d^2), and alpha -
// beta/L for k (1 - d/L). The results may differ only by some rounding errors of the two terms.
TEST_P(Tiles, PullAsTheKitOfLawsDoes) {
  const auto [dimension, irregular] = GetParam();
  for (const Laws laws : kAllLaws) {
    Lattice lattice = moving_block(dimension, irregular);
    set_laws(lattice, laws);
    lattice.gravity.setZero();
    for (LatticeNode& node : lattice.nodes)
      node.fixed = {false, false, false};
    const LatticeSystem system(lattice);
    const auto fast = system.fast_leapfrog();
    ASSERT_NE(fast, nullptr);
    std::mt19937 random(17);
    std::uniform_real_distribution<double> shake(-0.3, 0.3);
    State state = system.start();
    std::fill(state.p.begin(), state.p.end(), 0.0);
    for (int round = 0; round < 3; ++round) {
      for (double& x : state.q)
        x += shake(random);
      // a step from rest gives the force: u = h f / (2 m), p = m (u + h f / (2 m))
      std::vector<double> short_loop(state.q.size());
      system.total_force(state.memory, state.q, short_loop);
      const ByTheKit kit = force_by_the_kit(lattice, state.q);
      State moved = state;
      constexpr double kStep = 0x1p-100;  // positions do not change
      ASSERT_TRUE(fast->load(moved, kStep));
      ASSERT_EQ(fast->advance(1, 1), 1);
      fast->store(moved);
      double worst = 0.0;
      for (std::size_t i = 0; i < state.q.size(); ++i) {
        worst = std::max(worst, std::abs(moved.p[i] / kStep - kit.force[i]) / kit.scale[i]);
        worst = std::max(worst, std::abs(short_loop[i] - kit.force[i]) / kit.scale[i]);
      }
      EXPECT_LT(worst, testing::tolerance(8.0 * std::numeric_limits<double>::epsilon()));
    }
  }
}

/// A block with every law, friction, time-dependent loads and nodes with prescribed motion.
Lattice driven_block(int dimension, bool irregular) {
  Lattice lattice = moving_block(dimension, irregular);
  set_laws(lattice, irregular ? Laws::mixed : Laws::linear);
  lattice.friction = 0.3;
  Load load;
  load.node = 100;
  load.force = Eigen::Vector3d(3.0, 1.0, 0.0);
  load.history.expression = "sin(9*t)";
  lattice.loads.push_back(load);
  load.node = 101;
  load.history = {};
  load.from = 0.105;
  load.until = 0.32;
  lattice.loads.push_back(load);
  load.node = 102;
  load.until_step = 17;
  lattice.loads.push_back(load);
  PrescribedMotion motion;
  motion.node = 200;
  motion.axis = 1;
  motion.displacement.expression = "0.1*sin(5*t)";
  lattice.motions.push_back(motion);
  return make_lattice(lattice);
}

/// The same block with a hinge, springs that break, a table and a formula. One of these is at a
/// node with prescribed motion.
Lattice special_block(int dimension, bool irregular) {
  Lattice lattice = driven_block(dimension, irregular);
  Function formula;
  formula.expression = "20*e + 5*e^3";
  Function table;
  table.arguments = {-1.0, 0.0, 1.0};
  table.values = {-30.0, 0.0, 20.0};
  lattice.functions = {formula, table};
  const auto set_law = [&](std::size_t spring, SpringLaw law) {
    lattice.springs[spring].law = law;
    lattice.springs[spring].force = law == SpringLaw::table ? 1 : 0;
  };
  for (std::size_t s = 0; s < lattice.springs.size(); ++s) {
    const bool is_driven = lattice.springs[s].a == 200 || lattice.springs[s].b == 200;
    if (s == 40 || is_driven) set_law(s, SpringLaw::expression);
    if (s == 41) set_law(s, SpringLaw::table);
    if (s % 13 == 5)
      lattice.springs[s].break_elongation = dimension == 3 && !irregular ? 1e-4 : 0.01;
  }
  RotationalSpring hinge;
  hinge.a = 500;
  hinge.b = 501;
  while (lattice.springs[static_cast<std::size_t>(hinge.b)].a !=
         lattice.springs[static_cast<std::size_t>(hinge.a)].a)
    ++hinge.b;
  hinge.stiffness = 3.0;
  hinge.reference = Reference::initial;
  lattice.hinges.push_back(hinge);
  return make_lattice(lattice);
}

// Truth: the general leapfrog step, which computes one spring at a time.
TEST_P(Tiles, TakeFrictionLoadsAndMotionsAsTheGeneralStepDoes) {
  const auto [dimension, irregular] = GetParam();
  for (const bool special : {false, true}) {
    const LatticeSystem system(special ? special_block(dimension, irregular)
                                       : driven_block(dimension, irregular));
    const auto fast = system.fast_leapfrog();
    ASSERT_NE(fast, nullptr);
    const RunOptions options;
    Stepper stepper(system, options);
    const double h = 0.01;
    State slow = system.start();
    State quick = slow;
    ASSERT_TRUE(fast->load(quick, h));
    for (int i = 0; i < 50; ++i)
      ASSERT_TRUE(stepper.advance(slow, i * h, h));
    EXPECT_EQ(fast->advance(13, 1), 13);
    fast->store(quick);
    EXPECT_EQ(fast->advance(37, 2), 37);
    fast->store(quick);
    EXPECT_LT(largest_difference(slow, quick), testing::tolerance(1e-10));
    EXPECT_EQ(slow.memory.broken, quick.memory.broken);
    const auto broken = std::count(slow.memory.broken.begin(), slow.memory.broken.end(), 1);
    EXPECT_EQ(broken > 0, special);
  }
}

/// A block with dampers along most springs, friction, a time-dependent load, nodes with prescribed
/// motion, a formula and a table.
Lattice damped_block(int dimension, bool irregular) {
  Lattice lattice = moving_block(dimension, irregular);
  set_laws(lattice, irregular ? Laws::mixed : Laws::linear);
  for (Spring& spring : lattice.springs)
    spring.tension_only = false;  // makes the problem smooth
  lattice.friction = 0.3;
  for (std::size_t s = 0; s < lattice.springs.size(); ++s) {
    if (s % 5 != 0)
      lattice.springs[s].damping.c = irregular ? 0.1 + 0.05 * static_cast<double>(s % 3) : 0.15;
    lattice.springs[s].damping.per_mass = s % 7 == 0;
  }
  Load load;
  load.node = 100;
  load.force = Eigen::Vector3d(3.0, 1.0, 0.0);
  load.history.expression = "sin(9*t)";
  lattice.loads.push_back(load);
  for (const std::int32_t node : {200, 201, 202}) {
    PrescribedMotion motion;
    motion.node = node;
    motion.axis = 1;
    motion.displacement.expression = node == 201 ? "0.05*t" : "0.1*sin(5*t)";
    lattice.motions.push_back(motion);
  }
  Function formula;
  formula.expression = "20*e + 5*e^3";
  lattice.functions = {formula};
  for (const std::size_t s : {40U, 41U}) {
    lattice.springs[s].law = SpringLaw::expression;
    lattice.springs[s].force = 0;
  }
  return make_lattice(lattice);
}

// Truth: an adaptive run with a tolerance of 1e-12. With half the step the error is a quarter
// (order 2). The same order applies to the error of the energy balance.
TEST_P(Tiles, SlowDampedNetworksInSecondOrder) {
  const auto [dimension, irregular] = GetParam();
  const LatticeSystem system(damped_block(dimension, irregular));
  ASSERT_NE(system.fast_leapfrog(), nullptr);
  constexpr double kEnd = 0.32;
  const RunResult exact =
      run_quietly(system, system.start(), Integrator::dormand_prince, 0.01, kEnd);
  ASSERT_EQ(exact.status, RunStatus::finished);
  const auto result = [&](double h) {
    return run_quietly(system, system.start(), Integrator::leapfrog, h, kEnd);
  };
  const auto missing = [](const RunResult& run) {
    return std::abs(run.end.total() - run.start.total() - run.work);
  };
  const RunResult coarse = result(0.01);
  const RunResult fine = result(0.005);
  const double error = largest_difference(coarse.state, exact.state);
  EXPECT_LT(error, 0.01);
  EXPECT_LT(largest_difference(fine.state, exact.state), 0.3 * error);
  EXPECT_LT(std::abs(exact.work - fine.work), 0.02 * std::abs(exact.work));
  EXPECT_LT(missing(fine), 0.5 * missing(coarse));
  EXPECT_LT(missing(fine), 0.01 * std::abs(fine.work));
}

// Truth: dampers act with opposite forces on both ends, so the momentum of a free network is
// constant.
TEST(TiledNetworks, KeepMomentumWithDampers) {
  Lattice lattice = moving_block(2, true);
  for (LatticeNode& node : lattice.nodes)
    node.fixed = {};
  lattice.gravity.setZero();
  for (Spring& spring : lattice.springs)
    spring.damping.c = 0.5;
  const LatticeSystem system(make_lattice(lattice));
  const auto momentum = [](const State& state) {
    std::array<double, 2> sum{};
    for (std::size_t i = 0; i < state.p.size(); ++i)
      sum[i % 2] += state.p[i];
    return sum;
  };
  ASSERT_NE(system.fast_leapfrog(), nullptr);
  const RunResult run = run_quietly(system, system.start(), Integrator::leapfrog, 0.01, 1.0);
  for (std::size_t axis = 0; axis < 2; ++axis)
    EXPECT_NEAR(momentum(run.state)[axis],
                momentum(system.start())[axis],
                testing::tolerance(1e-10) * static_cast<double>(lattice.nodes.size()));
  EXPECT_LT(run.work, 0.0);
}

// Dampers that stop a motion within a step are computed by the general step.
TEST(TiledNetworks, LeaveStrongDampersToTheGeneralStep) {
  Lattice lattice = moving_block(2, true);
  for (Spring& spring : lattice.springs)
    spring.damping.c = 1.0;
  const LatticeSystem system(make_lattice(lattice));
  const auto fast = system.fast_leapfrog();
  ASSERT_NE(fast, nullptr);
  EXPECT_TRUE(fast->load(system.start(), 0.01));
  EXPECT_FALSE(fast->load(system.start(), 0.2));
}

// Truth: energy is conserved if the energy of broken springs is included.
TEST_P(Tiles, CountTheEnergyOfBrokenSprings) {
  const auto [dimension, irregular] = GetParam();
  const LatticeSystem system(special_block(dimension, irregular));
  const RunResult result = run_quietly(system, system.start(), Integrator::leapfrog, 0.001, 0.5);
  EXPECT_EQ(result.status, RunStatus::finished);
  EXPECT_GT(std::abs(result.broken_energy), 0.0);
  const double missing =
      result.end.total() + result.broken_energy - result.start.total() - result.work;
  EXPECT_LT(std::abs(missing), 0.01 * std::abs(result.work));
}

// Truth: energy is conserved. The energy balance has an error, because the energy of leapfrog
// itself oscillates. With half the step this error is a quarter.
TEST_P(Tiles, CountTheWorkOfFrictionLoadsAndMotions) {
  const auto [dimension, irregular] = GetParam();
  const LatticeSystem system(driven_block(dimension, irregular));
  const auto missing = [&](double h) {
    const RunResult result = run_quietly(system, system.start(), Integrator::leapfrog, h, 0.48);
    EXPECT_EQ(result.status, RunStatus::finished);
    EXPECT_GT(std::abs(result.work), 0.1);
    return std::abs(result.end.total() - result.start.total() - result.work) /
           std::abs(result.work);
  };
  const double coarse = missing(0.008);
  const double fine = missing(0.004);
  const double finest = missing(0.002);
  EXPECT_LT(finest, 0.01);
  EXPECT_LT(fine, 0.5 * coarse);
  EXPECT_LT(finest, 0.5 * fine);
}

// Truth: equality of every bit.
TEST_P(Tiles, GiveTheSameBitsForAnyNumberOfThreadsAndWhenCutInTwo) {
  const auto [dimension, irregular] = GetParam();
  for (const int what : {0, 1, 2}) {
    const bool special = what == 1;
    const LatticeSystem system(special     ? special_block(dimension, irregular)
                               : what == 2 ? damped_block(dimension, irregular)
                                           : driven_block(dimension, irregular));
    const auto after = [&](int threads, int first, int then) {
      State state = system.start();
      const auto fast = system.fast_leapfrog();
      for (const int steps : {first, then}) {
        (void)fast->load(state, 0.01);
        (void)fast->advance(steps, threads);
        state.step += steps;
        state.time = 0.01 * static_cast<double>(state.step);
        fast->store(state);
      }
      return state;
    };
    const State one = after(1, 40, 0);
    EXPECT_TRUE(one == after(2, 40, 0));
    EXPECT_TRUE(one == after(3, 40, 0));
    // if a spring breaks at the interruption, the velocities are computed again
    if (!special) {
      EXPECT_TRUE(one == after(2, 13, 27));
    }
  }
}

// If the kernels can compute only few of the springs, the general step is faster and is used.
TEST_P(Tiles, LeaveNetworksOfSpecialSpringsToTheGeneralStep) {
  const auto [dimension, irregular] = GetParam();
  Lattice lattice = driven_block(dimension, irregular);
  const auto break_share = [&](std::size_t every) {
    for (std::size_t s = 0; s < lattice.springs.size(); s += every)
      lattice.springs[s].break_elongation = 10.0;
    return LatticeSystem(lattice).fast_leapfrog() != nullptr;
  };
  EXPECT_TRUE(break_share(3));
  EXPECT_FALSE(break_share(1));
}

INSTANTIATE_TEST_SUITE_P(Hamiltonian,
                         Tiles,
                         ::testing::Combine(::testing::Values(2, 3), ::testing::Bool()));

// Truth: a lattice with random node numbers is recognised as regular, so almost no indices are
// stored.
TEST(TiledNetworks, FindRegularLatticesWhateverTheirNumbering) {
  Lattice lattice = moving_block(3, false);
  std::mt19937 random(5);
  std::vector<std::int32_t> place(lattice.nodes.size());
  for (std::size_t i = 0; i < place.size(); ++i)
    place[i] = static_cast<std::int32_t>(i);
  std::shuffle(place.begin(), place.end(), random);
  std::vector<double> q(3 * place.size());
  for (std::size_t i = 0; i < place.size(); ++i) {
    for (std::size_t d = 0; d < 3; ++d)
      q[3 * static_cast<std::size_t>(place[i]) + d] =
          lattice.nodes[i].position(static_cast<Eigen::Index>(d));
  }
  std::vector<Bond> bonds;
  for (const Spring& s : lattice.springs)
    bonds.push_back(
        {place[static_cast<std::size_t>(s.a)], place[static_cast<std::size_t>(s.b)], 1.0, 1.0});
  const std::vector<double> ones(q.size(), 1.0);
  const TiledNetwork network({3, bonds, ones, ones, q});
  EXPECT_GT(network.regularity(), 0.9);
}

/// A grid with displaced nodes, long enough for many steps per pass.
struct Shaken {
  int dimension = 2;
  std::vector<double> q, u, ones, none;
  std::vector<Bond> bonds;

  TiledNetwork network() const { return TiledNetwork({dimension, bonds, ones, none, q}); }
};

// large_planes: planes larger than the second-level cache
enum class Grid { shared, own_constants, large_planes };

Shaken shaken(Grid kind) {
  BlockOptions options;
  options.dimension = kind == Grid::large_planes ? 3 : 2;
  options.nodes = {90, 600, 1};
  options.size = {90.0, 600.0, 0.0};  // cells whose sizes are not round numbers
  if (kind == Grid::large_planes) {
    options.nodes = {67, 62, 11};
    options.size = {67.0, 62.0, 11.0};
  }
  const Lattice block = make_block(options);
  std::mt19937 random(8);
  std::uniform_real_distribution<double> shake(-0.01, 0.01);
  Shaken out;
  out.dimension = options.dimension;
  for (const LatticeNode& node : block.nodes) {
    for (Eigen::Index d = 0; d < options.dimension; ++d) {
      out.q.push_back(node.position(d));
      out.u.push_back(shake(random));
    }
  }
  out.ones.assign(out.q.size(), 1.0);
  out.none.assign(out.q.size(), 0.0);
  for (const Spring& s : block.springs) {
    const double k = kind == Grid::shared ? 2.0 : 2.0 + shake(random);
    out.bonds.push_back({s.a, s.b, k, k * s.rest_length * s.rest_length});
  }
  return out;
}

class Passes : public ::testing::TestWithParam<Grid> {};

// Truth: one step per pass; equality of every bit.
TEST_P(Passes, OfManyStepsGiveTheBitsOfSingleSteps) {
  const Shaken grid = shaken(GetParam());
  TiledNetwork network = grid.network();
  const auto after = [&](std::int64_t cut, int threads) {
    network.set_step(0.1);
    network.set_state(grid.q, grid.u);
    for (std::int64_t step = 0; step < 33; step += cut)
      EXPECT_EQ(network.advance(cut, threads), cut);
    std::vector<double> q(grid.q.size());
    std::vector<double> u(q.size());
    network.state(q, u);
    q.insert(q.end(), u.begin(), u.end());
    return q;
  };
  const std::vector<double> single = after(1, 1);
  EXPECT_GT(std::abs(single[0] - grid.q[0]), 1e-6);
  for (const int threads : {1, 2, 3, 7})
    EXPECT_TRUE(single == after(33, threads)) << threads << " threads";
  EXPECT_TRUE(single == after(11, 2));
}

// Truth: the first step after which a number is not finite, found by single steps.
TEST_P(Passes, TellAtWhichStepANumberLeftTheFiniteRange) {
  const Shaken grid = shaken(GetParam());
  TiledNetwork network = grid.network();
  const auto steps_done = [&](std::int64_t cut, int threads) {
    network.set_step(5.0);
    network.set_state(grid.q, grid.u);
    std::int64_t done = 0;
    for (std::int64_t taken = cut; taken == cut && done < 200; done += taken)
      taken = network.advance(cut, threads);
    return done;
  };
  const std::int64_t single = steps_done(1, 1);
  EXPECT_GT(single, 2);
  EXPECT_LT(single, 200);
  EXPECT_EQ(steps_done(50, 1), single);
  EXPECT_EQ(steps_done(50, 2), single);
}

INSTANTIATE_TEST_SUITE_P(Hamiltonian,
                         Passes,
                         ::testing::Values(Grid::shared, Grid::own_constants, Grid::large_planes),
                         [](const auto& one) {
                           return one.param == Grid::shared          ? "shared"
                                  : one.param == Grid::own_constants ? "own_constants"
                                                                     : "large_planes";
                         });

struct Scattered {
  const char* name;
  int dimension;
  std::int32_t nodes;
  int classes;    // number of sets of constants; 0: different constants for each bond
  bool star;      // whether all bonds start at one node
  int bonds = 3;  // of most nodes, to nodes anywhere before them
};

class ScatteredNetworks : public ::testing::TestWithParam<Scattered> {};

// Truth: a = sum (alpha |r|^2 - beta) r / m + F / m over all bonds of a node.
TEST_P(ScatteredNetworks, AccelerateAsTheSumOfTheirBonds) {
  const auto& [name, dimension, nodes, classes, star, of_node] = GetParam();
  const auto dim = static_cast<std::size_t>(dimension);
  std::mt19937 random(21);
  std::uniform_real_distribution<double> where(0.0, 1.0);
  std::vector<double> q(static_cast<std::size_t>(nodes) * dim);
  for (double& v : q)
    v = where(random);
  std::vector<Bond> bonds;
  for (std::int32_t i = 1; i < nodes; ++i) {
    const int count = star ? 1 : i % 50 == 0 ? 30 : of_node;
    for (int k = 0; k < count; ++k) {
      const auto far = static_cast<std::int32_t>(where(random) * i);
      const double c =
          classes == 0 ? where(random) : 1.0 + static_cast<int>(where(random) * classes);
      bonds.push_back({star ? 0 : far, i, c, 0.5 * c});
    }
  }
  std::vector<double> inverse_mass(q.size());
  for (double& w : inverse_mass)
    w = where(random) < 0.1 ? 0.0 : 1.0 + where(random);
  std::vector<double> force(q.size());
  for (double& f : force)
    f = where(random);
  std::vector<double> exact = force;
  for (const Bond& bond : bonds) {
    const std::size_t a = static_cast<std::size_t>(bond.a) * dim;
    const std::size_t b = static_cast<std::size_t>(bond.b) * dim;
    double r2 = 0.0;
    for (std::size_t d = 0; d < dim; ++d)
      r2 += (q[b + d] - q[a + d]) * (q[b + d] - q[a + d]);
    for (std::size_t d = 0; d < dim; ++d) {
      const double pull = (bond.alpha * r2 - bond.beta) * (q[b + d] - q[a + d]);
      exact[a + d] += pull;
      exact[b + d] -= pull;
    }
  }
  // blocks do not take it
  if (of_node > 3) bonds.push_back({0, 1, 1.0, 0.0, tiles::PairLaw::damper});
  TiledNetwork network({dimension, bonds, inverse_mass, force, q});
  ASSERT_TRUE(network.is_supported());
  network.set_state(q, std::vector<double>(q.size(), 0.0));
  std::vector<double> found(q.size());
  network.accelerations(found);
  double worst = 0.0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double scale = star && i < dim ? static_cast<double>(nodes) : 10.0;
    worst = std::max(worst, std::abs(found[i] - exact[i] * inverse_mass[i]) / scale);
  }
  EXPECT_LT(worst, testing::tolerance(1e-13));
  EXPECT_LT(network.regularity(), 0.5);
}

INSTANTIATE_TEST_SUITE_P(Hamiltonian,
                         ScatteredNetworks,
                         ::testing::Values(Scattered{"own", 3, 9000, 0, false},
                                           Scattered{"classes", 3, 9000, 5, false},
                                           Scattered{"plane", 2, 9000, 0, false},
                                           Scattered{"plane_classes", 2, 9000, 3, false},
                                           // halos of tiles of 512 nodes exceed 16-bit offsets
                                           Scattered{"far_reaching", 3, 40000, 0, false, 20},
                                           Scattered{"star", 2, 70000, 0, true}),
                         [](const auto& one) { return one.param.name; });

// Truth: forces between tiles are equal and opposite, so the momentum changes by the impulses of
// the loads alone; equality of every bit for any number of threads.
TEST(TiledNetworks, ExchangeForcesBetweenTilesTheSameWayForAnyNumberOfThreads) {
  constexpr std::int32_t kNodes = 11000;  // 22 tiles
  constexpr double kStep = 1e-3;
  constexpr std::int64_t kSteps = 20;
  std::mt19937 random(22);
  std::uniform_real_distribution<double> where(0.0, 1.0);
  std::vector<double> q(std::size_t{3} * kNodes);
  for (double& v : q)
    v = where(random);
  std::vector<double> u(q.size());
  for (double& v : u)
    v = where(random) - 0.5;
  std::vector<Bond> bonds;
  for (std::int32_t i = 1; i < kNodes; ++i) {
    const std::int32_t near = std::max(0, i - 1 - static_cast<std::int32_t>(where(random) * 90.0));
    const auto far = static_cast<std::int32_t>(where(random) * i);
    bonds.push_back({near, i, 1.0 + where(random), 0.5, tiles::PairLaw::linear});
    if (i % 9 == 0) bonds.push_back({i, far, 1.0 + where(random), 0.5, tiles::PairLaw::quartic});
    bonds.push_back({i, i % 7 == 0 ? far : near, 0.2, 0.0, tiles::PairLaw::damper});
  }
  const std::vector<double> inverse_mass(q.size(), 0.5);
  const std::vector<double> none(q.size(), 0.0);
  const std::vector<std::int32_t> loaded = {3, 3 * 2047 + 1, 3 * 2048 + 1, 3 * (kNodes - 1) + 2};
  const auto momentum = [&](const std::vector<double>& speeds) {
    return std::accumulate(speeds.begin(), speeds.end(), 0.0) / inverse_mass[0];
  };
  for (const bool is_damped : {false, true}) {
    std::vector<Bond> used = bonds;
    if (!is_damped)
      std::erase_if(used, [](const Bond& bond) { return bond.law == tiles::PairLaw::damper; });
    const auto after = [&](int threads) {
      TiledNetwork::Input input{3, used, inverse_mass, none, q};
      input.loaded = loaded;
      TiledNetwork network(input);
      network.set_step(kStep);
      network.set_state(q, u);
      const auto push = [](std::int64_t, Drive& drive) {
        std::fill(drive.before.begin(), drive.before.end(), 7.0);
        std::fill(drive.after.begin(), drive.after.end(), 7.0);
      };
      EXPECT_EQ(network.advance(kSteps, threads, push), kSteps);
      std::vector<double> end_q(q.size());
      std::vector<double> end_u(q.size());
      network.state(end_q, end_u);
      EXPECT_NEAR(momentum(end_u) - momentum(u),
                  7.0 * static_cast<double>(loaded.size()) * kStep * kSteps,
                  testing::tolerance(1e-10));
      end_q.insert(end_q.end(), end_u.begin(), end_u.end());
      return end_q;
    };
    const std::vector<double> one = after(1);
    for (const int threads : {2, 3, 5})
      EXPECT_TRUE(one == after(threads)) << threads << " threads";
  }
}

// Truth: a step much larger than 2 / omega leads to numbers that are not finite, and the run
// reports this.
TEST(TiledNetworks, StopWhereTheRunBlowsUp) {
  const LatticeSystem system(moving_block(2, false));
  const RunResult result = run_quietly(system, system.start(), Integrator::leapfrog, 1.0, 1000.0);
  EXPECT_EQ(result.status, RunStatus::unstable);
  EXPECT_LT(result.steps, 1000);
  EXPECT_NE(result.message.find("would be stable"), std::string::npos);
}

}  // namespace
}  // namespace femflex::hamiltonian
