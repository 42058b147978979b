// Tests the experiments of the spring-mass module of 2007. Truth: printed tables, interpreted as in
// data/lattice/staal/ORIGIN.md (friction c [N s/m], Adams-Bashforth 2, h = 0.001 s).
#include <cmath>

#include <gtest/gtest.h>

#include "femflex/hamiltonian/generators.h"
#include "femflex/hamiltonian/integrate.h"
#include "femflex/hamiltonian/lattice_statics.h"

#include "support/support.h"
#include "table.h"

namespace femflex::hamiltonian {
namespace {

constexpr double kG = 9.81;

Load load(std::int32_t node, double fx, double fy) {
  Load out;
  out.node = node;
  out.force = Eigen::Vector3d(fx, fy, 0.0);
  return out;
}

void fix(Lattice& lattice, std::size_t node, bool x, bool y) {
  lattice.nodes[node].fixed = {x, y, false};
}

Equilibrium rest(const Lattice& lattice, bool stable = true, int steps = 10) {
  const LatticeSystem system(make_lattice(lattice));
  EquilibriumOptions options;
  options.stable = stable;
  options.load_steps = steps;
  return find_equilibrium(system, system.start(), options, no_progress());
}

State after(const Lattice& lattice, Integrator integrator, double end, double h = 0.001) {
  const LatticeSystem system(make_lattice(lattice));
  RunOptions options;
  options.integrator = integrator;
  options.step = h;
  options.end = end;
  Diagnostics diagnostics;
  return run(system, system.start(), options, nullptr, diagnostics, no_progress()).state;
}

Lattice cantilever(double force) {
  Lattice lattice = make_ladder({});
  lattice.friction = 10.0;
  fix(lattice, 0, true, true);
  fix(lattice, 17, true, true);
  lattice.loads = {load(8, 0.0, -force)};
  return lattice;
}

// Truth: 2 k (L^2 - d^2) L = m g, and the document's 0.189 and 0.059.
TEST(Staal, AMassStretchesItsSpringAsTheCubicSays) {
  for (const auto& [d, stretch] : {std::pair{1.0, 0.188563444134308}, {2.0, 0.0587027078214208}}) {
    ChainOptions chain;
    chain.links = 1;
    chain.length = d;
    chain.stiffness = 100.0;
    chain.end_mass = 10.0;
    Lattice lattice = make_chain(chain);
    lattice.gravity = Eigen::Vector3d(0.0, -kG, 0.0);
    const Equilibrium e = rest(lattice);
    ASSERT_TRUE(e.converged);
    EXPECT_NEAR(-e.state.q[3], stretch, testing::tolerance(1e-10));
    EXPECT_EQ(e.negative, 0);
    EXPECT_NEAR(e.reactions[1], 10.0 * kG + chain.mass * kG, testing::tolerance(1e-8));
  }
}

// Truth: table 4 as printed; one reading (F = 4, x = 8) is 0.0009 off, the others round-off.
TEST(Staal, TheCantileverBendsAsTable4) {
  const Table table = read_table("table4_cantilever_k200.csv");
  for (std::size_t row = 0; row < table.rows; ++row) {
    const Equilibrium e = rest(cantilever(table.number("F", row)));
    ASSERT_TRUE(e.converged) << table.number("F", row);
    const auto reading = [&](std::size_t node) { return -e.state.q[2 * node + 1]; };
    EXPECT_NEAR(reading(2), table.number("v4_doc", row), testing::tolerance(0.001));
    EXPECT_NEAR(reading(4), table.number("v8_doc", row), testing::tolerance(0.001));
    EXPECT_NEAR(reading(6), table.number("v12_doc", row), testing::tolerance(0.001));
    EXPECT_NEAR(reading(8), table.number("v16_doc", row), testing::tolerance(0.001));
  }
}

// Truth: the reference's own 60 s runs, which have not quite come to rest at small loads.
TEST(Staal, SixtySecondsOfTheCantileverEndWhereTheReferenceEnds) {
  const Table table = read_table("table4_cantilever_k200.csv");
  for (const std::size_t row : {std::size_t{0}, std::size_t{12}}) {
    const State state =
        after(cantilever(table.number("F", row)), Integrator::adams_bashforth_2, 60.0);
    EXPECT_NEAR(-state.q[5], table.number("v4_60s", row), testing::tolerance(1.5e-6));
    EXPECT_NEAR(-state.q[17], table.number("v16_60s", row), testing::tolerance(1.5e-6));
  }
}

// Truth: table 6; its two errors (F = 200 v3, F = 1500 v2) are compared with the recomputation.
TEST(Staal, TheLadderOnTwoSupportsSagsAsTable6) {
  const Table table = read_table("table6_dual_load_bottom.csv");
  for (std::size_t row = 0; row < table.rows; ++row) {
    const double force = table.number("F", row);
    Lattice lattice = make_ladder({});
    fix(lattice, 0, false, true);
    fix(lattice, 8, true, true);
    lattice.loads = {load(4, 0.0, -force)};
    const Equilibrium e = rest(lattice);
    ASSERT_TRUE(e.converged) << force;
    const auto top = [&](std::size_t node) { return 2.0 - e.state.q[2 * node + 1]; };
    const auto bottom = [&](std::size_t node) { return -e.state.q[2 * node + 1]; };
    EXPECT_NEAR(top(15), table.number("v1_doc", row), testing::tolerance(0.001));
    EXPECT_NEAR(top(13),
                table.number(force == 200.0 ? "v3_static" : "v3_doc", row),
                testing::tolerance(0.001));
    EXPECT_NEAR(bottom(2),
                table.number(force == 1500.0 ? "v2_static" : "v2_doc", row),
                testing::tolerance(0.001));
    EXPECT_NEAR(bottom(4), table.number("v4_doc", row), testing::tolerance(0.001));
  }
}

Lattice poisson(double vertical, double diagonal) {
  LadderOptions ladder;
  ladder.columns = 10;
  ladder.chord = 100.0;
  ladder.vertical = vertical;
  ladder.diagonal = diagonal;
  Lattice lattice = make_ladder(ladder);
  fix(lattice, 0, true, true);
  fix(lattice, 19, true, true);
  fix(lattice, 9, false, true);
  fix(lattice, 10, false, true);
  lattice.loads = {load(9, -300.0, 0.0), load(10, -300.0, 0.0)};
  return lattice;
}

// Truth: tables 2 and 3 on the symmetric branch, by the document's own rule for Poisson's number.
TEST(Staal, TheCompressedLadderWidensAsTables2And3) {
  for (const bool second : {true, false}) {
    const Table table =
        read_table(second ? "table2_poisson_kvertical.csv" : "table3_poisson_kdiagonal.csv");
    for (std::size_t row = 0; row < table.rows; ++row) {
      const double k = table.number("k_varied", row);
      const Equilibrium e = rest(poisson(second ? k : 100.0, second ? 100.0 : k), false);
      ASSERT_TRUE(e.converged) << k;
      const auto x = [&](int node) { return e.state.q[static_cast<std::size_t>(2 * node - 2)]; };
      const auto y = [&](int node) { return e.state.q[static_cast<std::size_t>(2 * node - 1)]; };
      const double height = 0.5 * (y(16) - y(5) + y(15) - y(6)) / 2.0;
      const double length = 0.5 * (x(10) + x(11)) / 18.0;
      const double r = -(height - 1.0) / (length - 1.0);
      EXPECT_NEAR(height, table.number("height_mean_doc", row), testing::tolerance(0.005));
      EXPECT_NEAR(length, table.number("length_mean_doc", row), testing::tolerance(0.006));
      EXPECT_NEAR(r / (1.0 + r), table.number("poisson_doc", row), testing::tolerance(0.02));
      EXPECT_NEAR(height, table.number("height_sym", row), testing::tolerance(2e-6));
      EXPECT_EQ(e.negative > 0, table.number("lowest_hessian_eig", row) < 0.0);
    }
  }
}

// Truth: the run that the reference fitted to the screenshot (masses, c = 11.7, t = 8.45 s).
TEST(Staal, TheSlowlyBendingLadderIsWhereTheReferenceSeesItAt8450Milliseconds) {
  const Table table = read_table("table2_poisson_kvertical.csv");
  Lattice lattice = poisson(table.number("k_varied", 1), 100.0);
  lattice.friction = 11.7;
  for (const std::size_t corner : {0U, 8U, 9U, 19U})
    lattice.nodes[corner].mass = 0.1;
  lattice.nodes[9].mass = 0.1;
  const State state = after(lattice, Integrator::adams_bashforth_2, 8.45);
  EXPECT_NEAR(state.q[9], table.number("Y5_dyn", 1), testing::tolerance(2e-3));
}

// Truth: table 8 rows 1 and 2: first downward crossing of the rest height after a short push.
TEST(Staal, TheWaveReturnsAsTable8) {
  const Table table = read_table("table8_wave_rows12.csv");
  for (std::size_t row = 0; row < 2; ++row) {
    const double mass = table.number("point_mass_doc", row);
    Lattice lattice;
    lattice.dimension = 2;
    BlockOptions block;
    block.dimension = 2;
    block.nodes = {2, 8, 1};
    block.size = {2.0, 14.0, 0.0};
    block.node_mass = 2.0 * mass;
    block.stiffness = block.diagonal_stiffness = 100.0;
    lattice = make_block(block);
    for (const std::size_t corner : {0U, 1U, 14U, 15U})
      lattice.nodes[corner].mass = mass;
    fix(lattice, 0, true, true);
    fix(lattice, 1, true, true);
    fix(lattice, 14, true, false);
    fix(lattice, 15, true, false);
    for (const std::int32_t node : {14, 15}) {
      Load push = load(node, 0.0, -1100.0);
      push.from = 0.01;
      push.until = 0.06;
      lattice.loads.push_back(push);
    }
    const LatticeSystem system(make_lattice(lattice));
    RunOptions options;
    options.integrator = Integrator::adams_bashforth_2;
    options.step = 0.001;
    options.end = 2.0;
    options.output_step = 0.001;
    struct Crossing final : SampleSink {
      double last = 0.0;
      double last_time = 0.0;
      double time = 0.0;
      bool was_above = false;
      void sample(const Sample& s) override {
        const double height = s.state.q[29] - 14.0;
        if (height > 1e-3) was_above = true;
        if (time == 0.0 && was_above && height <= 0.0)
          time = last_time + (s.state.time - last_time) * last / (last - height);
        last = height;
        last_time = s.state.time;
      }
    } crossing;
    Diagnostics diagnostics;
    (void)run(system, system.start(), options, &crossing, diagnostics, no_progress());
    EXPECT_NEAR(crossing.time,
                table.number("period_doc", row),
                testing::tolerance(0.01) * table.number("period_doc", row));
    EXPECT_NEAR(
        crossing.time, table.number("first_down_crossing_sim", row), testing::tolerance(1e-3));
  }
}

// Truth: appendix I, every cell marked ok; samples after 301 and then every 101 steps.
TEST(Staal, TheThrownChainFollowsAppendixI) {
  ChainOptions chain;
  chain.end_mass = 10.0;
  Lattice lattice = make_chain(chain);
  for (LatticeNode& node : lattice.nodes)
    node.position.y() += 2.0;
  lattice.gravity = Eigen::Vector3d(0.0, -kG, 0.0);
  lattice.friction = 1.0;
  const Equilibrium hanging = rest(lattice);
  ASSERT_TRUE(hanging.converged);
  EXPECT_NEAR(hanging.potential, 433.63631072386903, testing::tolerance(1e-8));
  EXPECT_NEAR(hanging.state.q[21], 1.6738878805031756, testing::tolerance(1e-9));
  Load push = load(10, -1000.0, 0.0);
  push.until_step = 301;
  lattice.loads = {push};
  const LatticeSystem system(make_lattice(lattice));
  State state = hanging.state;
  const Table table = read_table("appendixI_chain.csv");
  RunOptions options;
  options.integrator = Integrator::adams_bashforth_2;
  options.step = 0.001;
  const double mass = 10.0;
  int compared = 0;
  for (std::size_t row = 0; row < table.rows; ++row) {
    options.end = 0.001 * table.number("step", row);
    Diagnostics diagnostics;
    state = run(system, state, options, nullptr, diagnostics, no_progress()).state;
    const Energy energy = system.energy(state.memory, state.q, state.p);
    std::istringstream status(table.columns.at("status")[row]);
    const auto compare = [&](const std::string& column, double value, double limit) {
      std::string mark;
      std::getline(status, mark, '/');
      if (mark != "ok" || !table.has(column + "_doc", row)) return;
      const double printed = table.number(column + "_doc", row);
      EXPECT_NEAR(value, printed, testing::tolerance(limit)) << column << " row " << row;
      ++compared;
    };
    const auto joule = [&](const std::string& column) {
      return std::max(10.0, 0.005 * std::abs(table.number(column, row)));
    };
    compare("x", state.q[20], 0.10);
    compare("y", state.q[21], 0.10);
    compare("vx", state.p[20] / mass, 0.2);
    compare("vy", state.p[21] / mass, 0.2);
    compare("Ekin", energy.kinetic, joule("Ekin_doc"));
    compare("Epot", energy.potential, joule("Epot_doc"));
    compare("H", energy.total(), joule("H_doc"));
  }
  EXPECT_GT(compared, 500);
}

}  // namespace
}  // namespace femflex::hamiltonian
