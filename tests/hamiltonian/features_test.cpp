// Tests single features of lattices (rotational springs, slack springs, breaking, sections,
// damping, snap-through, buckling) against closed forms.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "femflex/hamiltonian/lattice_statics.h"

#include "models.h"
#include "support/support.h"

namespace femflex::hamiltonian {
namespace {

// Truth: an arm driven round by its rotational spring has turned by what the angle of a prescribed
// tip says, and the moment is k times all of it.
TEST(Features, ARotationalSpringCountsAnyNumberOfTurns) {
  Lattice lattice;
  lattice.dimension = 2;
  lattice.nodes = {node_at(1, -1, 0, 1, true), node_at(2, 0, 0, 1, true), node_at(3, 1, 0, 1)};
  lattice.springs = {linear(0, 1, 100, 1), linear(1, 2, 100, 1)};
  RotationalSpring hinge;
  hinge.b = 1;
  hinge.stiffness = 3.0;
  lattice.hinges = {hinge};
  PrescribedMotion x;
  x.node = 2;
  x.axis = 0;
  x.displacement.expression = "cos(2*pi*t) - 1";
  PrescribedMotion y = x;
  y.axis = 1;
  y.displacement.expression = "sin(2*pi*t)";
  lattice.motions = {x, y};
  const LatticeSystem system(make_lattice(lattice));
  const RunResult result = run_quietly(system, system.start(), Integrator::leapfrog, 0.001, 7.25);
  const double angle = 7.25 * 2.0 * std::numbers::pi;
  EXPECT_NEAR(result.state.memory.angles[0], angle, testing::tolerance(1e-10));
  EXPECT_NEAR(system.read_hinges(result.state)[0], 3.0 * angle, testing::tolerance(1e-9));
  // the support's work is what the hinge stores: the arm's kinetic energy does not change
  EXPECT_NEAR(result.work, 1.5 * angle * angle, testing::tolerance(1e-5) * angle * angle);
}

// Truth: a slack string carries no force: free fall until it is taut.
TEST(Features, ATensionOnlySpringPushesNothing) {
  Lattice lattice;
  lattice.dimension = 2;
  lattice.gravity = Eigen::Vector3d(0, -9.81, 0);
  lattice.nodes = {node_at(1, 0, 0, 1, true), node_at(2, 0, -0.2, 1)};
  lattice.springs = {linear(0, 1, 500, 1.0)};
  lattice.springs[0].tension_only = true;
  const LatticeSystem system(make_lattice(lattice));
  const RunResult result = run_quietly(system, system.start(), Integrator::leapfrog, 0.001, 0.4);
  EXPECT_NEAR(result.state.q[3], -0.2 - 0.5 * 9.81 * 0.16, testing::tolerance(1e-12));
}

// Truth: a spring breaks once its force passes the limit, after that the mass flies on freely.
TEST(Features, ASpringBreaksAtItsLimitForGood) {
  Lattice lattice;
  lattice.dimension = 1;
  lattice.nodes = {node_at(1, 0, 0, 1, true), node_at(2, 1, 0, 1)};
  lattice.nodes[1].velocity.x() = 2.0;
  lattice.springs = {linear(0, 1, 100, 1.0)};
  lattice.springs[0].break_force = 10.0;
  const LatticeSystem system(make_lattice(lattice));
  const State broken = run_quietly(system, system.start(), Integrator::leapfrog, 1e-4, 0.2).state;
  EXPECT_EQ(broken.memory.broken[0], 1);
  // at 0.1 m the kinetic energy is 2 - 0.5 J
  EXPECT_NEAR(broken.p[1], std::sqrt(3.0), testing::tolerance(1e-2));
  const State later = run_quietly(system, broken, Integrator::leapfrog, 1e-4, 0.4).state;
  EXPECT_EQ(later.p[1], broken.p[1]);
  lattice.springs[0].break_force = 30.0;
  const LatticeSystem strong(make_lattice(lattice));
  EXPECT_EQ(
      run_quietly(strong, strong.start(), Integrator::leapfrog, 1e-4, 0.4).state.memory.broken[0],
      0);
}

// Truth: N = E A e / d, stress N / A; the mass of a bar is its density times its volume.
TEST(Features, ASectionGivesStiffnessStressAndMass) {
  Lattice lattice;
  lattice.dimension = 2;
  lattice.gravity = Eigen::Vector3d(0, -10.0, 0);
  lattice.nodes = {node_at(1, 0, 0, 0, true), node_at(2, 0, -2, 0), node_at(3, 0, -4, 5)};
  for (std::int32_t i = 0; i < 2; ++i) {
    Spring bar = linear(i, i + 1, 0.0, 2.0);
    bar.area = 1e-4;
    bar.modulus = 2e9;
    bar.density = 8000.0;
    lattice.springs.push_back(bar);
  }
  const LatticeSystem system(make_lattice(lattice));
  EXPECT_DOUBLE_EQ(system.lattice().springs[0].stiffness, 2e9 * 1e-4 / 2.0);
  EXPECT_DOUBLE_EQ(system.masses()[1], 1.6);
  const Equilibrium rest = find_equilibrium(system, system.start(), {}, no_progress());
  ASSERT_TRUE(rest.converged);
  const std::vector<SpringReading> bars = system.read_springs(rest.state);
  EXPECT_NEAR(bars[0].force, (5.0 + 0.8 + 1.6) * 10.0, testing::tolerance(1e-8));
  EXPECT_NEAR(bars[1].stress, (5.0 + 0.8) * 10.0 / 1e-4, testing::tolerance(1e-3));
  EXPECT_EQ(system.extreme_stress(rest.state).spring, 0);
}

// Truth: an oscillator whose rest length is taken from the state at hand does not move.
TEST(Features, ReferencesFromTheCurrentStateLeaveItAtRest) {
  Lattice lattice;
  lattice.dimension = 2;
  lattice.nodes = {node_at(1, 0, 0, 1, true), node_at(2, 0.7, 0.4, 1), node_at(3, 1.5, 0.1, 1)};
  for (std::int32_t i = 0; i < 2; ++i) {
    Spring spring = linear(i, i + 1, 100, 0.0);
    spring.reference = Reference::current;
    lattice.springs.push_back(spring);
  }
  RotationalSpring hinge;
  hinge.b = 1;
  hinge.stiffness = 2.0;
  hinge.reference = Reference::current;
  lattice.hinges = {hinge};
  LatticeSystem system(make_lattice(lattice));
  State state = system.start();
  state.q[4] = 1.8;
  system.set_current_references(state);
  const State later = run_quietly(system, state, Integrator::leapfrog, 0.001, 1.0).state;
  for (std::size_t i = 0; i < state.q.size(); ++i)
    EXPECT_NEAR(later.q[i], state.q[i], testing::tolerance(1e-12));
}

// Truth: v = v0 exp(-c t / m), whatever of the ways the damping is given.
TEST(Features, DampingOfAFreeMassDecaysExponentially) {
  for (const bool per_mass : {false, true}) {
    Lattice lattice;
    lattice.dimension = 1;
    lattice.nodes = {node_at(1, 0, 0, 4.0)};
    lattice.nodes[0].velocity.x() = 3.0;
    lattice.nodes[0].damping = {per_mass ? 0.5 : 2.0, 0.0, 0.0, per_mass};
    const LatticeSystem system(make_lattice(lattice));
    for (const Integrator integrator : {Integrator::leapfrog, Integrator::runge_kutta_4}) {
      const RunResult r = run_quietly(system, system.start(), integrator, 0.01, 2.0);
      EXPECT_NEAR(r.state.p[0] / 4.0, 3.0 * std::exp(-1.0), testing::tolerance(1e-8));
      EXPECT_NEAR(r.work, -0.5 * 4.0 * 9.0 * (1.0 - std::exp(-2.0)), testing::tolerance(1e-3));
    }
  }
}

// Truth: two-bar truss of shallow angle (von Mises): with linear bars of stiffness k between
// supports at +-a, height h, the load is P(w) = 2 k (1 - L0 / L(w)) (w - h) ... its maximum is the
// snap load, and the path goes on to the inverted shape.
TEST(Features, AShallowTrussSnapsThroughAtTheMaximumOfItsClosedForm) {
  const double a = 1.0;
  const double h = 0.25;
  const double k = 1000.0;
  const double l0 = std::hypot(a, h);
  Lattice lattice;
  lattice.dimension = 2;
  lattice.nodes = {node_at(1, -a, 0, 1, true), node_at(2, 0, h, 1), node_at(3, a, 0, 1, true)};
  lattice.nodes[1].fixed = {true, false, true};
  lattice.springs = {linear(0, 1, k, l0), linear(1, 2, k, l0)};
  Load load;
  load.node = 1;
  load.force = Eigen::Vector3d(0.0, -1.0, 0.0);
  lattice.loads = {load};
  const LatticeSystem system(make_lattice(lattice));
  const auto force = [&](double y) { return 2.0 * k * (l0 / std::hypot(a, y) - 1.0) * y; };
  double most = 0.0;
  constexpr int points = 1'000'000;
  for (int i = 0; i < points; ++i)
    most = std::max(most, force(h * i / points));
  BranchOptions options;
  options.largest_factor = 60.0;
  const Buckling buckling = find_buckling(system, system.start(), options, no_progress());
  ASSERT_TRUE(buckling.found) << buckling.message;
  EXPECT_TRUE(buckling.is_limit_point);
  EXPECT_NEAR(buckling.load_factor, most, testing::tolerance(1e-8) * most);
  const Branch branch = follow_branch(system, system.start(), options, no_progress());
  bool falls = false;
  double lowest = 0.0;
  for (const BranchPoint& point : branch.points) {
    const double y = point.state.q[3];
    EXPECT_NEAR(point.load_factor, force(y), testing::tolerance(1e-6));
    lowest = std::min(lowest, point.load_factor);
    falls = falls || point.negative == 1;
  }
  EXPECT_TRUE(falls);
  EXPECT_NEAR(lowest, -most, testing::tolerance(0.05) * most);
  EXPECT_GT(branch.points.back().load_factor, most);
  EXPECT_LT(branch.points.back().state.q[3], -h);
}

// Truth: rigid links with a rotational spring C at their joint buckle at P = 2 C / l (two links of
// length l between pin and roller); stiff springs come near.
TEST(Features, AJointedColumnBucklesAtItsClosedForm) {
  const double l = 1.0;
  Lattice lattice;
  lattice.dimension = 2;
  lattice.nodes = {node_at(1, 0, 0, 1, true), node_at(2, 0, l, 1), node_at(3, 0, 2 * l, 1)};
  lattice.nodes[2].fixed = {true, false, true};
  lattice.springs = {linear(0, 1, 1e7, l), linear(1, 2, 1e7, l)};
  RotationalSpring hinge;
  hinge.b = 1;
  hinge.stiffness = 5.0;
  lattice.hinges = {hinge};
  Load load;
  load.node = 2;
  load.force = Eigen::Vector3d(0.0, -1.0, 0.0);
  lattice.loads = {load};
  const LatticeSystem system(make_lattice(lattice));
  BranchOptions options;
  options.largest_factor = 100.0;
  const Buckling buckling = find_buckling(system, system.start(), options, no_progress());
  ASSERT_TRUE(buckling.found) << buckling.message;
  EXPECT_FALSE(buckling.is_limit_point);
  EXPECT_NEAR(buckling.load_factor, 2.0 * 5.0 / l, testing::tolerance(1e-3));
  EXPECT_NEAR(std::abs(buckling.shape[2]), 1.0, testing::tolerance(1e-3));
  // beyond it the straight shape is a saddle, and the search for a stable one leaves it
  EquilibriumOptions heavy;
  heavy.load_factor = 15.0;
  heavy.stable = false;
  EXPECT_EQ(find_equilibrium(system, system.start(), heavy, no_progress()).negative, 1);
  heavy.stable = true;
  const Equilibrium bent = find_equilibrium(system, system.start(), heavy, no_progress());
  EXPECT_TRUE(bent.converged);
  EXPECT_EQ(bent.negative, 0);
  EXPECT_GT(std::abs(bent.state.q[2]), 0.1);
}

// Truth: benchmarks/elastica_cantilever, with rotational springs EI / ds between 200 stiff links.
TEST(Features, AChainOfStiffLinksBendsAsTheElastica) {
  constexpr int kLinks = 200;
  const double ds = 1.0 / kLinks;
  Lattice lattice;
  lattice.dimension = 2;
  // half links at both ends put each hinge in the middle of the piece that it represents
  lattice.nodes.push_back(node_at(1, -ds, 0, 1, true));
  double x = 0.0;
  for (int i = 0; i <= kLinks; ++i) {
    lattice.nodes.push_back(node_at(i + 2, x, 0, 1, i == 0));
    x += ds;
  }
  for (std::int32_t i = 0; i <= kLinks; ++i)
    lattice.springs.push_back(linear(i, i + 1, 1e6, ds));
  for (std::int32_t i = 0; i < kLinks; ++i) {
    RotationalSpring hinge;
    hinge.a = i;
    hinge.b = i + 1;
    hinge.stiffness = (i == 0 ? 2.0 : 1.0) / ds;  // the clamp bends half a piece
    lattice.hinges.push_back(hinge);
  }
  Load load;
  load.node = kLinks + 1;
  load.force = Eigen::Vector3d(0.0, -1.0, 0.0);
  lattice.loads = {load};
  const LatticeSystem system(make_lattice(lattice));
  State state = system.start();
  for (const auto& [p, u, v, tolerance] :
       std::vector<std::array<double, 4>>{{0.25, 0.0041178184, 0.082745915, 1e-3},
                                          {1.0, 0.056433236, 0.30172077, 1e-3},
                                          {2.0, 0.16064172, 0.49345748, 5e-3},
                                          {5.0, 0.38762836, 0.71379152, 5e-3},
                                          {10.0, 0.5549956, 0.81060902, 5e-3}}) {
    EquilibriumOptions options;
    options.load_factor = p;
    const Equilibrium e = find_equilibrium(system, state, options, no_progress());
    ASSERT_TRUE(e.converged) << e.message;
    state = e.state;
    EXPECT_NEAR(1.0 - state.q[2 * kLinks + 2], u, testing::tolerance(tolerance));
    EXPECT_NEAR(-state.q[2 * kLinks + 3], v, testing::tolerance(tolerance));
  }
}

// Truth: impossible models are rejected with the reason.
TEST(Features, WrongLatticesAreRefused) {
  const auto code = [](auto change) -> std::string {
    Lattice lattice = elastic_pendulum();
    change(lattice);
    try {
      (void)make_lattice(lattice);
    } catch (const ModelError& error) {
      return error.code();
    }
    return "accepted";
  };
  EXPECT_EQ(code([](Lattice& l) { l.nodes[1].id = 1; }), "repeated-node");
  EXPECT_EQ(code([](Lattice& l) { l.nodes[1].mass = 0.0; }), "no-mass");
  EXPECT_EQ(code([](Lattice& l) { l.nodes[1].mass = -1.0; }), "bad-mass");
  EXPECT_EQ(code([](Lattice& l) { l.springs[0].b = 0; }), "spring-on-one-node");
  EXPECT_EQ(code([](Lattice& l) { l.springs[0].b = 7; }), "unknown-reference");
  EXPECT_EQ(code([](Lattice& l) { l.springs[0].rest_length = NAN; }), "bad-rest-length");
  EXPECT_EQ(code([](Lattice& l) { l.nodes[1].position.z() = 1.0; }), "bad-dimension");
  EXPECT_EQ(code([](Lattice& l) { l.dimension = 4; }), "bad-dimension");
  EXPECT_EQ(code([](Lattice&) {}), "accepted");
}

// Truth: an angle between two directions in space has no turns to count.
TEST(Features, TurnsAreRefusedInSpace) {
  Lattice lattice;
  lattice.nodes = {node_at(1, 0, 0, 1, true), node_at(2, 1, 0, 1), node_at(3, 1, 1, 1)};
  lattice.springs = {linear(0, 1, 100, 1), linear(1, 2, 100, 1)};
  RotationalSpring hinge;
  hinge.b = 1;
  hinge.stiffness = 5.0;
  hinge.reference = Reference::initial;
  hinge.turns = 1;
  lattice.hinges = {hinge};
  EXPECT_EQ(testing::code_of([&] { (void)make_lattice(lattice); }), "bad-turns");
  lattice.dimension = 2;
  EXPECT_NO_THROW((void)make_lattice(lattice));
  lattice.dimension = 3;
  lattice.hinges[0].turns = 0;
  EXPECT_NO_THROW((void)make_lattice(lattice));
}

// Truth: the masses of the lattice itself. Its slack string weighs rho A d, whatever its length is
// now, and its hinge weighs 0.5 kg.
TEST(Features, StringsThatAreTightenedKeepTheirMass) {
  Lattice lattice;
  lattice.dimension = 2;
  lattice.nodes = {node_at(1, 0, 0, 0, true), node_at(2, 0.5, 0, 0.1), node_at(3, 1.5, 0, 0.2)};
  lattice.springs = {linear(0, 1, 100, 1), linear(1, 2, 100, 1)};
  lattice.springs[0].tension_only = true;
  for (Spring& spring : lattice.springs) {
    spring.area = 1e-4;
    spring.density = 8000.0;
  }
  RotationalSpring hinge;
  hinge.b = 1;
  hinge.mass = 0.5;
  lattice.hinges = {hinge};
  const LatticeSystem system(make_lattice(lattice));
  EXPECT_DOUBLE_EQ(system.masses()[1], 0.1 + 0.8 + 0.5);
  const auto tight = system.with_slack_springs_tight(system.start());
  const auto* other = dynamic_cast<const LatticeSystem*>(tight.get());
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(other->masses(), system.masses());
}

}  // namespace
}  // namespace femflex::hamiltonian
