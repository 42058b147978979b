// Tests lattices with ports, their K and M, and the hub R.
#include "femflex/hamiltonian/ports.h"

#include <cmath>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "femflex/hamiltonian/lattice_to_fe.h"

#include "models.h"
#include "support/support.h"

namespace femflex::hamiltonian {
namespace {

Lattice held_ladder() {
  Lattice lattice = make_ladder({});
  lattice.nodes[0].fixed = lattice.nodes[17].fixed = {true, true, false};
  return make_lattice(lattice);
}

struct Ran {
  std::vector<double> state;
  std::array<PortFlow, 2> flows;
  PowerBalance balance;
};

Ran drive(const PortedLattice& lattice,
          const std::array<Eigen::Vector3d, 2>& inputs,
          double h,
          int steps) {
  Ran ran{lattice.start(), {}, {}};
  for (int i = 0; i < steps; ++i)
    lattice.step(i * h, h, ran.state, inputs, ran.flows, ran.balance);
  return ran;
}

// Truth: energy that comes in is stored or dissipated, in every combination of causalities.
TEST(Ports, BalanceTheirPower) {
  for (const Causality first : {Causality::force_in, Causality::velocity_in}) {
    for (const Causality second : {Causality::force_in, Causality::velocity_in}) {
      for (const bool on_hub : {false, true}) {
        Lattice model = held_ladder();
        model.friction = 0.3;
        Hub hub;
        hub.stiffness = 0.2;
        hub.position = Eigen::Vector3d(8.0, 3.0, 0.0);
        if (on_hub) model.hub = hub;
        const PortedLattice lattice(model, {Port{8, first}, Port{on_hub ? -1 : 12, second}});
        const auto input = [](Causality c) {
          return c == Causality::force_in ? Eigen::Vector3d(3.0, -10.0, 0.0)
                                          : Eigen::Vector3d(0.2, -0.5, 0.0);
        };
        const Ran ran = drive(lattice, {input(first), input(second)}, 2.5e-4, 4000);
        const double scale = std::abs(ran.balance.in[0]) + std::abs(ran.balance.in[1]);
        EXPECT_GT(scale, 0.1);
        EXPECT_LT(std::abs(ran.balance.error()), testing::tolerance(1e-8) * scale);
      }
    }
  }
}

// Truth: the same load as a Load of the lattice, by the general Runge-Kutta run.
TEST(Ports, AForceOnANodeIsALoad) {
  Lattice model = held_ladder();
  const PortedLattice ported(model, {Port{8, Causality::force_in}, Port{10, Causality::force_in}});
  const Ran ran = drive(ported, {Eigen::Vector3d(0, -5, 0), Eigen::Vector3d::Zero()}, 1e-3, 1000);
  Load load;
  load.node = 8;
  load.force = Eigen::Vector3d(0, -5, 0);
  model.loads = {load};
  const LatticeSystem direct(make_lattice(model));
  const State state =
      run_quietly(direct, direct.start(), Integrator::runge_kutta_4, 1e-3, 1.0).state;
  for (std::size_t i = 0; i < state.q.size(); ++i)
    EXPECT_NEAR(ran.state[i], state.q[i], testing::tolerance(1e-12));
  EXPECT_NEAR(ran.flows[0].velocity.y(), state.p[17] / 0.2, testing::tolerance(1e-10));
}

// Truth: R without mass and without force hangs where its springs balance; a force F displaces it
// against the springs, whose sum is F.
TEST(Ports, TheMasslessHubStandsWhereItsSpringsBalance) {
  Lattice model = held_ladder();
  for (LatticeNode& node : model.nodes)
    node.fixed = {true, true, false};
  model.nodes[8].fixed = {};
  Hub hub;
  hub.stiffness = 3.0;
  hub.law = SpringLaw::linear;
  hub.rest_length = 0.0;  // a linear hub without length: R is the mean of the nodes
  model.hub = hub;
  const PortedLattice lattice(model, {Port{-1, Causality::force_in}, Port{8, Causality::force_in}});
  const Ran ran =
      drive(lattice, {Eigen::Vector3d(0.0, 5.4, 0.0), Eigen::Vector3d::Zero()}, 1e-5, 1);
  const std::size_t r = ran.state.size() - 2;
  EXPECT_NEAR(ran.state[r], 8.0, testing::tolerance(1e-6));
  EXPECT_NEAR(ran.state[r + 1], 1.0 + 5.4 / (18 * 3.0), testing::tolerance(1e-6));
}

// Truth: impossible models are rejected.
TEST(Ports, RefuseWhatCannotBe) {
  const Lattice model = held_ladder();
  EXPECT_THROW(PortedLattice(model, {Port{-1, Causality::force_in}, Port{8, Causality::force_in}}),
               UsageError);
  EXPECT_THROW(
      PortedLattice(model, {Port{8, Causality::force_in}, Port{8, Causality::velocity_in}}),
      UsageError);
  EXPECT_THROW(
      PortedLattice(model, {Port{0, Causality::force_in}, Port{8, Causality::velocity_in}}),
      UsageError);
  EXPECT_THROW(
      PortedLattice(model, {Port{99, Causality::force_in}, Port{8, Causality::velocity_in}}),
      UsageError);
}

// Truth: the general run, by the same method and step: a mass that circles on a spring carries its
// hinge over whole turns, and a second spring breaks on the way.
TEST(Ports, CountAnglesAndBreakSpringsAsARunDoes) {
  Lattice model;
  model.dimension = 2;
  model.nodes = {
      node_at(1, 0, 0, 0, true), node_at(2, -1, 0, 0, true), node_at(3, 0, 1.3, 1.5, false)};
  model.nodes[2].velocity = Eigen::Vector3d(5.2, 0.0, 0.0);
  model.springs = {linear(1, 0, 1.0, 1.0), linear(0, 2, 100.0, 1.0), linear(1, 2, 3.0, 2.0)};
  model.springs[2].break_elongation = 0.25;
  RotationalSpring hinge;
  hinge.a = 0;
  hinge.b = 1;
  hinge.stiffness = 0.02;
  model.hinges = {hinge};
  const LatticeSystem direct(make_lattice(model));
  const State truth =
      run_quietly(direct, direct.start(), Integrator::runge_kutta_4, 1e-3, 3.0).state;
  ASSERT_GT(std::abs(truth.memory.angles[0]), 7.0);
  ASSERT_EQ(truth.memory.broken[2], 1);
  PortedLattice ported(model, {});
  std::vector<double> state = ported.start();
  PowerBalance balance;
  for (int i = 0; i < 3000; ++i) {
    ported.step(i * 1e-3, 1e-3, state, {}, {}, balance);
    ported.remember(state);
  }
  for (std::size_t i = 0; i < truth.q.size(); ++i)
    EXPECT_NEAR(state[i], truth.q[i], testing::tolerance(1e-10));
  const std::vector<double> memory = ported.memory();
  ASSERT_EQ(memory.size(), 4U);
  EXPECT_NEAR(memory[0], truth.memory.angles[0], testing::tolerance(1e-10));
  EXPECT_EQ(memory[3], 1.0);
}

// Truth: the closed form of a pushed oscillator; the port's velocity is q', its power H'.
TEST(Ports, APolynomialIsPushedAtItsBlocks) {
  const Polynomial oscillator = parse_polynomial("0.25*[1]^2 + 4*[0]^2", 1, "H");
  const PortedPolynomial ported(oscillator, {0.0, 0.0}, {Port{0, Causality::force_in}});
  std::vector<double> state = ported.start();
  const std::vector<Eigen::Vector3d> force = {Eigen::Vector3d(3.0, 0.0, 0.0)};
  std::vector<PortFlow> flows(1);
  PowerBalance balance;
  for (int i = 0; i < 1000; ++i)
    ported.step(i * 1e-3, 1e-3, state, force, flows, balance);
  EXPECT_NEAR(state[0], 3.0 / 8.0 * (1.0 - std::cos(2.0)), testing::tolerance(1e-10));
  EXPECT_NEAR(flows[0].velocity.x(), 3.0 / 4.0 * std::sin(2.0), testing::tolerance(1e-10));
  EXPECT_NEAR(balance.received(), 3.0 * state[0], testing::tolerance(1e-10));
  EXPECT_NEAR(balance.error(), 0.0, testing::tolerance(1e-10));
  EXPECT_THROW(PortedPolynomial(oscillator, {0.0, 0.0}, {Port{1, Causality::force_in}}),
               UsageError);
  EXPECT_THROW(PortedPolynomial(oscillator, {0.0, 0.0}, {Port{0, Causality::velocity_in}}),
               UsageError);
  EXPECT_THROW(PortedPolynomial(oscillator, {0.0}, {}), UsageError);
}

// Truth: what a host cannot have is rejected, not ignored.
TEST(Ports, RefuseMotionsAndCountedLoads) {
  Lattice moved = held_ladder();
  PrescribedMotion motion;
  motion.node = 3;
  moved.motions = {motion};
  EXPECT_THROW(PortedLattice(moved, {}), UsageError);
  Lattice counted = held_ladder();
  Load load;
  load.node = 3;
  load.until_step = 300;
  counted.loads = {load};
  EXPECT_THROW(PortedLattice(counted, {}), UsageError);
}

// Truth: K is symmetric and its product with a small displacement is the change of force; M holds
// the masses; rigid motions of an unsupported lattice at rest have zero energy.
TEST(ToFe, KAndMAreTheTangentAndTheMasses) {
  BlockOptions block;
  block.nodes = {3, 2, 2};
  block.node_mass = 0.5;
  block.stiffness = 40.0;
  const LatticeSystem system(make_block(block));
  const FeModel model = to_fe_model(system, system.start(), HeldDofs::leave_out);
  ASSERT_EQ(model.dofs.size(), 36);
  EXPECT_EQ(model.elements[0].ids.size(), system.lattice().springs.size());
  const auto rigid = rigid_body_shapes(model, model.dofs, Eigen::Vector3d::Zero());
  const Eigen::MatrixXd k = Eigen::MatrixXd(mirrored(*model.stiffness));
  EXPECT_LT((k * rigid).cwiseAbs().maxCoeff(), testing::tolerance(1e-12) * k.cwiseAbs().maxCoeff());
  EXPECT_DOUBLE_EQ(rigid.col(0).dot(model.mass->selfadjointView<Eigen::Lower>() * rigid.col(0)),
                   12 * 0.5);
}

// Truth: omega = 2 sqrt(k/m) sin((2j-1) pi / (4n+2)) of a chain of n masses held at one end.
TEST(ToFe, AChainHasTheFrequenciesOfItsClosedForm) {
  constexpr int kMasses = 12;
  Lattice lattice;
  lattice.dimension = 1;
  for (int i = 0; i <= kMasses; ++i)
    lattice.nodes.push_back(node_at(i, 0.5 * i, 0, 0.3, i == 0));
  for (std::int32_t i = 0; i < kMasses; ++i)
    lattice.springs.push_back(linear(i, i + 1, 70.0, 0.5));
  const LatticeSystem system(make_lattice(lattice));
  const FeModel model = to_fe_model(system, system.start(), HeldDofs::leave_out);
  const Eigen::MatrixXd k = Eigen::MatrixXd(mirrored(*model.stiffness));
  const Eigen::MatrixXd m = Eigen::MatrixXd(mirrored(*model.mass));
  ASSERT_EQ(k.rows(), kMasses);
  for (int j = 1; j <= kMasses; ++j) {
    const double omega =
        2.0 * std::sqrt(70.0 / 0.3) * std::sin((2 * j - 1) * M_PI / (4 * kMasses + 2));
    Eigen::VectorXd shape(kMasses);
    for (int i = 0; i < kMasses; ++i)
      shape(i) = std::sin((i + 1) * (2 * j - 1) * M_PI / (2 * kMasses + 1));
    EXPECT_LT((k * shape - omega * omega * (m * shape)).norm(),
              testing::tolerance(1e-12) * k.norm());
  }
}

// Truth: a cantilever of stiff links and hinges C has at its tip the compliance
// sum (L - x_j)^2 / C, so that a heavy end on light links swings at 1 / sqrt(M c) by K and M.
TEST(ToFe, ABeamWithAHeavyEndSwingsAsItsComplianceSays) {
  constexpr int kLinks = 10;
  Lattice lattice;
  lattice.dimension = 2;
  for (int i = -1; i <= kLinks; ++i)
    lattice.nodes.push_back(node_at(i + 2, 0.1 * i, 0, i == kLinks ? 50.0 : 1e-6, i <= 0));
  for (std::int32_t i = 0; i <= kLinks; ++i)
    lattice.springs.push_back(linear(i, i + 1, 1e7, 0.1));
  double compliance = 0.0;
  for (std::int32_t i = 0; i < kLinks; ++i) {
    RotationalSpring hinge;
    hinge.a = i;
    hinge.b = i + 1;
    hinge.stiffness = 80.0 + i;
    lattice.hinges.push_back(hinge);
    const double arm = 1.0 - 0.1 * i;
    compliance += arm * arm / hinge.stiffness;
  }
  const LatticeSystem system(make_lattice(lattice));
  const FeModel model = to_fe_model(system, system.start(), HeldDofs::leave_out);
  const Eigen::MatrixXd k = Eigen::MatrixXd(mirrored(*model.stiffness));
  const Eigen::MatrixXd m = Eigen::MatrixXd(mirrored(*model.mass));
  // inverse iteration by the lowest shape; the axial ones are far stiffer
  const Eigen::LDLT<Eigen::MatrixXd> factor(k);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(k.rows());
  x(k.rows() - 1) = 1.0;
  for (int i = 0; i < 20; ++i)
    x = factor.solve(m * x).normalized();
  const double square = x.dot(k * x) / x.dot(m * x);
  EXPECT_NEAR(square * 50.0 * compliance, 1.0, testing::tolerance(1e-5));
}

}  // namespace
}  // namespace femflex::hamiltonian
