// Tests the search for equilibrium from distant starts: slack nets, floating parts, springs that
// break.
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <Eigen/SparseCholesky>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/hamiltonian/lattice_statics.h"

#include "models.h"
#include "support/support.h"

namespace femflex::hamiltonian {
namespace {

using testing::tolerance;

constexpr double kGravity = 9.81;

Equilibrium rest_of(const Lattice& lattice) {
  const LatticeSystem system(make_lattice(lattice));
  return find_equilibrium(system, system.start(), {}, no_progress());
}

/// A mass of 1 kg under its support, 1 m below, on these springs.
Lattice hanging(std::vector<Spring> springs) {
  Lattice lattice;
  lattice.dimension = 1;
  lattice.gravity = Eigen::Vector3d(-kGravity, 0.0, 0.0);
  lattice.nodes = {node_at(1, 0.0, 0.0, 1.0, true), node_at(2, -1.0, 0.0, 1.0)};
  lattice.springs = std::move(springs);
  return lattice;
}

/// Cables between two walls, straight and slack at the start: no stiffness at all there.
Lattice slack_cable(int links, double length, double stiffness) {
  Lattice lattice;
  lattice.dimension = 2;
  lattice.gravity = Eigen::Vector3d(0.0, -kGravity, 0.0);
  for (int i = 0; i <= links; ++i)
    lattice.nodes.push_back(
        node_at(i, static_cast<double>(i) / links, 0.0, 0.05, i == 0 || i == links));
  for (std::int32_t i = 0; i < links; ++i) {
    lattice.springs.push_back(linear(i, i + 1, stiffness, length / links));
    lattice.springs.back().tension_only = true;
  }
  return lattice;
}

// Truth: the discrete elastic catenary, link by link from the reaction at one end.
TEST(Rest, ASlackCableDrawsTightIntoItsCatenary) {
  for (const double length : {1.05, 1.5, 3.0})
    for (const double stiffness : {1e3, 1e6}) {
      constexpr int links = 40;
      const Lattice lattice = slack_cable(links, length, stiffness);
      const Equilibrium rest = rest_of(lattice);
      ASSERT_TRUE(rest.converged) << rest.message;
      const double h = -rest.reactions[0];
      double v = rest.reactions[1] - 0.05 * kGravity;
      double x = 0.0;
      double y = 0.0;
      for (std::size_t i = 0; i < links; ++i) {
        const double pull = std::hypot(h, v);
        const double l = length / links + pull / stiffness;
        x += l * h / pull;
        y -= l * v / pull;
        EXPECT_NEAR(rest.state.q[2 * i + 2], x, tolerance(1e-7)) << i;
        EXPECT_NEAR(rest.state.q[2 * i + 3], y, tolerance(1e-7)) << i;
        v -= 0.05 * kGravity;
      }
    }
}

// Second start: a net held at its corners sags alike from flat, where all its cords are slack, and
// from deep down, where all are taut.
TEST(Rest, ASlackNetSagsAsATautOneDoes) {
  constexpr int cells = 6;
  const auto net = [](double depth) {
    Lattice lattice;
    lattice.dimension = 3;
    lattice.gravity = Eigen::Vector3d(0.0, -kGravity, 0.0);
    for (int i = 0; i <= cells; ++i)
      for (int j = 0; j <= cells; ++j) {
        const bool held = i % cells == 0 && j % cells == 0;
        LatticeNode node = node_at(lattice.nodes.size() + 1, i, 0.0, 0.05, held);
        node.position.y() =
            held ? 0.0 : -depth * (1.0 + std::min(i, cells - i) + std::min(j, cells - j));
        node.position.z() = j;
        lattice.nodes.push_back(node);
      }
    const auto cord = [&](int a, int b) {
      lattice.springs.push_back(linear(a, b, 2000.0, 1.1));
      lattice.springs.back().tension_only = true;
    };
    for (int i = 0; i <= cells; ++i)
      for (int j = 0; j <= cells; ++j) {
        const int at = i * (cells + 1) + j;
        if (i < cells) cord(at, at + cells + 1);
        if (j < cells) cord(at, at + 1);
      }
    return lattice;
  };
  const Equilibrium slack = rest_of(net(0.0));
  const Equilibrium taut = rest_of(net(1.0));
  ASSERT_TRUE(slack.converged && taut.converged) << slack.message << taut.message;
  EXPECT_NEAR(slack.potential, taut.potential, tolerance(1e-10) * std::abs(taut.potential));
  for (std::size_t k = 0; k < slack.state.q.size(); ++k)
    EXPECT_NEAR(slack.state.q[k], taut.state.q[k], tolerance(1e-6)) << k;
}

// Closed form: without loads a free spring takes its rest length, wherever it floats; with gravity
// it falls for ever, which is reported at once.
/// Eigen's factor from outside, which counts its uses.
class CountedFactor final : public SymmetricFactor {
 public:
  explicit CountedFactor(int& uses) : uses_(uses) {}
  bool factor(const SparseMatrix& lower, const std::vector<std::int32_t>& group) override {
    ++uses_;
    EXPECT_EQ(static_cast<Eigen::Index>(group.size()), lower.rows());
    factor_.compute(lower);
    return factor_.info() == Eigen::Success;
  }
  std::int64_t negative() const override { return (factor_.vectorD().array() < 0.0).count(); }
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const override {
    return factor_.solve(right);
  }

 private:
  int& uses_;
  Eigen::SimplicialLDLT<SparseMatrix> factor_;
};

// Truth: the equilibrium found without a factor from outside. Ten load steps take one Newton step
// each but for the last, and one factor for each of them.
TEST(Rest, ALargeBlockRestsAlikeByAFactorFromOutsideAndInFewSteps) {
  BlockOptions block;
  block.nodes = {10, 9, 9};
  block.size = {9.0, 8.0, 8.0};
  block.stiffness = 100.0;
  block.diagonal_stiffness = 100.0;
  block.law = SpringLaw::linear;
  Lattice lattice = make_block(block);
  for (LatticeNode& node : lattice.nodes) {
    if (node.position(0) == 0.0) node.fixed = {true, true, true};
  }
  Load load;
  load.node = static_cast<std::int32_t>(lattice.nodes.size()) - 1;
  load.force = Eigen::Vector3d(3.0, 0.0, -5.0);
  lattice.loads.push_back(load);
  const LatticeSystem system(make_lattice(lattice));
  EquilibriumOptions options;
  options.load_steps = 10;
  const Equilibrium own = find_equilibrium(system, system.start(), options, no_progress());
  int uses = 0;
  options.make_factor = [&uses] { return std::make_unique<CountedFactor>(uses); };
  const Equilibrium other = find_equilibrium(system, system.start(), options, no_progress());
  ASSERT_TRUE(own.converged && other.converged);
  EXPECT_LE(other.iterations, 15);
  EXPECT_GT(uses, 10);
  EXPECT_LE(uses, other.iterations + 5);
  for (std::size_t i = 0; i < own.state.q.size(); ++i)
    EXPECT_NEAR(own.state.q[i], other.state.q[i], tolerance(1e-8));
}

TEST(Rest, AFloatingPartFindsItsShapeUnlessItFalls) {
  Lattice lattice;
  lattice.dimension = 2;
  lattice.nodes = {node_at(1, 0.0, 0.0, 1.0), node_at(2, 0.3, 0.4, 2.0)};
  lattice.springs = {linear(0, 1, 1e3, 1.0)};
  const Equilibrium rest = rest_of(lattice);
  ASSERT_TRUE(rest.converged) << rest.message;
  EXPECT_EQ(rest.negative, 0);
  EXPECT_NEAR(std::hypot(rest.state.q[2] - rest.state.q[0], rest.state.q[3] - rest.state.q[1]),
              1.0,
              tolerance(1e-10));
  lattice.gravity = Eigen::Vector3d(0.0, -kGravity, 0.0);
  const Equilibrium falling = rest_of(lattice);
  EXPECT_FALSE(falling.converged);
  EXPECT_NE(falling.message.find("nothing holds the structure"), std::string::npos)
      << falling.message;
  EXPECT_LT(falling.iterations, 100);
}

// Equilibria break springs, not the steps on the way to them: a start that squeezes the spring far
// beyond its limit ends in m g / k all the same.
TEST(Rest, SpringsBreakAtEquilibriaAlone) {
  Lattice lattice;
  lattice.dimension = 2;
  lattice.gravity = Eigen::Vector3d(0.0, -kGravity, 0.0);
  lattice.nodes = {node_at(1, 0.0, 0.0, 1.0, true), node_at(2, 0.0, -0.2, 1.0)};
  lattice.springs = {linear(0, 1, 1e3, 1.0)};
  lattice.springs[0].break_force = 9.82;
  const Equilibrium held = rest_of(lattice);
  ASSERT_TRUE(held.converged) << held.message;
  EXPECT_EQ(held.broken, 0);
  EXPECT_NEAR(held.state.q[3], -1.0 - kGravity / 1e3, tolerance(1e-10));

  // of two springs side by side the stiffer one carries three quarters and breaks; the other holds
  lattice.springs.push_back(linear(0, 1, 3e3, 1.0));
  lattice.springs[1].break_force = 7.0;
  const Equilibrium shared = rest_of(lattice);
  ASSERT_TRUE(shared.converged) << shared.message;
  EXPECT_EQ(shared.broken, 1);
  EXPECT_NEAR(shared.state.q[3], -1.0 - kGravity / 1e3, tolerance(1e-10));

  lattice.springs[0].break_force = 9.8;
  const Equilibrium lost = rest_of(lattice);
  EXPECT_FALSE(lost.converged);
  EXPECT_NE(lost.message.find("2 springs broke"), std::string::npos) << lost.message;
}

// Closed form: a shallow truss snaps through at the largest of P = -2 k (1 - L0 / L) z, and no
// point of the path leaves that curve. Where the path is straight the arcs grow, so that points are
// left for what lies after the snap; where they run out, that is reported.
TEST(Paths, LengthenTheirArcsWhereTheyAreStraight) {
  constexpr double height = 0.3;
  constexpr double k = 100.0;
  Lattice lattice;
  lattice.dimension = 2;
  lattice.nodes = {node_at(1, -1.0, 0.0, 1.0, true),
                   node_at(2, 0.0, height, 1.0),
                   node_at(3, 1.0, 0.0, 1.0, true)};
  const double rest_length = std::hypot(1.0, height);
  lattice.springs = {linear(0, 1, k, rest_length), linear(1, 2, k, rest_length)};
  Load load;
  load.node = 1;
  load.force = Eigen::Vector3d(0.0, -1.0, 0.0);
  lattice.loads = {load};
  const LatticeSystem system(make_lattice(lattice));
  BranchOptions options;
  options.largest_factor = 1.0;
  const Branch branch = follow_branch(system, system.start(), options, no_progress());
  EXPECT_TRUE(branch.complete) << branch.message;
  EXPECT_TRUE(branch.message.empty()) << branch.message;
  EXPECT_GT(branch.points.back().load_factor, 1.0);
  for (const BranchPoint& point : branch.points) {
    const double z = point.state.q[3];
    EXPECT_NEAR(point.load_factor,
                -2.0 * k * (1.0 - rest_length / std::hypot(1.0, z)) * z,
                tolerance(1e-8));
  }
  options.max_points = 5;
  const Branch cut = follow_branch(system, system.start(), options, no_progress());
  EXPECT_NE(cut.message.find("5 points"), std::string::npos) << cut.message;
}

// Truth: the balance of all forces on the lattice: reactions, loads and weights add up to zero.
TEST(Rest, SupportsCarryTheLoadsOnThemselves) {
  Lattice lattice = slack_cable(4, 1.3, 5000.0);
  for (const std::int32_t node : {0, 1, 4}) {
    Load load;
    load.node = node;
    load.force = Eigen::Vector3d(3.0, -7.0, 0.0);
    lattice.loads.push_back(load);
  }
  const LatticeSystem system(make_lattice(lattice));
  EquilibriumOptions options;
  options.load_factor = 2.0;
  const Equilibrium rest = find_equilibrium(system, system.start(), options, no_progress());
  ASSERT_TRUE(rest.converged) << rest.message;
  double x = 3 * 2.0 * 3.0;
  double y = -3 * 2.0 * 7.0 - 5 * 0.05 * kGravity;
  for (std::size_t node = 0; node < 5; ++node) {
    x += rest.reactions[2 * node];
    y += rest.reactions[2 * node + 1];
  }
  EXPECT_NEAR(x, 0.0, tolerance(1e-7));
  EXPECT_NEAR(y, 0.0, tolerance(1e-7));
}

// Truth: L = d + m g / k below the support, wherever the support is and whatever the free length.
TEST(Rest, AMassThatStartsAtItsSupportHangsBelowIt) {
  for (const double free_length : {0.0, 1.0})
    for (const double place : {0.0, 1e4}) {
      Lattice lattice;
      lattice.dimension = 2;
      lattice.gravity = Eigen::Vector3d(0.0, -kGravity, 0.0);
      lattice.nodes = {node_at(1, place, place, 1.0, true), node_at(2, place, place, 1.0)};
      lattice.springs = {linear(0, 1, 100.0, free_length)};
      const Equilibrium rest = rest_of(lattice);
      ASSERT_TRUE(rest.converged) << free_length << " at " << place << ": " << rest.message;
      EXPECT_NEAR(rest.state.q[3] - place, -free_length - kGravity / 100.0, tolerance(1e-7));
    }
}

// Three nodes that nothing holds, under a load. On the way a hinge folds a slack cable to a point,
// where the tangent of the hinge has no bound. Truth: no equilibrium exists.
TEST(Rest, ABoundlessTangentDoesNotExcuseALoadWithoutSupport) {
  Lattice lattice;
  lattice.nodes = {
      node_at(1, 2.315, 1.257, 1.0), node_at(2, 1.879, 1.134, 2.0), node_at(3, 0.502, 1.947, 1.0)};
  lattice.nodes[0].position.z() = 0.173;
  lattice.nodes[1].position.z() = 0.845;
  lattice.nodes[2].position.z() = 2.712;
  lattice.springs = {linear(0, 1, 41.06, 0.0), linear(0, 2, 20.0, 0.0)};
  for (Spring& spring : lattice.springs)
    spring.reference = Reference::initial;
  lattice.springs[0].tension_only = true;
  RotationalSpring hinge;
  hinge.a = 1;
  hinge.b = 0;
  hinge.reference = Reference::initial;
  hinge.moment.expression = "3*e+2*e^3";
  lattice.hinges = {hinge};
  Load load;
  load.node = 2;
  load.force = Eigen::Vector3d(0.34, 2.55, 4.75);
  lattice.loads = {load};
  EXPECT_FALSE(rest_of(lattice).converged);
}

// A root of a negative number is not a force: the search ends and names the spring.
TEST(Rest, AForceThatIsNoNumberIsNamed) {
  Lattice lattice = hanging({linear(0, 1, 30.0, 1.0), linear(0, 1, 1.0, 1.0)});
  lattice.springs[1].law = SpringLaw::expression;
  lattice.springs[1].force = 0;
  lattice.functions = {{1.0, {}, {}, "sqrt(0.05 - e)"}};
  const Equilibrium rest = rest_of(lattice);
  EXPECT_FALSE(rest.converged);
  EXPECT_NE(rest.message.find("spring 2 is not finite"), std::string::npos) << rest.message;
}

// Closed form: the spring with a length of its own holds the mass, x = -(1 + m g / k); the one that
// refers to that state carries nothing.
TEST(Rest, SpringsThatReferToTheStateAtHandAreNotThereBefore) {
  Lattice lattice = hanging({linear(0, 1, 30.0, 1.0), linear(0, 1, 20.0, 1.0)});
  lattice.springs[1].reference = Reference::current;
  LatticeSystem system(make_lattice(lattice));
  const LatticeSystem holding(without_current_references(system.lattice()));
  const Equilibrium rest = find_equilibrium(holding, system.start(), {}, no_progress());
  ASSERT_TRUE(rest.converged);
  EXPECT_NEAR(rest.state.q[1], -(1.0 + kGravity / 30.0), tolerance(1e-12));
  system.set_current_references(rest.state);
  EXPECT_NEAR(system.read_springs(rest.state)[1].force, 0.0, tolerance(1e-12));
}

// Gravity does not grow: without loads there is no path to follow.
TEST(Rest, APathNeedsALoad) {
  Lattice lattice = hanging({linear(0, 1, 30.0, 1.0)});
  const LatticeSystem system(make_lattice(lattice));
  EXPECT_THROW(follow_branch(system, system.start(), {}, no_progress()), ModelError);
  EXPECT_THROW(find_buckling(system, system.start(), {}, no_progress()), ModelError);
}

// Truth: a spring that exerts no force cannot break, and holds the mass of the lattice as it does
// with its force: half of rho A L at each end, L = 3 m.
TEST(Rest, SpringsThatReferToTheStateAtHandKeepTheirMassAndDoNotBreak) {
  Lattice lattice = hanging({linear(0, 1, 30.0, 3.0), linear(0, 1, 20.0, 0.0)});
  lattice.nodes[1].position.x() = -3.0;
  Spring& later = lattice.springs[1];
  later.reference = Reference::current;
  later.break_elongation = later.break_force = later.break_stress = 0.1;
  later.area = 1e-4;
  later.density = 8000.0;
  const LatticeSystem system(make_lattice(lattice));
  const LatticeSystem holding(without_current_references(system.lattice()));
  EXPECT_DOUBLE_EQ(system.masses()[1], 1.0 + 0.5 * 8000.0 * 1e-4 * 3.0);
  EXPECT_EQ(holding.masses(), system.masses());
  const Equilibrium rest = find_equilibrium(holding, system.start(), {}, no_progress());
  ASSERT_TRUE(rest.converged);
  EXPECT_EQ(rest.broken, 0);
  EXPECT_EQ(rest.state.memory.broken[1], 0);
}

// Truth: the tangent of the two free nodes is [0 1; 1 0] N/m, whose eigenvalues are 1 and -1. Its
// first pivot vanishes.
TEST(Rest, SignsAreCountedWhereAPivotVanishes) {
  Lattice lattice;
  lattice.dimension = 1;
  for (int i = 0; i < 4; ++i)
    lattice.nodes.push_back(node_at(i + 1, i, 0.0, 1.0, i % 3 == 0));
  lattice.springs = {linear(0, 1, 1.0, 1.0), linear(1, 2, -1.0, 1.0), linear(2, 3, 1.0, 1.0)};
  const LatticeSystem system(make_lattice(lattice));
  EquilibriumOptions options;
  options.stable = false;
  const Equilibrium rest = find_equilibrium(system, system.start(), options, no_progress());
  ASSERT_TRUE(rest.converged) << rest.message;
  EXPECT_EQ(rest.negative, 1);
  EXPECT_EQ(rest.neutral, 0);
  EXPECT_EQ(count_negative(system, system.start()), 1);
}

}  // namespace
}  // namespace femflex::hamiltonian
