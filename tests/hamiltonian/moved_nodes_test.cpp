// Tests nodes of prescribed motion without mass: the dampers at them, their speed and the work of
// their supports.
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/hamiltonian/ports.h"

#include "models.h"
#include "support/support.h"

namespace femflex::hamiltonian {
namespace {

using testing::tolerance;

constexpr double kSpeed = 0.3;  // of the moved node [m/s]

PrescribedMotion pulled(std::int32_t node) {
  PrescribedMotion motion;
  motion.node = node;
  motion.displacement.expression = "0.3*t";
  return motion;
}

/// A mass of 1 kg behind a spring and a damper, whose other end is pulled at kSpeed.
Lattice towed(double end_mass) {
  Lattice lattice;
  lattice.dimension = 1;
  lattice.nodes = {node_at(1, 0.0, 0.0, 1.0), node_at(2, 1.0, 0.0, end_mass)};
  lattice.springs = {linear(0, 1, 25.0, 1.0)};
  lattice.springs[0].damping.c = 2.0;
  lattice.motions = {pulled(1)};
  return lattice;
}

// Truth: the elongation y of y'' + 2 y' + 25 y = 0 from y = 0, y' = kSpeed.
TEST(MovedNodes, WithoutMassPullTheirDampersToo) {
  const double end = 0.9;
  const double omega = std::sqrt(24.0);
  const double elongation = kSpeed / omega * std::exp(-end) * std::sin(omega * end);
  const LatticeSystem system(make_lattice(towed(0.0)));
  for (const Integrator method : {Integrator::leapfrog,
                                  Integrator::runge_kutta_4,
                                  Integrator::symplectic_4,
                                  Integrator::implicit_midpoint,
                                  Integrator::adams_bashforth_3,
                                  Integrator::dormand_prince}) {
    const RunResult result = run_quietly(system, system.start(), method, 1e-4, end);
    // the methods of second order err by (omega h)^2 end
    EXPECT_NEAR(result.state.q[0], kSpeed * end - elongation, tolerance(1e-7)) << name_of(method);
    EXPECT_NEAR(result.end.total() - result.start.total(), result.work, tolerance(1e-7))
        << name_of(method);
  }
}

// Truth: a mass on a moved node changes no motion but the work of its support, and p / v is known.
TEST(MovedNodes, TellTheirSpeedWithOrWithoutMass) {
  const LatticeSystem bare(make_lattice(towed(0.0)));
  const LatticeSystem heavy(make_lattice(towed(4.0)));
  for (const LatticeSystem* system : {&bare, &heavy}) {
    const State start = system->start();
    EXPECT_EQ(start.p[1] / system->momentum_masses()[1], kSpeed);
  }
  EXPECT_EQ(bare.energy(bare.start().memory, bare.start().q, bare.start().p).kinetic, 0.0);
}

/// A chain of masses with dampers, long enough for the fast engine, pulled at its end.
Lattice towed_chain(double end_mass) {
  constexpr std::int32_t kNodes = 40;
  Lattice lattice;
  lattice.dimension = 2;
  for (std::int32_t i = 0; i < kNodes; ++i)
    lattice.nodes.push_back(node_at(i + 1, i, 0.1 * (i % 2), i + 1 == kNodes ? end_mass : 1.0));
  for (std::int32_t i = 0; i + 1 < kNodes; ++i) {
    lattice.springs.push_back(linear(i, i + 1, 200.0, 1.0));
    lattice.springs.back().damping.c = 3.0;
  }
  lattice.nodes.back().fixed = {false, true, false};
  lattice.motions = {pulled(kNodes - 1)};
  return lattice;
}

// Truth: the general step, and the same chain with a mass at its moved end.
TEST(MovedNodes, OfLargeNetworksPullTheirDampersToo) {
  const LatticeSystem bare(make_lattice(towed_chain(0.0)));
  const LatticeSystem heavy(make_lattice(towed_chain(2.0)));
  const double end = 0.5;
  const State one = run_quietly(bare, bare.start(), Integrator::leapfrog, 1e-3, end).state;
  const State other = run_quietly(heavy, heavy.start(), Integrator::leapfrog, 1e-3, end).state;
  const State exact = run_quietly(bare, bare.start(), Integrator::dormand_prince, 1e-3, end).state;
  EXPECT_GT(exact.q[2 * 38] - 38.0, 0.05);  // the chain follows
  for (std::size_t i = 0; i < one.q.size(); ++i) {
    EXPECT_NEAR(one.q[i], other.q[i], tolerance(1e-12));
    EXPECT_NEAR(one.q[i], exact.q[i], tolerance(2e-5));  // second order
  }
}

// Truth: the force c v of the damper on a mass at rest, that of the spring, which is 0.1 m longer
// than at rest, and a load that the port carries.
TEST(MovedNodes, OfPortsOfVelocityPullTheirDampersToo) {
  Lattice lattice = towed(0.0);
  lattice.nodes[0].position.x() = -0.1;
  Load load;
  load.node = 1;
  load.force.x() = 4.0;
  lattice.loads = {load};
  lattice.motions.clear();
  lattice.nodes[1].fixed = {true, true, true};
  const PortedLattice ported(make_lattice(lattice), {Port{1, Causality::velocity_in}});
  const std::vector<double> state = ported.start();
  std::vector<double> rate(state.size());
  std::vector<PortFlow> flows(1);
  const Eigen::Vector3d speed(kSpeed, 0.0, 0.0);
  ported.rate(0.0, state, {&speed, 1}, rate, flows);
  const double pull = 2.0 * kSpeed + 25.0 * 0.1;
  EXPECT_NEAR(rate[2], pull, tolerance(1e-12));
  EXPECT_NEAR(flows[0].force.x(), pull - 4.0, tolerance(1e-12));
}

// Truth: the balance of energy; and the work that the same chain takes whose springs cannot break.
TEST(MovedNodes, OfLargeNetworksWorkOnSpringsThatMayBreakAndOnHinges) {
  Lattice lattice = towed_chain(0.0);
  lattice.springs.back().damping = {};  // the fast engine knows no dampers along breakable springs
  const LatticeSystem sound(make_lattice(lattice));
  lattice.springs.back().break_force = 1e9;
  const LatticeSystem breakable(make_lattice(lattice));
  RotationalSpring hinge;
  hinge.a = 37;
  hinge.b = 38;
  hinge.stiffness = 20.0;
  lattice.hinges = {hinge};
  const LatticeSystem hinged(make_lattice(lattice));
  std::vector<double> works;
  for (const LatticeSystem* system : {&sound, &breakable, &hinged}) {
    const RunResult moved = run_quietly(*system, system->start(), Integrator::leapfrog, 1e-3, 1.0);
    ASSERT_EQ(moved.status, RunStatus::finished) << moved.message;
    EXPECT_NEAR(moved.end.total() - moved.start.total(), moved.work, tolerance(2e-4));
    works.push_back(moved.work);
  }
  EXPECT_GT(works[0], 1.0);
  EXPECT_NEAR(works[1], works[0], tolerance(1e-10));
}

}  // namespace
}  // namespace femflex::hamiltonian
