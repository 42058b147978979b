// Tests spring forces. Truth: numbers of a reference program (data/lattice/fydik_reference.json),
// central differences, dense eigenvalues, and the same lattice as a polynomial.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "femflex/hamiltonian/polynomial.h"

#include "models.h"
#include "support/support.h"

namespace femflex::hamiltonian {
namespace {

/// Two springs i-j-k with a rotational spring between them, unit masses, so that p = v.
Lattice bent_pair(const std::array<Eigen::Vector3d, 3>& x,
                  const std::array<Eigen::Vector3d, 3>& v,
                  int dimension = 2) {
  Lattice lattice;
  lattice.dimension = dimension;
  for (std::size_t i = 0; i < 3; ++i) {
    LatticeNode node;
    node.id = static_cast<std::int64_t>(i) + 1;
    node.position = x[i];
    node.velocity = v[i];
    node.mass = 1.0;
    lattice.nodes.push_back(node);
  }
  for (std::int32_t i = 0; i < 2; ++i) {
    Spring spring;
    spring.a = i;
    spring.b = i + 1;
    spring.law = SpringLaw::linear;
    spring.rest_length = 1.0;
    lattice.springs.push_back(spring);
  }
  RotationalSpring hinge;
  hinge.b = 1;
  lattice.hinges.push_back(hinge);
  return lattice;
}

std::vector<double> forces(const Lattice& lattice) {
  const LatticeSystem system(make_lattice(lattice));
  const State state = system.start();
  std::vector<double> f(state.q.size());
  system.force(state.memory, state.q, state.p, f);
  return f;
}

std::vector<double> dissipation(const Lattice& lattice) {
  const LatticeSystem system(make_lattice(lattice));
  const State state = system.start();
  std::vector<double> f(state.q.size(), 0.0);
  system.add_dissipation(state.memory, state.q, state.p, f);
  return f;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double t) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], testing::tolerance(t)) << i;
}

// Truth: the two force cases of data/lattice/fydik_reference.json, part by part.
TEST(Forces, AreThoseOfTheFydikReference) {
  const std::array<Eigen::Vector3d, 3> x = {Eigen::Vector3d(0, 0, 0), {1, 0.2, 0}, {1.9, 0.9, 0}};
  const std::array<Eigen::Vector3d, 3> v = {
      Eigen::Vector3d(0.1, 0, 0), {0, 0.5, 0}, {-0.3, 0.2, 0}};
  Lattice translational = bent_pair(x, v);
  translational.springs[0].stiffness = 50.0;
  translational.springs[1].stiffness = 80.0;
  expect_near(forces(translational),
              {0.9709662154539952,
               0.19419323309079902 + 1e-8,
               7.880856394439892,
               6.690557675715557,
               -8.851822609893887,
               -6.884750918806357},
              1e-7);
  Lattice rotational = bent_pair(x, v);
  rotational.hinges[0].stiffness = 4.0;
  expect_near(forces(rotational),
              {0.356652006923697,
               -1.7832600346184848,
               -1.3552776263100488,
               3.0672072595437943,
               0.9986256193863519,
               -1.2839472249253097},
              1e-13);
  Lattice damped = bent_pair(x, v);
  for (LatticeNode& node : damped.nodes)
    node.damping = {0.1, 0.2, 0.05, false};
  expect_near(dissipation(damped),
              {-0.010205, 0.0, 0.0, -0.055625, 0.032358330765278394, -0.021572220510185598},
              1e-15);
  Lattice along = bent_pair(x, v);
  along.springs[0].damping = {0.3, 0.1, 0.02, false};
  const std::vector<double> f = dissipation(along);
  // the rate of spring 0 is 0 to round-off; the reference value is that of spring 1's second point
  EXPECT_NEAR(f[2], 4.163336342344337e-18, 1e-15);
  Lattice turning = bent_pair(x, v);
  turning.hinges[0].damping = {0.05, 0.4, 0.1, false};
  const std::vector<double> g = dissipation(turning);
  // moment 0.0341 (omega = -0.546) as a couple on spring 1: M / L across it
  const Eigen::Vector3d u = x[2] - x[1];
  EXPECT_NEAR(g[4], 0.034087917614929436 * -u.y() / u.squaredNorm(), testing::tolerance(1e-15));
  EXPECT_NEAR(g[5], 0.034087917614929436 * u.x() / u.squaredNorm(), testing::tolerance(1e-15));
}

// Truth: second case of the same reference, with a reference angle and folded springs.
TEST(Forces, OfAFoldedPairAreThoseOfTheFydikReference) {
  const std::array<Eigen::Vector3d, 3> x = {
      Eigen::Vector3d(0, 0, 0), {-0.5, 0.9, 0}, {-1.2, 0.1, 0}};
  const std::array<Eigen::Vector3d, 3> v = {Eigen::Vector3d(0, 0, 0), {1, 0.5, 0}, {0.2, -0.7, 0}};
  Lattice rotational = bent_pair(x, v);
  rotational.hinges[0].stiffness = 2.5;
  rotational.hinges[0].angle = 0.3;
  expect_near(forces(rotational),
              {3.429475789193984,
               1.905264327329991,
               -0.5698932235730423,
               -4.407399072248315,
               -2.8595825656209417,
               2.5021347449183238},
              1e-12);
}

// Truth: explicit Euler, modified Euler and RK4 of the reference's one-dimensional case.
TEST(Forces, AndIntegratorsGiveTheFydikReferenceStepByStep) {
  Lattice lattice;
  lattice.dimension = 1;
  LatticeNode wall;
  wall.id = 1;
  wall.fixed = {true, true, true};
  LatticeNode mass;
  mass.id = 2;
  mass.position.x() = 1.3;
  mass.mass = 2.0;
  mass.damping.c = 0.1;
  lattice.nodes = {wall, mass};
  Spring spring;
  spring.b = 1;
  spring.law = SpringLaw::linear;
  spring.stiffness = 40.0;
  spring.rest_length = 1.0;
  lattice.springs = {spring};
  const LatticeSystem system(make_lattice(lattice));
  struct Listing {
    Integrator integrator;
    int step;
    double x, v;
  };
  for (const Listing& c :
       {Listing{Integrator::euler, 1, 1.3, -0.06000000000000001},
        Listing{Integrator::euler, 1000, 1.4796484766522893, -1.8712570967085966},
        Listing{Integrator::semi_implicit_euler, 1, 1.2994, -0.06000000000000001},
        Listing{Integrator::semi_implicit_euler, 100, 0.9353922856037378, 1.271688986293756},
        Listing{Integrator::semi_implicit_euler, 1000, 1.1686445426189533, -0.7106853052325404},
        Listing{Integrator::runge_kutta_4, 1, 1.29970009999375, -0.05996500749968751},
        Listing{Integrator::runge_kutta_4, 1000, 1.1736728771781677, -0.7032900626620711}}) {
    const State s = run_quietly(system, system.start(), c.integrator, 0.01, 0.01 * c.step).state;
    EXPECT_NEAR(s.q[1], c.x, testing::tolerance(1e-11)) << c.step;
    EXPECT_NEAR(s.p[1] / 2.0, c.v, testing::tolerance(1e-11)) << c.step;
  }
}

/// Every kind of spring at once, shaken out of its rest.
Lattice zoo(int dimension) {
  BlockOptions block;
  block.dimension = dimension;
  block.nodes = {3, dimension > 1 ? 2 : 1, dimension > 2 ? 2 : 1};
  block.size = {2.0, 1.0, 1.0};
  block.stiffness = 20.0;
  block.diagonal_stiffness = 15.0;
  Lattice lattice = make_block(block);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> shake(-0.12, 0.12);
  for (LatticeNode& node : lattice.nodes) {
    for (int axis = 0; axis < dimension; ++axis) {
      node.position(axis) += shake(random);
      node.velocity(axis) = shake(random);
    }
  }
  lattice.functions.resize(2);
  lattice.functions[0].expression = "30*e + 4*sin(e*L) + e^3/d";
  lattice.functions[1].arguments = {-1.0, 0.0, 0.3, 1.0};
  lattice.functions[1].values = {-20.0, 0.0, 9.0, 15.0};
  for (std::size_t s = 0; s < lattice.springs.size(); ++s) {
    Spring& spring = lattice.springs[s];
    if (s % 5 == 1) spring.law = SpringLaw::linear;
    if (s % 5 == 2) {
      spring.law = SpringLaw::expression;
      spring.force = 0;
    }
    if (s % 5 == 3) {
      spring.law = SpringLaw::table;
      spring.force = 1;
    }
    if (s % 5 == 4) spring.tension_only = true;
  }
  if (dimension > 1) {
    for (std::int32_t h = 0; h + 3 < static_cast<std::int32_t>(lattice.springs.size()); h += 3) {
      RotationalSpring hinge;
      hinge.a = h;
      hinge.b = h + 3;
      hinge.stiffness = 2.0;
      hinge.angle = 0.4;
      lattice.hinges.push_back(hinge);
    }
    lattice.hinges.back().moment.expression = "2*e + e^3";
  }
  lattice.gravity = Eigen::Vector3d::Zero();
  lattice.gravity(dimension - 1) = -9.81;
  return make_lattice(lattice);
}

class Dimensions : public ::testing::TestWithParam<int> {};

// Truth: central differences of the energy, and of the force.
TEST_P(Dimensions, ForceIsMinusTheGradientAndTheTangentItsDerivative) {
  Lattice lattice = zoo(GetParam());
  lattice.nodes[0].fixed[0] = true;
  const LatticeSystem system(lattice);
  const State state = system.start();
  std::vector<double> f(state.q.size());
  system.force(state.memory, state.q, state.p, f);
  SparseMatrix k;
  std::vector<double> inverse_mass;
  system.tangent(state.memory, state.q, k, inverse_mass);
  const Eigen::MatrixXd full = Eigen::MatrixXd(mirrored(k));
  const double h = 1e-6;
  const std::vector<double> rest(f.size(), 0.0);
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (inverse_mass[i] == 0.0) continue;
    State up = state;
    State down = state;
    up.q[i] += h;
    down.q[i] -= h;
    const double slope = (system.energy(state.memory, up.q, rest).potential -
                          system.energy(state.memory, down.q, rest).potential) /
                         (2.0 * h);
    EXPECT_NEAR(f[i], -slope, testing::tolerance(2e-6)) << i;
    std::vector<double> fu(f.size());
    std::vector<double> fd(f.size());
    system.force(state.memory, up.q, state.p, fu);
    system.force(state.memory, down.q, state.p, fd);
    for (std::size_t j = 0; j < f.size(); ++j)
      EXPECT_NEAR(full(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)),
                  -(fu[j] - fd[j]) / (2.0 * h),
                  testing::tolerance(1e-5))
          << i << ' ' << j;
  }
}

// Truth: energy is conserved by an accurate run whatever the springs, in each dimension.
TEST_P(Dimensions, EveryKindOfSpringConservesEnergy) {
  Lattice lattice = zoo(GetParam());
  for (Spring& spring : lattice.springs) {  // smooth ones: corners of a table cost order
    spring.tension_only = false;
    if (spring.law == SpringLaw::table) spring.law = SpringLaw::linear;
  }
  lattice.gravity.setZero();
  const LatticeSystem system(make_lattice(lattice));
  const RunResult result =
      run_quietly(system, system.start(), Integrator::symplectic_4, 0.0005, 0.5);
  EXPECT_EQ(result.status, RunStatus::finished);
  EXPECT_LT(result.largest_energy_error, testing::tolerance(1e-9));
}

// Truth: the largest eigenvalue of M^-1 K by a dense solver.
TEST_P(Dimensions, TheFastestMotionIsTheLargestEigenvalueOfTheTangent) {
  const LatticeSystem system(zoo(GetParam()));
  const State state = system.start();
  SparseMatrix k;
  std::vector<double> inverse_mass;
  system.tangent(state.memory, state.q, k, inverse_mass);
  const Eigen::MatrixXd full = Eigen::MatrixXd(mirrored(k));
  double largest = 0.0;
  Eigen::VectorXd v = Eigen::VectorXd::Random(full.rows());
  for (int i = 0; i < 20000; ++i) {
    v = full * v;  // all masses are 1
    largest = v.norm();
    v /= largest;
  }
  EXPECT_NEAR(system.fastest_motion(state).omega,
              std::sqrt(v.dot(full * v)),
              testing::tolerance(1e-6) * std::sqrt(largest));
}

INSTANTIATE_TEST_SUITE_P(Forces, Dimensions, ::testing::Values(1, 2, 3));

// Truth: the same motion by different arithmetic: the lattice expanded to a polynomial.
TEST(Polynomials, ALatticeWrittenAsOneMovesTheSame) {
  BlockOptions block;
  block.dimension = 3;
  block.nodes = {3, 2, 2};
  block.size = {1.0, 0.5, 0.5};
  block.stiffness = 50.0;
  block.diagonal_stiffness = 30.0;
  Lattice lattice = make_block(block);
  lattice.gravity = Eigen::Vector3d(0.0, 0.0, -9.81);
  lattice.nodes[0].fixed = {true, true, true};
  lattice.nodes[3].fixed = {true, false, true};
  lattice.nodes[5].velocity = Eigen::Vector3d(0.1, 0.2, 0.3);
  Load load;
  load.node = 7;
  load.force = Eigen::Vector3d(1.0, 0.0, 2.0);
  lattice.loads = {load};
  const LatticeSystem direct(make_lattice(lattice));
  const State end = run_quietly(direct, direct.start(), Integrator::leapfrog, 0.001, 1.0).state;
  for (const PolynomialOrigin origin :
       {PolynomialOrigin::absolute, PolynomialOrigin::displacement}) {
    const Polynomial polynomial = as_polynomial(direct.lattice(), origin);
    const PolynomialSystem system(parse_polynomial(print_polynomial(polynomial), 3, "printed"));
    EXPECT_TRUE(system.polynomial() == polynomial);
    const State start = system.state(start_states(direct.lattice(), origin));
    const State other = run_quietly(system, start, Integrator::leapfrog, 0.001, 1.0).state;
    const bool shifted = origin == PolynomialOrigin::displacement;
    for (std::size_t i = 0; i < end.q.size(); ++i) {
      const double at =
          shifted ? lattice.nodes[i / 3].position(static_cast<Eigen::Index>(i % 3)) : 0.0;
      EXPECT_NEAR(other.q[i] + at, end.q[i], testing::tolerance(1e-12));
      EXPECT_NEAR(other.p[i], end.p[i], testing::tolerance(1e-11));
    }
  }
}

// Truth: the documented text of the format, derivatives by hand.
TEST(Polynomials, AreReadDerivedAndPrinted) {
  const Polynomial h = parse_polynomial("H = 5*[3]*[3] + 0.5*[0]^2 - 2e-1*[1]*[2]  # end", 2, "t");
  EXPECT_EQ(h.states, 4);
  EXPECT_EQ(h.coefficients, (std::vector<double>{0.5, -0.2, 5.0}));
  EXPECT_EQ(h.variables_per_term, (std::vector<std::int32_t>{2, 2, 2}));
  EXPECT_EQ(h.variables, (std::vector<std::int32_t>{0, 0, 1, 2, 3, 3}));
  const std::vector<double> x = {1.0, 2.0, 3.0, 4.0};
  EXPECT_DOUBLE_EQ(evaluate(h, x), 80.0 + 0.5 - 1.2);
  EXPECT_EQ(gradient(h, x), (std::vector<double>{1.0, -0.2 * 3.0, -0.2 * 2.0, 40.0}));
  EXPECT_EQ(print_polynomial(h), "H = 0.5*[0]*[0] - 0.2*[1]*[2] + 5*[3]*[3]\n");
  EXPECT_FALSE(PolynomialSystem(h).is_separable());
  for (const char* wrong : {"",
                            "H =",
                            "H = 5*",
                            "H = [1",
                            "H = 5 [1]",
                            "H = [1]^-2",
                            "H = [-1]",
                            "H = 1e999",
                            "H = 2 +"})
    EXPECT_THROW((void)parse_polynomial(wrong, 1, "t"), ParseError) << wrong;
}

}  // namespace
}  // namespace femflex::hamiltonian
