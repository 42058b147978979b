// Tests the integrators of lattices: order, energy, reversibility, published motions.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/hamiltonian/polynomial.h"

#include "integrators/stepper.h"
#include "models.h"
#include "support/support.h"

namespace femflex::hamiltonian {
namespace {

double distance(const State& a, const State& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.q.size(); ++i)
    sum += std::pow(a.q[i] - b.q[i], 2) + std::pow(a.p[i] - b.p[i], 2);
  return std::sqrt(sum);
}

/// The order-5 pair with many fixed steps: round-off alone is left.
State nearly_exact(const LatticeSystem& system, double end, int steps = 8192) {
  RunOptions options;
  options.integrator = Integrator::dormand_prince;
  options.relative_tolerance = options.absolute_tolerance = 1e6;
  Stepper stepper(system, options);
  State state = system.start();
  std::int64_t rejected = 0;
  for (int i = 0; i < steps; ++i)
    (void)stepper.advance_adaptively(state, end / steps, rejected);
  return state;
}

class Order : public ::testing::TestWithParam<std::tuple<Integrator, double>> {};

// Truth: the slope of the error over halved steps, against the order-5 pair at 8192 steps.
TEST_P(Order, OfTheMethodIsWhatItClaims) {
  const auto [integrator, expected] = GetParam();
  const LatticeSystem system(elastic_pendulum());
  const State start = system.start();
  const double end = 1.0;
  const State exact = nearly_exact(system, end);
  // steps short enough to be in the regime of the leading term, long enough to stay off round-off
  double h = expected == 1.0                          ? 1.0 / 16384
             : expected <= 3.0                        ? 1.0 / 1024
             : integrator == Integrator::symplectic_4 ? 1.0 / 32
                                                      : 1.0 / 256;
  std::vector<double> errors;
  for (int i = 0; i < 3; ++i, h /= 2.0)
    errors.push_back(distance(run_quietly(system, start, integrator, h, end).state, exact));
  for (int i = 0; i < 2; ++i)
    EXPECT_NEAR(
        std::log2(errors[static_cast<std::size_t>(i)] / errors[static_cast<std::size_t>(i) + 1]),
        expected,
        testing::tolerance(0.1));
}

INSTANTIATE_TEST_SUITE_P(Hamiltonian,
                         Order,
                         ::testing::Values(std::tuple{Integrator::euler, 1.0},
                                           std::tuple{Integrator::semi_implicit_euler, 1.0},
                                           std::tuple{Integrator::adams_bashforth_2, 2.0},
                                           std::tuple{Integrator::adams_bashforth_3, 3.0},
                                           std::tuple{Integrator::leapfrog, 2.0},
                                           std::tuple{Integrator::runge_kutta_4, 4.0},
                                           std::tuple{Integrator::symplectic_4, 4.0},
                                           std::tuple{Integrator::implicit_midpoint, 2.0}));

// Truth: the error of one method of order 5 over halved fixed steps; the pair is made to take them
// by a tolerance that accepts everything.
TEST(Integrators, TheDormandPrincePairIsOfOrderFive) {
  const LatticeSystem system(elastic_pendulum());
  const State exact = nearly_exact(system, 1.0);
  std::vector<double> errors;
  for (const int steps : {64, 128, 256})
    errors.push_back(distance(nearly_exact(system, 1.0, steps), exact));
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 5.0, testing::tolerance(0.1));
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 5.0, testing::tolerance(0.1));
}

// Truth: orders hold with damping and a load that changes with time as well.
TEST(Integrators, OrdersHoldForADampedAndDrivenMass) {
  Lattice lattice = elastic_pendulum();
  lattice.friction = 0.8;
  Load push;
  push.node = 1;
  push.force = Eigen::Vector3d(3.0, 0.0, 0.0);
  push.history.expression = "sin(7*t)";
  lattice.loads = {push};
  const LatticeSystem system(make_lattice(lattice));
  const State start = system.start();
  const State exact = run_quietly(system, start, Integrator::dormand_prince, 0.01, 1.0).state;
  for (const auto& [integrator, order] : {std::pair{Integrator::adams_bashforth_2, 2.0},
                                          {Integrator::adams_bashforth_3, 3.0},
                                          {Integrator::leapfrog, 2.0},
                                          {Integrator::runge_kutta_4, 4.0},
                                          {Integrator::implicit_midpoint, 2.0}}) {
    const double h = order == 4.0 ? 1.0 / 256 : 1.0 / 2048;
    const double coarse = distance(run_quietly(system, start, integrator, h, 1.0).state, exact);
    const double fine = distance(run_quietly(system, start, integrator, h / 2, 1.0).state, exact);
    EXPECT_NEAR(std::log2(coarse / fine), order, testing::tolerance(0.1)) << name_of(integrator);
  }
}

class Symplectic : public ::testing::TestWithParam<Integrator> {};

// Truth: the energy error of a symplectic method stays in a band; the slope of a line through 10^6
// steps is small against the width of the band.
TEST_P(Symplectic, EnergyErrorHasNoDriftOverAMillionSteps) {
  const LatticeSystem system(elastic_pendulum());
  const double steps = 1e6;
  struct Band final : SampleSink {
    double n = 0, t = 0, tt = 0, e = 0, et = 0, low = HUGE_VAL, high = -HUGE_VAL, start = NAN;
    void sample(const Sample& s) override {
      if (std::isnan(start)) start = s.energy.total();
      const double error = s.energy.total() - start;
      const double x = s.state.time;
      n += 1, t += x, tt += x * x, e += error, et += x * error;
      low = std::min(low, error);
      high = std::max(high, error);
    }
  } band;
  RunOptions options;
  options.integrator = GetParam();
  options.step = 0.01;
  options.end = steps * options.step;
  options.output_step = 0.01 * 97;  // no multiple of a period
  Diagnostics diagnostics;
  const RunResult result = run(system, system.start(), options, &band, diagnostics, no_progress());
  EXPECT_EQ(result.status, RunStatus::finished);
  const double slope = (band.n * band.et - band.t * band.e) / (band.n * band.tt - band.t * band.t);
  const double width = band.high - band.low;
  EXPECT_LT(width, testing::tolerance(0.1));
  EXPECT_LT(std::abs(slope) * options.end, testing::tolerance(0.1) * width);
}

// Truth: with reversed momenta the same steps lead back.
TEST_P(Symplectic, RunsLeadBackToTheirStart) {
  const LatticeSystem system(elastic_pendulum());
  const State start = system.start();
  State there = run_quietly(system, start, GetParam(), 0.002, 10.0).state;
  for (double& p : there.p)
    p = -p;
  there.time = 0.0;
  there.step = 0;
  State back = run_quietly(system, there, GetParam(), 0.002, 10.0).state;
  for (double& p : back.p)
    p = -p;
  EXPECT_LT(distance(start, back), testing::tolerance(1e-9));
}

INSTANTIATE_TEST_SUITE_P(Hamiltonian,
                         Symplectic,
                         ::testing::Values(Integrator::leapfrog,
                                           Integrator::symplectic_4,
                                           Integrator::implicit_midpoint));

// Truth: benchmarks/elastic_pendulum (tolerance 1e-5).
TEST(Integrators, TheElasticPendulumMeetsTheBenchmark) {
  const LatticeSystem system(elastic_pendulum());
  const std::vector<std::array<double, 5>> expected = {
      {1, -0.64622989024, -1.2845308281, -1.496689593, 4.109894348},
      {2, -0.7774773923, -0.99949177154, 2.015194412, -3.7832398559},
      {5, -0.89328100089, -0.52424156477, 0.39626961088, -3.4172305298},
      {10, 0.049493095799, -1.7591442272, -3.4866846265, -0.92905711134},
      {20, -1.1431292198, -0.040782830759, -0.04622590289, 1.2530901018}};
  State state = system.start();
  EXPECT_NEAR(
      system.energy(state.memory, state.q, state.p).total(), 0.8, testing::tolerance(1e-12));
  for (const auto& row : expected) {
    state = run_quietly(system, state, Integrator::symplectic_4, 0.001, row[0]).state;
    EXPECT_NEAR(state.q[2], row[1], testing::tolerance(1e-5));
    EXPECT_NEAR(state.q[3], row[2], testing::tolerance(1e-5));
    EXPECT_NEAR(state.p[2], row[3], testing::tolerance(1e-5));
    EXPECT_NEAR(state.p[3], row[4], testing::tolerance(1e-5));
  }
}

// Truth: benchmarks/henon_heiles (tolerance 1e-5), written as a polynomial.
TEST(Integrators, HenonAndHeilesMeetTheBenchmark) {
  const Polynomial h = parse_polynomial(
      "H = 0.5*[2]*[2] + 0.5*[3]*[3] + 0.5*[0]*[0] + 0.5*[1]*[1] + [0]*[0]*[1] "
      "- 0.333333333333333333*[1]^3",
      2,
      "henon");
  const PolynomialSystem system(h);
  const std::vector<std::pair<double, std::vector<std::array<double, 5>>>> cases = {
      {0.39665266081716044,
       {{10, -0.0066029242131, -0.17072158308, -0.23769051634, 0.27870790427},
        {50, -0.018196954061, 0.30947071721, 0.29077712388, -0.074607234967},
        {100, 0.0871104635, 0.33362404167, 0.25940176309, 0.013301892761}}},
      {0.49057789051960615,
       {{10, -0.06788944805, -0.22776065717, -0.22000926753, 0.37327577648},
        {50, 0.10352906526, 0.20843352212, 0.43147799369, -0.10598449293},
        {100, 0.13299571833, 0.37601895738, 0.29539544578, -0.16063960348}}}};
  for (const auto& [px, rows] : cases) {
    State state = system.state({0.0, 0.1, px, 0.0});
    for (const auto& row : rows) {
      state = run_quietly(system, state, Integrator::symplectic_4, 0.005, row[0]).state;
      const std::vector<double> z = system.states(state);
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(z[i], row[i + 1], testing::tolerance(1e-5));
    }
  }
}

// Truth: cn(sqrt(6) t | 5/12) as benchmarks/duffing_undamped tabulates it; its period.
TEST(Integrators, TheHardDuffingOscillatorMeetsItsClosedForm) {
  const PolynomialSystem system(parse_polynomial("H = 0.5*[1]^2 + 0.5*[0]^2 + 1.25*[0]^4", 1, "d"));
  State state = system.state({1.0, 0.0});
  for (const auto& [t, x, tolerance] :
       std::vector<std::array<double, 3>>{{1, -0.49590027735, 1e-6},
                                          {2, -0.355450222588, 1e-6},
                                          {5, -0.211352774959, 1e-6},
                                          {10, -0.855839742286, 1e-6},
                                          {50, 0.715573744692, 1e-4},
                                          {100, 0.136879128061, 1e-4}}) {
    state = run_quietly(system, state, Integrator::symplectic_4, 0.001, t).state;
    EXPECT_NEAR(state.q[0], x, testing::tolerance(tolerance));
  }
  constexpr double kPeriod = 2.9218461971179;
  const State once =
      run_quietly(
          system, system.state({1.0, 0.0}), Integrator::symplectic_4, kPeriod / 8192, kPeriod)
          .state;
  EXPECT_NEAR(once.p[0] / 6.0, 0.0, testing::tolerance(1e-7));  // time error = p / |p'|
  const RunResult coarse =
      run_quietly(system, system.state({1.0, 0.0}), Integrator::leapfrog, 0.01, 100.0);
  EXPECT_LT(coarse.largest_energy_error, testing::tolerance(1e-3));
}

// Truth: benchmarks/fput_alpha: energies of the first modes, and the return of the energy.
TEST(Integrators, TheFermiPastaUlamTsingouChainMeetsTheBenchmark) {
  constexpr int kLinks = 32;
  Lattice lattice;
  lattice.dimension = 1;
  for (int i = 0; i <= kLinks; ++i) {
    LatticeNode node;
    node.id = i;
    node.position.x() = 10.0 * i + std::sin(M_PI * i / kLinks);
    node.mass = 1.0;
    node.fixed[0] = i == 0 || i == kLinks;
    if (node.fixed[0]) node.position.x() = 10.0 * i;
    lattice.nodes.push_back(node);
  }
  lattice.functions.resize(1);
  lattice.functions[0].expression = "e + 0.25*e^2";
  for (int i = 0; i < kLinks; ++i) {
    Spring spring;
    spring.a = i;
    spring.b = i + 1;
    spring.law = SpringLaw::expression;
    spring.rest_length = 10.0;
    spring.force = 0;
    lattice.springs.push_back(spring);
  }
  const LatticeSystem system(make_lattice(lattice));
  const auto modal_energy = [&](const State& s, int k) {
    double position = 0.0;
    double momentum = 0.0;
    for (int i = 1; i < kLinks; ++i) {
      const auto n = static_cast<std::size_t>(i);
      const double shape = std::sqrt(2.0 / kLinks) * std::sin(M_PI * i * k / kLinks);
      position += shape * (s.q[n] - 10.0 * i);
      momentum += shape * s.p[n];
    }
    const double omega = 2.0 * std::sin(M_PI * k / (2.0 * kLinks));
    return 0.5 * (momentum * momentum + omega * omega * position * position);
  };
  const State start = system.start();
  EXPECT_NEAR(system.energy(start.memory, start.q, start.p).total(),
              0.07704437324485,
              testing::tolerance(1e-12));
  struct Modes final : SampleSink {
    std::function<double(const State&, int)> energy;
    std::vector<std::array<double, 5>> rows;
    double best = 0.0;
    double best_time = 0.0;
    void sample(const Sample& s) override {
      const double first = energy(s.state, 1);
      if (s.state.time >= 9000.0 && first > best) best = first, best_time = s.state.time;
      for (const double t : {1000.0, 2000.0, 5000.0, 9000.0, 10000.0}) {
        if (std::abs(s.state.time - t) < 1e-6)
          rows.push_back({t, first, energy(s.state, 2), energy(s.state, 3), energy(s.state, 4)});
      }
    }
  } modes;
  modes.energy = modal_energy;
  RunOptions options;
  options.integrator = Integrator::symplectic_4;
  options.step = 0.1;
  options.end = 10000.0;
  options.output_step = 1.0;
  Diagnostics diagnostics;
  (void)run(system, start, options, &modes, diagnostics, no_progress());
  const std::vector<std::array<double, 5>> expected = {
      {1000, 0.053465332, 0.010775348, 0.0048847025, 0.0033347079},
      {2000, 0.019992736, 0.0079496576, 0.013367512, 0.02809472},
      {5000, 0.0077049679, 0.058753094, 0.00057050906, 0.0058074785},
      {9000, 0.071924878, 0.0032642054, 0.0013322275, 0.00038886052},
      {10000, 0.066240919, 0.0060317257, 0.0010959709, 0.00093416022}};
  ASSERT_EQ(modes.rows.size(), expected.size());
  for (std::size_t r = 0; r < expected.size(); ++r) {
    for (std::size_t c = 1; c < 5; ++c)
      EXPECT_NEAR(modes.rows[r][c], expected[r][c], testing::tolerance(2e-4));
  }
  EXPECT_NEAR(modes.best_time, 9376.0, testing::tolerance(20.0));
  EXPECT_NEAR(modes.best / modal_energy(start, 1), 0.9812666, testing::tolerance(0.002));
}

// Truth: a step beyond 2 / omega makes leapfrog grow without bound; omega^2 = 4 k d^2 / m.
TEST(Integrators, AnUnstableRunIsForetoldAndStopsWithItsLastFiniteState) {
  ChainOptions chain;
  chain.dimension = 1;
  chain.links = 1;
  chain.length = 1.0;
  chain.stiffness = 100.0;
  chain.end_mass = 1.0;
  Lattice lattice = make_chain(chain);
  lattice.nodes[1].velocity.x() = 0.5;
  const LatticeSystem system(make_lattice(lattice));
  RunOptions options;
  options.step = 0.15;
  options.end = 150.0;
  Diagnostics diagnostics;
  const RunResult result =
      run(system, system.start(), options, nullptr, diagnostics, no_progress());
  EXPECT_NEAR(result.stable_step, 2.0 / 20.0, testing::tolerance(1e-4));
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_NE(diagnostics.warnings()[0].message.find("0.1"), std::string::npos);
  EXPECT_EQ(result.status, RunStatus::unstable);
  EXPECT_NE(result.message.find("would be stable"), std::string::npos);
  EXPECT_TRUE(std::isfinite(result.state.q[1]));
}

// Truth: largest stable steps of the reference page (explicit Euler, AB2) with friction.
TEST(Integrators, StableStepsOfTheCantileverAreThoseOfTheReference) {
  Lattice lattice = make_ladder({});
  lattice.friction = 10.0;
  lattice.nodes[0].fixed = lattice.nodes[17].fixed = {true, true, false};
  const LatticeSystem system(make_lattice(lattice));
  const FastestMotion fastest = system.fastest_motion(system.start());
  EXPECT_NEAR(stable_step(Integrator::euler, fastest, 60.0), 4.0e-4, testing::tolerance(2e-5));
  EXPECT_NEAR(
      stable_step(Integrator::adams_bashforth_2, fastest, 60.0), 1.7e-3, testing::tolerance(1e-4));
}

// Truth: equality of every bit.
TEST(Integrators, ARunCutInTwoGivesTheSameBits) {
  Lattice lattice = elastic_pendulum();
  lattice.friction = 0.1;
  const LatticeSystem system(make_lattice(lattice));
  for (const std::string& name : integrator_names()) {
    const Integrator integrator = parse_integrator(name);
    if (integrator == Integrator::dormand_prince) continue;  // its steps end at outputs
    const State whole = run_quietly(system, system.start(), integrator, 0.001, 2.0).state;
    const State half = run_quietly(system, system.start(), integrator, 0.001, 0.7).state;
    const State resumed = run_quietly(system, half, integrator, 0.001, 2.0).state;
    EXPECT_TRUE(whole == resumed) << name;
  }
}

// Truth: equality of every bit, for the method that chooses its steps too where the cut is one of
// the whole run's outputs.
TEST(Integrators, AnAdaptiveRunCutAtAnOutputGivesTheSameBits) {
  Lattice lattice = elastic_pendulum();
  lattice.friction = 0.1;
  const LatticeSystem system(make_lattice(lattice));
  const auto go = [&](const State& from, double end) {
    RunOptions options;
    options.integrator = Integrator::dormand_prince;
    options.end = end;
    options.output_step = 0.25;
    Diagnostics diagnostics;
    return run(system, from, options, nullptr, diagnostics, no_progress());
  };
  const RunResult whole = go(system.start(), 2.0);
  const RunResult half = go(system.start(), 0.75);
  const RunResult resumed = go(half.state, 2.0);
  ASSERT_GT(whole.steps, half.steps + 10);
  EXPECT_TRUE(whole.state == resumed.state);
}

/// A chain of equal masses and springs between two held nodes, in its first mode along x.
Lattice ringing_chain(int nodes, double stiffness) {
  Lattice lattice;
  lattice.dimension = 2;
  for (std::int32_t i = 0; i < nodes; ++i) {
    lattice.nodes.push_back(node_at(i + 1, i, 0.0, 1.0, i == 0 || i + 1 == nodes));
    lattice.nodes.back().velocity.x() = std::sin(std::numbers::pi * i / (nodes - 1));
    if (i > 0) lattice.springs.push_back(linear(i - 1, i, stiffness, 1.0));
  }
  return make_lattice(lattice);
}

// Closed form: x_i = i + sin(pi i / n) sin(omega t) / omega, omega = 2 sqrt(k/m) sin(pi / 2n).
// Rates that a method left before another one took over would move the chain by 4e-4 m or more.
TEST(Integrators, TakingTurnsUseNoRatesOfThePast) {
  constexpr int kNodes = 40;
  constexpr double kEach = 0.5;  // duration of each part [s]
  const LatticeSystem system(ringing_chain(kNodes, 200.0));
  const double omega = 2.0 * std::sqrt(200.0) * std::sin(std::numbers::pi / (2 * (kNodes - 1)));
  using enum Integrator;
  const std::vector<std::vector<Integrator>> turns = {
      {leapfrog, runge_kutta_4, leapfrog},
      {leapfrog, dormand_prince, leapfrog},
      {adams_bashforth_2, runge_kutta_4, adams_bashforth_2},
      {adams_bashforth_3, adams_bashforth_2, adams_bashforth_3},
      {adams_bashforth_2, leapfrog, adams_bashforth_3, implicit_midpoint, adams_bashforth_2}};
  for (const std::vector<Integrator>& methods : turns) {
    State state = system.start();
    double end = 0.0;
    for (const Integrator method : methods) {
      state = run_quietly(system, state, method, 1e-3, end += kEach).state;
      EXPECT_NEAR(state.time, end, 1e-12);
    }
    double worst = 0.0;
    for (std::size_t i = 0; i < kNodes; ++i) {
      const double place = static_cast<double>(i);
      const double shape = std::sin(std::numbers::pi * place / (kNodes - 1));
      const double exact = place + shape * std::sin(omega * end) / omega;
      worst = std::max(worst, std::abs(state.q[2 * i] - exact));
    }
    EXPECT_LT(worst, testing::tolerance(5e-6)) << name_of(methods[0]) << name_of(methods[1]);
  }
}

}  // namespace
}  // namespace femflex::hamiltonian
