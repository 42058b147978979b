// Tests motions and equilibria of small lattices. Truth: closed forms.
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "femflex/hamiltonian/lattice_statics.h"

#include "models.h"
#include "support/support.h"

namespace femflex::hamiltonian {
namespace {

constexpr double kPi = std::numbers::pi;

/// One mass on one spring along x, from rest length 1 at `start` with velocity v; the wall is held.
Lattice oscillator(double start, double v, double mass, Spring spring) {
  Lattice lattice;
  lattice.dimension = 1;
  lattice.nodes = {node_at(1, 0, 0, 1, true), node_at(2, start, 0, mass)};
  lattice.nodes[1].velocity.x() = v;
  lattice.springs = {spring};
  return lattice;
}

// Truth: omega = 2 sqrt(k/m) sin(pi j / 2N) of standing wave j in a chain held at both ends; small
// waves on quartic springs go as those on linear ones of 4 k d^2.
TEST(ClosedForms, StandingWavesOfAChainFollowTheDispersionRelation) {
  constexpr int kLinks = 24;
  for (const bool quartic : {false, true}) {
    for (const int wave : {1, 5, 12, 23}) {
      const double amplitude = quartic ? 1e-7 : 1e-2;
      Lattice lattice;
      lattice.dimension = 1;
      for (int i = 0; i <= kLinks; ++i) {
        const double u = amplitude * std::sin(kPi * wave * i / kLinks);
        const bool held = i == 0 || i == kLinks;
        lattice.nodes.push_back(node_at(i, 0.5 * i + (held ? 0.0 : u), 0, 0.3, held));
        if (i == 0) continue;
        Spring spring = linear(i - 1, i, 40.0, 0.5);
        if (quartic) spring.law = SpringLaw::quartic;
        lattice.springs.push_back(spring);
      }
      const LatticeSystem system(make_lattice(lattice));
      const double k = quartic ? 4.0 * 40.0 * 0.25 : 40.0;
      const double omega = 2.0 * std::sqrt(k / 0.3) * std::sin(kPi * wave / (2.0 * kLinks));
      const State end =
          run_quietly(system, system.start(), Integrator::symplectic_4, 0.002, 2.0).state;
      for (std::size_t i = 1; i < kLinks; ++i) {
        const double n = static_cast<double>(i);
        const double u = amplitude * std::sin(kPi * wave * n / kLinks) * std::cos(omega * 2.0);
        EXPECT_NEAR(end.q[i] - 0.5 * n, u, testing::tolerance(1e-5) * amplitude) << wave;
      }
    }
  }
}

// Truth: x'' = -x - 5 x^3 from x = 1, cn(sqrt(6) t | 5/12) as benchmarks/duffing_undamped
// tabulates.
TEST(ClosedForms, AnExpressionSpringMovesAsTheDuffingOscillator) {
  Spring spring = linear(0, 1, 0.0, 3.0);
  spring.law = SpringLaw::expression;
  spring.force = 0;
  Lattice lattice = oscillator(4.0, 0.0, 1.0, spring);
  lattice.functions.resize(1);
  lattice.functions[0].expression = "e + 5*e^3";
  const LatticeSystem system(make_lattice(lattice));
  State state = system.start();
  for (const auto& [t, x] :
       {std::pair{1.0, -0.49590027735}, {5.0, -0.211352774959}, {10.0, -0.855839742286}}) {
    state = run_quietly(system, state, Integrator::symplectic_4, 0.001, t).state;
    EXPECT_NEAR(state.q[1] - 3.0, x, testing::tolerance(1e-6)) << t;
  }
}

// Truth: half a period on each slope of a tabulated spring: pi sqrt(m/k1) + pi sqrt(m/k2), and the
// far side is where the energy of the slopes is equal.
TEST(ClosedForms, ATabulatedSpringSwingsWithTheHalfPeriodsOfItsSlopes) {
  Spring spring = linear(0, 1, 0.0, 1.0);
  spring.law = SpringLaw::table;
  spring.force = 0;
  Lattice lattice = oscillator(1.2, 0.0, 2.0, spring);
  lattice.functions.resize(1);
  lattice.functions[0].arguments = {-1.0, 0.0, 1.0};
  lattice.functions[0].values = {-90.0, 0.0, 40.0};
  const LatticeSystem system(make_lattice(lattice));
  const double soft = kPi * std::sqrt(2.0 / 40.0);
  const double hard = kPi * std::sqrt(2.0 / 90.0);
  const State far =
      run_quietly(
          system, system.start(), Integrator::leapfrog, (soft + hard) / 1e5, 0.5 * (soft + hard))
          .state;
  EXPECT_NEAR(far.q[1], 1.0 - 0.2 * std::sqrt(40.0 / 90.0), testing::tolerance(1e-6));
  const State home =
      run_quietly(system, far, Integrator::leapfrog, (soft + hard) / 1e5, soft + hard).state;
  EXPECT_NEAR(home.q[1], 1.2, testing::tolerance(1e-6));
  EXPECT_NEAR(home.p[1], 0.0, testing::tolerance(1e-3));
}

// Truth: base motion b sin(w t) of an oscillator at rest:
// u = b (W^2 sin w t - W w sin W t) / (W^2 - w^2).
TEST(ClosedForms, AShakenBaseMovesItsMassAsTheClosedForm) {
  Lattice lattice = oscillator(1.0, 0.0, 0.5, linear(0, 1, 32.0, 1.0));
  lattice.nodes[0].fixed = {false, false, false};
  PrescribedMotion motion;
  motion.displacement.expression = "0.03*sin(5*t)";
  lattice.motions = {motion};
  const LatticeSystem system(make_lattice(lattice));
  const double own = 8.0;
  for (const Integrator integrator : {Integrator::leapfrog,
                                      Integrator::adams_bashforth_3,
                                      Integrator::runge_kutta_4,
                                      Integrator::symplectic_4,
                                      Integrator::implicit_midpoint,
                                      Integrator::dormand_prince}) {
    const State end = run_quietly(system, system.start(), integrator, 1e-4, 3.0).state;
    const double u = 0.03 * own * (own * std::sin(15.0) - 5.0 * std::sin(own * 3.0)) / 39.0;
    EXPECT_NEAR(end.q[1] - 1.0, u, testing::tolerance(1e-6)) << name_of(integrator);
    EXPECT_NEAR(end.q[0], 0.03 * std::sin(15.0), testing::tolerance(1e-14));
  }
}

// Truth: v/(1 + c2 v) = v0/(1 + c2 v0) exp(-c t/m), and v/sqrt(1 + c3 v^2) the same way.
TEST(ClosedForms, PolynomialDampingBrakesAFreeMassAsBernoulliSays) {
  for (const bool cubic : {false, true}) {
    Lattice lattice;
    lattice.dimension = 1;
    lattice.nodes = {node_at(1, 0, 0, 2.0)};
    lattice.nodes[0].velocity.x() = 3.0;
    lattice.nodes[0].damping = {0.8, cubic ? 0.0 : 0.7, cubic ? 0.4 : 0.0, false};
    const LatticeSystem system(make_lattice(lattice));
    const double fade = std::exp(-0.8 * 1.5 / 2.0);
    const double z = (cubic ? 3.0 / std::sqrt(1.0 + 0.4 * 9.0) : 3.0 / (1.0 + 0.7 * 3.0)) * fade;
    const double v = cubic ? z / std::sqrt(1.0 - 0.4 * z * z) : z / (1.0 - 0.7 * z);
    for (const Integrator integrator : {Integrator::runge_kutta_4, Integrator::dormand_prince}) {
      const State end = run_quietly(system, system.start(), integrator, 0.005, 1.5).state;
      EXPECT_NEAR(end.p[0] / 2.0, v, testing::tolerance(1e-8)) << name_of(integrator);
    }
  }
}

// Truth: on a stiff arm of length r the angle follows phi'' = -k phi / (m r^2): from three whole
// turns, phi = 6 pi cos(w t).
TEST(ClosedForms, AWoundUpHingeUnwindsThroughItsTurns) {
  Lattice lattice;
  lattice.dimension = 2;
  lattice.nodes = {node_at(1, -1, 0, 1, true), node_at(2, 0, 0, 1, true), node_at(3, 1, 0, 0.5)};
  lattice.springs = {linear(0, 1, 100, 1), linear(1, 2, 4e7, 1)};
  RotationalSpring hinge;
  hinge.b = 1;
  hinge.stiffness = 0.5;
  hinge.turns = 3;
  lattice.hinges = {hinge};
  const LatticeSystem system(make_lattice(lattice));
  State state = system.start();
  for (const double t : {0.7, 2.0, 3.1}) {
    state = run_quietly(system, state, Integrator::leapfrog, 2e-5, t).state;
    EXPECT_NEAR(state.memory.angles[0], 6.0 * kPi * std::cos(t), testing::tolerance(1e-3)) << t;
  }
}

// Truth: one threshold stated as a force, an elongation and a stress: the same bits.
TEST(ClosedForms, ASpringBreaksAtTheSameStepHoweverItsLimitIsStated) {
  const auto after = [](auto limit) {
    Spring spring = linear(0, 1, 100.0, 1.0);
    spring.area = 1e-4;
    limit(spring);
    const LatticeSystem system(make_lattice(oscillator(1.0, 2.0, 1.0, spring)));
    return run_quietly(system, system.start(), Integrator::leapfrog, 1e-3, 0.3).state;
  };
  const State force = after([](Spring& s) { s.break_force = 10.0; });
  EXPECT_EQ(force.memory.broken[0], 1);
  EXPECT_TRUE(force == after([](Spring& s) { s.break_elongation = 0.1; }));
  EXPECT_TRUE(force == after([](Spring& s) { s.break_stress = 1e5; }));
}

// Truth: while both cables pull, P = 2 k u; from u = slack stretch on, one alone: P = k (u + s).
TEST(ClosedForms, AMassBetweenTwoCablesSoftensWhenOneGoesSlack) {
  Lattice lattice;
  lattice.dimension = 1;
  lattice.nodes = {node_at(1, -1, 0, 1, true), node_at(2, 0, 0, 1), node_at(3, 1, 0, 1, true)};
  lattice.springs = {linear(0, 1, 500, 0.98), linear(1, 2, 500, 0.98)};
  for (Spring& cable : lattice.springs)
    cable.tension_only = true;
  Load load;
  load.node = 1;
  load.force.x() = 1.0;
  lattice.loads = {load};
  const LatticeSystem system(make_lattice(lattice));
  for (const auto& [p, u] : {std::pair{8.0, 0.008}, {16.0, 0.016}, {40.0, 0.06}, {80.0, 0.14}}) {
    EquilibriumOptions options;
    options.load_factor = p;
    const Equilibrium rest = find_equilibrium(system, system.start(), options, no_progress());
    ASSERT_TRUE(rest.converged) << rest.message;
    EXPECT_NEAR(rest.state.q[1], u, testing::tolerance(1e-10)) << p;
  }
}

// Truth: the discrete elastic catenary: from the reaction at one end every link's pull and with it
// its span and drop follow link by link, and lead to the other end; slack stays carry no force.
TEST(ClosedForms, AHangingCableNetClosesAsTheElasticCatenary) {
  constexpr int kLinks = 20;
  constexpr double kSpan = 10.0;
  constexpr double kLength = 0.6;
  constexpr double kStiffness = 4000.0;
  Lattice lattice;
  lattice.dimension = 2;
  lattice.gravity = Eigen::Vector3d(0, -9.81, 0);
  for (int i = 0; i <= kLinks; ++i) {
    const bool held = i == 0 || i == kLinks;
    const double x = kSpan * i / kLinks;
    const double drop = 0.8 * std::min(x, kSpan - x);  // every link is taut at the start
    lattice.nodes.push_back(node_at(i, x, held ? 0.0 : -drop, 0.2 + 0.05 * (i % 3), held));
  }
  lattice.nodes.push_back(node_at(99, 5.0, -20.0, 1, true));  // below: its stays hang slack
  for (std::int32_t i = 0; i < kLinks; ++i)
    lattice.springs.push_back(linear(i, i + 1, kStiffness, kLength));
  for (const std::int32_t i : {5, 10, 15})
    lattice.springs.push_back(linear(i, kLinks + 1, kStiffness, 30.0));
  for (Spring& cable : lattice.springs)
    cable.tension_only = true;
  const LatticeSystem system(make_lattice(lattice));
  const Equilibrium rest = find_equilibrium(system, system.start(), {}, no_progress());
  ASSERT_TRUE(rest.converged) << rest.message;
  const double h = -rest.reactions[0];
  double v = rest.reactions[1] - lattice.nodes[0].mass * 9.81;  // the end's own weight
  ASSERT_GT(h, 1.0);
  double x = 0.0;
  double y = 0.0;
  for (std::size_t i = 0; i < kLinks; ++i) {
    const double pull = std::hypot(h, v);
    const double length = kLength + pull / kStiffness;
    x += length * h / pull;
    y -= length * v / pull;
    EXPECT_NEAR(rest.state.q[2 * i + 2], x, testing::tolerance(1e-8)) << i;
    EXPECT_NEAR(rest.state.q[2 * i + 3], y, testing::tolerance(1e-8)) << i;
    v -= lattice.nodes[i + 1].mass * 9.81;
  }
  EXPECT_NEAR(x, kSpan, testing::tolerance(1e-8));
  EXPECT_NEAR(y, 0.0, testing::tolerance(1e-8));
}

/// Stiff links of length 1/N upright or along x, hinges of bending stiffness 1 between them.
Lattice hinged_column(int links, double crooked) {
  Lattice lattice;
  lattice.dimension = 2;
  const double l = 1.0 / links;
  for (int i = 0; i <= links; ++i)
    lattice.nodes.push_back(node_at(i, l * i, 0, 1, i == 0));
  lattice.nodes.back().fixed = {false, true, true};
  for (std::int32_t i = 0; i < links; ++i)
    lattice.springs.push_back(linear(i, i + 1, 1e6, l));
  for (std::int32_t i = 0; i + 1 < links; ++i) {
    RotationalSpring hinge;
    hinge.a = i;
    hinge.b = i + 1;
    hinge.stiffness = 1.0 / l;
    hinge.angle = crooked;
    lattice.hinges.push_back(hinge);
  }
  Load load;
  load.node = links;
  load.force = Eigen::Vector3d(-1.0, 0.0, 0.0);
  lattice.loads = {load};
  return make_lattice(lattice);
}

// Truth: N links of length l between pin and roller buckle at P = 4 (C/l') sin^2(pi / 2N), Euler's
// pi^2 EI / L^2 for many, where l' = l - P/k is the length of a link under the load.
TEST(ClosedForms, AHingedColumnBucklesAtItsDiscreteEulerLoad) {
  for (const int links : {2, 3, 8, 20}) {
    const LatticeSystem system(hinged_column(links, 0.0));
    BranchOptions options;
    options.largest_factor = 20.0;
    const Buckling found = find_buckling(system, system.start(), options, no_progress());
    ASSERT_TRUE(found.found) << found.message;
    const double sine = std::sin(kPi / (2.0 * links));
    const double link = 1.0 / links - found.load_factor / 1e6;
    const double euler = 4.0 * links * sine * sine / link;
    EXPECT_FALSE(found.is_limit_point);
    EXPECT_NEAR(found.load_factor, euler, testing::tolerance(1e-7) * euler) << links;
  }
}

// Truth: the elastica beyond Euler's load: P = 4 EI/L^2 K(sin(alpha/2))^2 at end slope alpha. The
// path of a slightly crooked column is followed by arc length.
TEST(ClosedForms, ABuckledColumnFollowsTheElastica) {
  constexpr int kLinks = 40;
  const LatticeSystem system(hinged_column(kLinks, 1e-4));
  BranchOptions options;
  options.largest_factor = 25.0;
  options.max_points = 400;
  const Branch branch = follow_branch(system, system.start(), options, no_progress());
  int compared = 0;
  for (const BranchPoint& point : branch.points) {
    const double slope = std::abs(std::atan2(point.state.q[3], point.state.q[2]));
    if (slope < 0.4 || slope > 1.8) continue;  // the initial crookedness loses its influence
    const double k = std::comp_ellint_1(std::sin(0.5 * slope));
    EXPECT_NEAR(point.load_factor, 4.0 * k * k, testing::tolerance(0.01) * 4.0 * k * k) << slope;
    ++compared;
  }
  EXPECT_GT(compared, 3);
}

// Truth: linear momentum falls by gravity, angular momentum about the mass centre stays, whatever
// the springs of a tumbling block do.
TEST(ClosedForms, ATumblingBlockFallsOnAParabolaWithItsAngularMomentum) {
  BlockOptions block;
  block.nodes = {4, 3, 3};
  block.size = {1.5, 1.0, 1.0};
  block.node_mass = 0.25;
  block.stiffness = 300.0;
  block.diagonal_stiffness = 200.0;
  Lattice lattice = make_block(block);
  lattice.gravity = Eigen::Vector3d(0, 0, -9.81);
  lattice.nodes[7].mass = 3.0;  // a heavy corner
  const Eigen::Vector3d spin(0.7, -1.1, 0.4);
  for (LatticeNode& node : lattice.nodes)
    node.velocity = Eigen::Vector3d(1.0, 2.0, 3.0) + spin.cross(node.position);
  const LatticeSystem system(make_lattice(lattice));
  const auto moments = [&](const State& state) {
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    Eigen::Vector3d momentum = Eigen::Vector3d::Zero();
    Eigen::Vector3d turning = Eigen::Vector3d::Zero();
    double mass = 0.0;
    for (std::size_t i = 0; i < lattice.nodes.size(); ++i) {
      const Eigen::Map<const Eigen::Vector3d> x(&state.q[3 * i]);
      const Eigen::Map<const Eigen::Vector3d> p(&state.p[3 * i]);
      centre += system.masses()[i] * x;
      momentum += p;
      turning += x.cross(p);
      mass += system.masses()[i];
    }
    centre /= mass;
    return std::array<Eigen::Vector3d, 3>{
        centre, momentum / mass, turning - centre.cross(momentum)};
  };
  const State start = system.start();
  const auto before = moments(start);
  const State end = run_quietly(system, start, Integrator::leapfrog, 0.001, 2.0).state;
  const auto after = moments(end);
  const Eigen::Vector3d fallen = before[0] + 2.0 * before[1] + 2.0 * lattice.gravity;
  EXPECT_LT((after[0] - fallen).norm(), testing::tolerance(1e-10));
  EXPECT_LT((after[1] - before[1] - 2.0 * lattice.gravity).norm(), testing::tolerance(1e-10));
  EXPECT_LT((after[2] - before[2]).norm(), testing::tolerance(1e-10) * before[2].norm());
  double largest = 0.0;  // it did deform
  for (const SpringReading& spring : system.read_springs(end))
    largest = std::max(largest, std::abs(spring.elongation));
  EXPECT_GT(largest, 1e-3);
}

}  // namespace
}  // namespace femflex::hamiltonian
