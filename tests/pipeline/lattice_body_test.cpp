// Tests lattices as bodies of a system. Truth: the lattice engine.
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program.h"

namespace femflex::tools {
namespace {

using testing::Program;
using testing::tolerance;

/// The lists of nodes and springs of a frame with a tail, attached to node 1 at (1, 0).
const std::string kNodes = R"({ "id": 2, "x": [1.5, 0], "mass": 0.2 },
  { "id": 3, "x": [1.5, 0.4], "mass": 0.2 }, { "id": 4, "x": [1, 0.4], "mass": 0.2 },
  { "id": 5, "x": [2, 0.2], "mass": 0.5 })";
const std::string kSprings = R"({ "i": 1, "j": 2, "k": 900 }, { "i": 2, "j": 3, "k": 900 },
  { "i": 3, "j": 4, "k": 900 }, { "i": 4, "j": 1, "k": 900 }, { "i": 1, "j": 3, "k": 700 },
  { "i": 2, "j": 5, "k": 800, "law": "linear" }, { "i": 3, "j": 5, "k": 800, "law": "linear" },
  { "i": 2, "j": 4, "k": 700, "tension_only": true })";
const std::string kNet = R"({ "dimension": 2, "nodes": [ { "id": 1, "x": [1, 0], "mass": 0.3 }, )" +
                         kNodes + R"( ], "springs": [ )" + kSprings + " ] }";

std::string pendulum(const std::string& how) {
  return R"({ "femflex": 1, "units": "m-kg-s", "planar": true, "gravity": [0, -9.81, 0],
  "bodies": { "rod": { "rigid": { "mass": 0.7, "com": [1, 0, 0], "inertia": [0, 0, 0] } },
              "net": { "lattice": "net.json" } },
  "joints": { "pivot": { "type": "revolute", "a": "ground", "b": "rod", "at": [0, 0, 0], "axis": [0, 0, 1] },
              "pin": { "type": "spherical", "a": "rod", "b": "net/1", "at": [1, 0, 0] } },
  "analyses": [ { "type": "dynamic", )" +
         how + R"( } ],
  "outputs": [ "net", "pin/reaction", "energy" ] })";
}

/// The columns of some channels of a CSV file.
std::vector<std::vector<double>> columns(const std::string& text,
                                         const std::vector<std::string>& names) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  std::vector<std::string> head;
  std::istringstream cells(line);
  for (std::string cell; std::getline(cells, cell, ',');)
    head.push_back(cell);
  std::vector<std::vector<double>> out(names.size());
  while (std::getline(lines, line)) {
    std::istringstream row(line);
    std::vector<double> values;
    for (std::string cell; std::getline(row, cell, ',');)
      values.push_back(std::stod(cell));
    for (std::size_t k = 0; k < names.size(); ++k) {
      const auto at = std::find(head.begin(), head.end(), names[k]);
      if (at == head.end()) throw std::runtime_error("no channel " + names[k]);
      out[k].push_back(values[static_cast<std::size_t>(at - head.begin())]);
    }
  }
  return out;
}

// Truth: the lattice engine with the rod as one spring, which is so stiff that the positions differ
// by 5e-6 m.
TEST(LatticeBody, HangingOnARigidPendulumMovesAsOneLattice) {
  const Program femflex;
  testing::write_text(femflex.file("net.json"), kNet);
  testing::write_text(femflex.file("s.json"),
                      pendulum(R"("end": 0.6, "step": 2.5e-4, "rho": 1, "output_step": 0.6)"));
  testing::write_text(femflex.file("one.json"),
                      R"({ "dimension": 2, "gravity": 9.81, "nodes": [ { "id": 6, "x": [0, 0],
    "mass": 1, "fixed": true }, { "id": 1, "x": [1, 0], "mass": 1 }, )" +
                          kNodes +
                          R"( ], "springs": [ { "i": 6, "j": 1, "k": 1e7, "law": "linear" }, )" +
                          kSprings + " ] }");
  const auto run = femflex("simulate s.json -o s.h5 --csv s.csv");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json one =
      femflex.json("lattice one.json --end 0.6 --dt 1e-4 --nodes 1,5 --integrator symplectic4");
  const auto c =
      columns(testing::read_text(femflex.file("s.csv")),
              {"net/1/position/x", "net/1/position/y", "net/5/position/x", "net/5/position/y"});
  for (std::size_t k = 0; k < 4; ++k) {
    const Json& node = one.find("nodes")->items()[k / 2];
    EXPECT_NEAR(c[k].back(), node.find("position")->items()[k % 2].number(), tolerance(2e-5));
  }
}

// Truth: energy is conserved. The work that the pin does on the net equals the loss of the rod's
// point mass, whose energy m/2 v^2 + m g y is known. Integration over the rows is of second order:
// 1e-6 J here.
TEST(LatticeBody, KeepsEnergyAndThePowerOfItsPort) {
  const Program femflex;
  testing::write_text(femflex.file("net.json"), kNet);
  testing::write_text(
      femflex.file("s.json"),
      pendulum(
          R"("end": 0.4, "integrator": "runge-kutta", "step": 2.5e-4, "output_step": 2.5e-4)"));
  const auto run = femflex("simulate s.json -o s.h5 --csv s.csv");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto c = columns(testing::read_text(femflex.file("s.csv")),
                         {"t",
                          "energy/total",
                          "pin/reaction/x",
                          "pin/reaction/y",
                          "net/1/velocity/x",
                          "net/1/velocity/y",
                          "net/1/position/y"});
  double work = 0.0;  // work done on the net
  double largest = 0.0;
  for (std::size_t i = 0; i < c[0].size(); ++i) {
    EXPECT_NEAR(c[1][i], c[1][0], tolerance(1e-5));
    const auto power = [&](std::size_t k) { return c[2][k] * c[4][k] + c[3][k] * c[5][k]; };
    if (i > 0) work += 0.5 * (power(i) + power(i - 1)) * (c[0][i] - c[0][i - 1]);
    const double rod = 0.35 * (c[4][i] * c[4][i] + c[5][i] * c[5][i]) + 0.7 * 9.81 * c[6][i];
    EXPECT_NEAR(work, -rod, tolerance(1e-5));
    largest = std::max(largest, std::abs(rod));
  }
  EXPECT_GT(largest, 0.1);  // energy was exchanged
}

// Truth: the lattice engine, with fixed nodes, friction, loads and prescribed motion.
TEST(LatticeBody, AloneInASystemMovesAsTheVerbMovesIt) {
  const Program femflex;
  testing::write_text(femflex.file("net.json"), R"json({ "dimension": 3, "gravity": [0, 0, -9.81],
    "friction_c": 0.3, "nodes": [ { "id": 1, "x": [0, 0, 0], "mass": 1, "fixed": true },
    { "id": 2, "x": [1, 0, 0], "mass": 0.4, "fixed": "y" }, { "id": 3, "x": [1, 1, 0], "mass": 0.4 },
    { "id": 4, "x": [2, 0, 0.5], "mass": 0.2, "v": [0, 0.3, 0] }, { "id": 5, "x": [0, 1, 0], "mass": 0.3 } ],
    "springs": [ { "i": 1, "j": 2, "k": 300 }, { "i": 2, "j": 3, "k": 300 }, { "i": 3, "j": 5, "k": 300 },
    { "i": 5, "j": 1, "k": 300 }, { "i": 1, "j": 3, "k": 200, "damping": 0.5 },
    { "i": 2, "j": 4, "force": [[-1, -150], [0, 0], [1, 250]] },
    { "i": 3, "j": 4, "k": 200, "law": "linear", "d": 1.1 },
    { "i": 1, "j": 4, "force": "40*e + 1e2*e^3 + 5*log(L/d)" },
    { "i": 5, "j": 4, "force": "60*(L - d)", "tension_only": true } ],
    "loads": [ { "node": 4, "force": [0, 2, 0], "history": "sin(3*t)" } ],
    "motions": [ { "node": 5, "axis": "z", "displacement": "0.05*sin(2*t)" } ] })json");
  testing::write_text(femflex.file("s.json"),
                      R"({ "femflex": 1, "units": "m-kg-s", "gravity": [0, 0, -9.81],
    "bodies": { "net": { "lattice": "net.json" } },
    "analyses": [ { "type": "dynamic", "end": 0.8, "step": 1.25e-4, "rho": 1, "output_step": 0.8 } ],
    "outputs": [ "net/1", "net/4/position", "net/3/position" ] })");
  const auto run = femflex("simulate s.json -o s.h5 --csv s.csv");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json one =
      femflex.json("lattice net.json --end 0.8 --dt 2e-4 --nodes 4,3 --integrator rk4");
  const auto c = columns(testing::read_text(femflex.file("s.csv")),
                         {"net/4/position/x",
                          "net/4/position/y",
                          "net/4/position/z",
                          "net/3/position/x",
                          "net/3/position/y",
                          "net/3/position/z",
                          "net/1/position/x"});
  for (std::size_t k = 0; k < 6; ++k) {
    const Json& node = one.find("nodes")->items()[k / 3];
    EXPECT_NEAR(c[k].back(), node.find("position")->items()[k % 3].number(), tolerance(2e-5));
  }
  EXPECT_NEAR(c[6].back(), 0.0, tolerance(1e-12));
}

// Truth: the default channels of two nodes if no outputs are given.
TEST(LatticeBody, PutsOutItsNodesWhereNoOutputsAreNamed) {
  const Program femflex;
  testing::write_text(femflex.file("net.json"), R"({ "nodes": [ { "id": 1, "x": [0, 0, 0],
    "mass": 1 }, { "id": 2, "x": [1, 0, 0], "mass": 1 } ], "springs": [ { "i": 1, "j": 2, "k": 3 } ] })");
  testing::write_text(femflex.file("s.json"), R"({ "femflex": 1, "units": "m-kg-s",
    "gravity": [0, 0, -10], "bodies": { "net": { "lattice": "net.json" } },
    "analyses": [ { "type": "dynamic", "end": 0.1, "step": 0.01 } ] })");
  const auto run = femflex("simulate s.json -o s.h5 --csv s.csv");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto c = columns(testing::read_text(femflex.file("s.csv")),
                         {"net/1/position/z", "net/2/position/x", "net/2/velocity/z"});
  EXPECT_NEAR(c[0].back(), -0.05, tolerance(1e-9));
  EXPECT_NEAR(c[1].back(), 1.0, tolerance(1e-9));
  EXPECT_NEAR(c[2].back(), -1.0, tolerance(1e-9));
}

/// Runs a lattice in the engine and as a body of a system; compares the positions at the end.
void expect_same_motion(
    const std::string& net, const std::string& how, int dimension, double end, double bound) {
  const Program femflex;
  testing::write_text(femflex.file("net.json"), net);
  testing::write_text(femflex.file("s.json"),
                      fmt::format(R"({{ "femflex": 1, "units": "m-kg-s", "planar": {}, "gravity":
    [0, -9.81, 0], "bodies": {{ "net": {{ "lattice": "net.json" }} }}, "analyses": [ {{ "type":
    "dynamic", "end": {}, "output_step": {}, {} }} ], "outputs": [ "net" ] }})",
                                  dimension == 2,
                                  end,
                                  end,
                                  how));
  const auto run = femflex("simulate s.json -o s.h5 --csv s.csv");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json one = femflex.json(
      fmt::format("lattice net.json --end {} --dt 1e-4 --nodes 3,4 --integrator rk4", end));
  for (const Json& node : one.find("nodes")->items()) {
    for (int axis = 0; axis < dimension; ++axis) {
      const std::string channel =
          fmt::format("net/{}/position/{}", node.find("id")->number(), "xyz"[axis]);
      const auto c = columns(testing::read_text(femflex.file("s.csv")), {channel});
      EXPECT_NEAR(c[0].back(),
                  node.find("position")->items()[static_cast<std::size_t>(axis)].number(),
                  bound)
          << channel;
    }
  }
}

// Truth: the lattice engine. The lattice has nonlinear and mass-proportional damping of springs and
// nodes, loads that switch and follow tables, and a motion by a table.
TEST(LatticeBody, TakesItsDampingAndTablesAlong) {
  const std::string net =
      R"({ "dimension": 3, "gravity": [0, -9.81, 0], "friction_c": 0.1, "nodes": [
    { "id": 1, "x": [0, 0, 0], "mass": 1, "fixed": true },
    { "id": 2, "x": [1, 0, 0], "mass": 0.4, "damping": { "c": 0.5, "c2": 2, "c3": 1.5 } },
    { "id": 3, "x": [2, 0.2, 0.3], "mass": 0.3, "v": [0, 1, -1], "damping": { "c": 0.6, "c2": 1, "per_mass": true } },
    { "id": 4, "x": [1.4, 0.9, 0], "mass": 0.2 }, { "id": 5, "x": [0, 1, 0], "mass": 0.3 } ],
    "springs": [ { "i": 1, "j": 2, "k": 300, "damping": { "c": 1, "c2": 3, "c3": 2 } },
    { "i": 2, "j": 3, "k": 300, "law": "linear", "damping": { "c": 2, "per_mass": true } },
    { "i": 3, "j": 4, "force": "200*e", "damping": { "c": 0.5, "c3": 2 } },
    { "i": 2, "j": 4, "k": 200 }, { "i": 4, "j": 5, "k": 150 }, { "i": 1, "j": 4, "k": 100 } ],
    "loads": [ { "node": 4, "force": [0, 2, 1], "history": [[0, 0], [0.1, 2], [0.35, -1], [0.6, 1]] },
      { "node": 3, "force": [3, 0, 0], "t": [0.125, 0.375] } ],
    "motions": [ { "node": 5, "axis": "z", "displacement": [[0, 0], [2, 0.4]] } ] })";
  expect_same_motion(net, R"("step": 1.25e-4, "rho": 1)", 3, 0.8, tolerance(2e-5));
}

// Truth: the lattice engine. Two springs break during the run, one by its force and one by its
// elongation. Their times differ from the engine's times by less than a step.
TEST(LatticeBody, BreaksWhereTheVerbBreaksIt) {
  const std::string net = R"({ "dimension": 2, "gravity": 9.81, "nodes": [
    { "id": 1, "x": [0, 0], "mass": 1, "fixed": true }, { "id": 2, "x": [1, 0], "mass": 0.4, "fixed": true },
    { "id": 3, "x": [0.2, -1], "mass": 0.5 }, { "id": 4, "x": [0.9, -1.3], "mass": 0.7, "v": [2, 0] } ],
    "springs": [ { "i": 1, "j": 3, "k": 200 }, { "i": 3, "j": 4, "k": 300, "law": "linear" },
    { "i": 2, "j": 4, "k": 300, "law": "linear", "break_force": 15 },
    { "i": 2, "j": 3, "force": "150*e + 40*e^3", "break_elongation": 0.06 } ] })";
  expect_same_motion(net, R"("step": 2e-5, "rho": 1)", 2, 0.9, 2e-3);
  expect_same_motion(net, R"("integrator": "runge-kutta", "step": 2e-5)", 2, 0.9, 2e-3);
}

/// Four links with hinges that have stiffness and damping, a table, or a formula.
const std::string kHinges = R"json("springs": [ { "i": 1, "j": 2, "k": 900 },
  { "i": 2, "j": 3, "k": 900 }, { "i": 3, "j": 4, "k": 900 }, { "i": 4, "j": 5, "k": 900 } ],
  "rotational_springs": [ { "a": 1, "b": 2, "k": 8, "angle": 0.1, "damping": { "c": 0.2, "c2": 0.3, "c3": 0.1 } },
  { "a": 2, "b": 3, "moment": [[-1, -6], [0, 0], [1, 9]], "angle": "initial" },
  { "a": 3, "b": 4, "moment": "4*e + 1e0*e^3 + 0.1*log(1+e^2)",
                  "angle" : "current"
} ]
})json";

// Truth: the lattice engine with classical Runge-Kutta; generalised-alpha is of order two.
TEST(LatticeBody, BendsAtItsHingesAsTheVerbBendsIt) {
  const std::string flat = R"({ "dimension": 2, "gravity": 9.81, "nodes": [
    { "id": 1, "x": [0, 0], "mass": 1, "fixed": true }, { "id": 2, "x": [1, 0], "mass": 0.3,
    "fixed": true }, { "id": 3, "x": [2, 0.1], "mass": 0.3, "v": [0, 1] },
    { "id": 4, "x": [2.8, 0.5], "mass": 0.2 }, { "id": 5, "x": [3.2, -0.2], "mass": 0.2 } ], )";
  const std::string space = R"({ "dimension": 3, "gravity": [0, -9.81, 0], "nodes": [
    { "id": 1, "x": [0, 0, 0], "mass": 1, "fixed": true }, { "id": 2, "x": [1, 0, 0], "mass": 0.3 },
    { "id": 3, "x": [2, 0.2, 0.3], "mass": 0.3, "v": [0, 1, -1] },
    { "id": 4, "x": [2.8, 0.5, 0], "mass": 0.2 }, { "id": 5, "x": [3.2, -0.2, 0.4], "mass": 0.2 } ], )";
  const std::string alpha = R"("step": 1.25e-4, "rho": 1)";
  const std::string runge_kutta = R"("integrator": "runge-kutta")";
  expect_same_motion(flat + kHinges, alpha, 2, 0.8, tolerance(2e-5));
  expect_same_motion(flat + kHinges, runge_kutta, 2, 0.8, tolerance(1e-6));
  expect_same_motion(space + kHinges, alpha, 3, 0.6, tolerance(2e-5));
  expect_same_motion(space + kHinges, runge_kutta, 3, 0.6, tolerance(1e-6));
}

// Truth: the lattice engine. A free tail turns five times and winds up its hinge, whose other
// spring is fixed. A hinge that does not count turns would fail here.
TEST(LatticeBody, WindsAHingeUpOverManyTurns) {
  const std::string net = R"({ "dimension": 2, "nodes": [ { "id": 1, "x": [-1, 0], "mass": 1,
    "fixed": true }, { "id": 2, "x": [0, 0], "mass": 1, "fixed": true },
    { "id": 3, "x": [0.5, 0], "mass": 0.2, "v": [0, 15] },
    { "id": 4, "x": [0.5, 0.5], "mass": 0.1, "v": [-15, 15] } ], "springs": [ { "i": 1, "j": 2, "k": 9 },
    { "i": 2, "j": 3, "k": 5e4, "law": "linear" }, { "i": 3, "j": 4, "k": 5e4, "law": "linear" },
    { "i": 2, "j": 4, "k": 5e4, "law": "linear" } ], "gravity": 9.81,
    "rotational_springs": [ { "a": 1, "b": 2, "k": 0.05 } ] })";
  expect_same_motion(net, R"("integrator": "runge-kutta")", 2, 1.2, tolerance(1e-5));
  expect_same_motion(net, R"("step": 5e-5, "rho": 1)", 2, 1.2, tolerance(2e-3));
}

/// A frame in a hub at (1, 0).
const std::string kInHub = R"({ "id": 1, "x": [1, 0.6], "mass": 0.3 }, )" + kNodes;
const std::string kHubNet = R"({ "dimension": 2, "nodes": [ )" + kInHub + R"( ], "springs": [ )" +
                            kSprings + R"( ], "R": { "k": 300, "x": [1, 0] } })";

/// The pendulum with R in place of node 1.
std::string hub_pendulum(const std::string& how) {
  std::string text = pendulum(how);
  text.replace(text.find("net/1"), 5, "net/R");
  return text;
}

// Truth: the lattice engine, with the rod's point mass as a node that has the springs of the hub.
// The rod is one spring, so stiff that the positions differ by 1e-5 m.
TEST(LatticeBody, HangsInItsHubOnARigidPendulum) {
  const Program femflex;
  testing::write_text(femflex.file("net.json"), kHubNet);
  testing::write_text(femflex.file("one.json"),
                      R"({ "dimension": 2, "gravity": 9.81, "nodes": [ { "id": 6, "x": [0, 0],
    "mass": 1, "fixed": true }, { "id": 9, "x": [1, 0], "mass": 0.7 }, )" +
                          kInHub +
                          R"( ], "springs": [ { "i": 6, "j": 9, "k": 1e7, "law": "linear" },
    { "i": 9, "j": 1, "k": 300 }, { "i": 9, "j": 2, "k": 300 }, { "i": 9, "j": 3, "k": 300 },
    { "i": 9, "j": 4, "k": 300 }, { "i": 9, "j": 5, "k": 300 }, )" +
                          kSprings + " ] }");
  const Json one =
      femflex.json("lattice one.json --end 0.6 --dt 2e-5 --nodes 9,5 --integrator rk4");
  for (const char* how : {R"("end": 0.6, "step": 2.5e-4, "rho": 0.95, "output_step": 0.6)",
                          R"("end": 0.6, "integrator": "runge-kutta", "output_step": 0.6)"}) {
    testing::write_text(femflex.file("s.json"), hub_pendulum(how));
    const auto run = femflex("simulate s.json -o s.h5 --csv s.csv");
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto c =
        columns(testing::read_text(femflex.file("s.csv")),
                {"net/R/position/x", "net/R/position/y", "net/5/position/x", "net/5/position/y"});
    for (std::size_t k = 0; k < 4; ++k) {
      const Json& node = one.find("nodes")->items()[k / 2];
      EXPECT_NEAR(c[k].back(), node.find("position")->items()[k % 2].number(), tolerance(3e-5));
    }
  }
}

// Truth: R has no mass, so the force of its joint is the sum of the forces of its springs. The
// power of this port is what the rod's point mass loses.
TEST(LatticeBody, ItsHubPassesOnWhatTheJointGives) {
  const Program femflex;
  testing::write_text(femflex.file("net.json"), kHubNet);
  std::string text = hub_pendulum(
      R"("end": 0.4, "integrator": "runge-kutta", "step": 2.5e-4, "output_step": 2.5e-4)");
  text.replace(text.find(R"("energy" ])"), 8, R"("energy", "net.R.spring_1/force",
    "net.R.spring_2/force", "net.R.spring_3/force", "net.R.spring_4/force",
    "net.R.spring_5/force")");
  testing::write_text(femflex.file("s.json"), text);
  const auto run = femflex("simulate s.json -o s.h5 --csv s.csv");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::vector<std::string> names = {"t",
                                    "energy/total",
                                    "pin/reaction/x",
                                    "pin/reaction/y",
                                    "net/R/velocity/x",
                                    "net/R/velocity/y",
                                    "net/R/position/y"};
  for (int node = 1; node <= 5; ++node)
    for (const char* axis : {"x", "y"})
      names.push_back(fmt::format("net.R.spring_{}/force/{}", node, axis));
  const auto c = columns(testing::read_text(femflex.file("s.csv")), names);
  double work = 0.0;  // work done on the net
  for (std::size_t i = 0; i < c[0].size(); ++i) {
    EXPECT_NEAR(c[1][i], c[1][0], tolerance(1e-5));
    for (std::size_t axis = 0; axis < 2; ++axis) {
      double on_nodes = 0.0;
      for (std::size_t node = 0; node < 5; ++node)
        on_nodes += c[7 + 2 * node + axis][i];
      EXPECT_NEAR(c[2 + axis][i], on_nodes, tolerance(1e-6));
    }
    const auto power = [&](std::size_t k) { return c[2][k] * c[4][k] + c[3][k] * c[5][k]; };
    if (i > 0) work += 0.5 * (power(i) + power(i - 1)) * (c[0][i] - c[0][i - 1]);
    const double rod = 0.35 * (c[4][i] * c[4][i] + c[5][i] * c[5][i]) + 0.7 * 9.81 * c[6][i];
    EXPECT_NEAR(work, -rod, tolerance(1e-5));
  }
}

// Truth: the lattice engine, whose search for an equilibrium also breaks springs. A system at rest
// stays at rest.
TEST(LatticeBody, StaticsBreaksSpringsThatItLoadsBeyondTheirLimits) {
  const Program femflex;
  const auto net = [&](const std::string& limit) {
    testing::write_text(femflex.file("net.json"),
                        R"({ "dimension": 2, "gravity": 9.81, "nodes": [
      { "id": 1, "x": [0, 0], "mass": 1, "fixed": true }, { "id": 2, "x": [1, 0.1], "mass": 1 },
      { "id": 3, "x": [2, 0], "mass": 0.5 } ], "springs": [
      { "i": 1, "j": 2, "k": 200, "law": "linear" }, { "i": 2, "j": 3, "k": 80 },
      { "i": 1, "j": 3, "k": 20)" +
                            limit + R"( } ] })");
  };
  const std::string system = R"({ "femflex": 1, "units": "m-kg-s", "planar": true,
    "gravity": [0, -9.81, 0], "bodies": { "net": { "lattice": "net.json" } },
    "analyses": [ { "type": "static" })";
  testing::write_text(femflex.file("s.json"), system + R"( ], "outputs": [ "net" ] })");
  testing::write_text(femflex.file("d.json"),
                      system + R"(, { "type": "dynamic", "end": 0.2, "step": 1e-3,
    "output_step": 0.1, "integrator": "runge-kutta" } ], "outputs": [ "net" ] })");
  for (const std::string limit :
       {R"(, "break_force": 2)", R"(, "break_elongation": 0.01)", R"(, "break_force": 2000)"}) {
    net(limit);
    const Json alone = femflex.json("lattice net.json --statics");
    const bool breaks = limit.find("2000") == std::string::npos;
    for (const char* file : {"s", "d"}) {
      const auto run = femflex(std::string("simulate ") + file + ".json -o r.h5 --csv r.csv");
      ASSERT_EQ(run.exit_code, 0) << run.err;
      EXPECT_EQ(run.err.find("1 spring broke") != std::string::npos, breaks) << run.err;
      const auto c = columns(testing::read_text(femflex.file("r.csv")),
                             {"net/3/position/x", "net/3/position/y"});
      for (std::size_t axis = 0; axis < 2; ++axis) {
        const double there =
            alone.find("nodes")->items()[2].find("position")->items()[axis].number();
        for (const double value : c[axis])
          EXPECT_NEAR(value, there, tolerance(1e-6)) << limit << file;
      }
    }
  }
}

struct Refused {
  const char* net;
  const char* place;
  const char* message;
};

class LatticeBodies : public ::testing::TestWithParam<Refused> {};

// Truth: the message states the obstacle; exit code 2.
TEST_P(LatticeBodies, SayWhatASystemCannotMove) {
  const Program femflex;
  testing::write_text(femflex.file("net.json"), GetParam().net);
  testing::write_text(femflex.file("s.json"),
                      std::string(R"({ "femflex": 1, "units": "m-kg-s",
    "bodies": { "net": { "lattice": "net.json" } },
    "joints": { "pin": { "type": "spherical", "a": "ground", "b": ")") +
                          GetParam().place + R"(" } },
    "analyses": [ { "type": "dynamic", "end": 0.1 } ] })");
  const auto run = femflex("simulate s.json -o s.h5");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find(GetParam().message), std::string::npos) << run.err;
  EXPECT_FALSE(femflex.has("s.h5"));
}

#define FEMFLEX_TWO \
  R"("dimension": 2, "nodes": [ { "id": 1, "x": [0, 0], "mass": 1 }, { "id": 2, "x": [1, 0], "mass": 1 } ])"
INSTANTIATE_TEST_SUITE_P(
    Pipeline,
    LatticeBodies,
    ::testing::Values(Refused{"{" FEMFLEX_TWO
                              R"(, "springs": [ { "i": 1, "j": 2, "k": 3 } ], "loads": [
                              { "node": 2, "force": [1, 0], "steps": 5 } ] })",
                              "net/1",
                              "ends at a step"},
                      Refused{"{" FEMFLEX_TWO
                              R"(, "springs": [ { "i": 1, "j": 2, "k": 3 } ], "R": { "k": 1 } })",
                              "net/1",
                              "nothing ties the hub R"},
                      Refused{"{" FEMFLEX_TWO R"(, "springs": [ { "i": 1, "j": 2, "k": 3 } ] })",
                              "net/7",
                              "no node 7"},
                      Refused{"{" FEMFLEX_TWO R"(, "springs": [ { "i": 1, "j": 2, "k": 3 } ] })",
                              "net/tip",
                              "is not a node of the lattice"},
                      Refused{"{" FEMFLEX_TWO R"(, "springs": [ { "i": 1, "j": 2, "k": 3 } ] })",
                              "net/R",
                              "is not a node of the lattice"},
                      Refused{"H = 5*[0]^2 + 3*[1]^2", "net/1", "polynomial"}));

}  // namespace
}  // namespace femflex::tools
