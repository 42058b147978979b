// Tests variants of lattice models as a user runs them. Truth: closed forms, or a second method of
// computation.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lattice/run_lattice.h"
#include "program.h"

namespace femflex::tools {
namespace {

using testing::Program;
using testing::tolerance;

double position(const Json& document, std::size_t node, std::size_t axis) {
  return document.find("nodes")->items()[node].find("position")->items()[axis].number();
}

// Truth: the same motion by different arithmetic: 1e-12 after 1000 steps. The lattice's Hamiltonian
// is written as text and run from the lattice's initial state.
TEST(LatticeVariants, APolynomialWrittenFromALatticeMovesTheSame) {
  const Program femflex;
  testing::write_text(femflex.file("net.json"), R"({ "dimension": 2, "gravity": 9.81, "nodes": [
    { "id": 1, "x": [0, 0], "mass": 1, "fixed": true }, { "id": 2, "x": [0.5, 0], "mass": 0.4 },
    { "id": 3, "x": [0.5, 0.5], "mass": 0.4, "v": [0.1, 0] } ], "springs": [
    { "i": 1, "j": 2, "k": 50 }, { "i": 2, "j": 3, "k": 60 }, { "i": 1, "j": 3, "k": 30 } ] })");
  ASSERT_EQ(femflex("lattice net.json --write net.txt").exit_code, 0);
  const std::string how = " --end 1 --dt 0.001 --integrator leapfrog";
  const Json lattice = femflex.json("lattice net.json" + how);
  const Json polynomial = femflex.json(
      "lattice net.txt --dimension 2 --initial 0,0,0,0,0.5,0,0,0,0.5,0.5,0.04,0" + how);
  const auto& states = polynomial.find("states")->items();
  ASSERT_EQ(states.size(), 12U);
  for (const std::size_t node : {1U, 2U})
    for (std::size_t axis = 0; axis < 2; ++axis)
      EXPECT_NEAR(
          states[4 * node + axis].number(), position(lattice, node, axis), tolerance(1e-12));
}

// Truth: the K/D matrix written by hand describes the same lattice as the lists. Files written from
// either by --write move bit for bit the same.
TEST(LatticeVariants, AMatrixMovesAsTheLatticeOfItsLists) {
  const Program femflex;
  testing::write_text(femflex.file("net.csv"),
                      "0.2, 1.0, 1.4, 0, 0, xy\n100, 0.3, 1.0, 1, 0, -\n80, 90, 0.4, 1, 1, x\n");
  testing::write_text(femflex.file("net.json"), R"({ "dimension": 2, "nodes": [
    { "id": 1, "x": [0, 0], "mass": 0.2, "fixed": "xy" }, { "id": 2, "x": [1, 0], "mass": 0.3 },
    { "id": 3, "x": [1, 1], "mass": 0.4, "fixed": "x" } ], "springs": [
    { "i": 1, "j": 2, "k": 100, "d": 1 }, { "i": 1, "j": 3, "k": 80, "d": 1.4 },
    { "i": 2, "j": 3, "k": 90, "d": 1 } ] })");
  ASSERT_EQ(femflex("lattice net.json --write back.csv").exit_code, 0);
  ASSERT_EQ(femflex("lattice net.csv --write back.json").exit_code, 0);
  const std::string how = " --end 0.5 --dt 0.001 --integrator leapfrog";
  const Json truth = femflex.json("lattice net.json" + how);
  for (const char* file : {"net.csv", "back.csv", "back.json"}) {
    const Json other = femflex.json("lattice " + std::string(file) + how);
    for (std::size_t node = 0; node < 3; ++node)
      for (std::size_t axis = 0; axis < 2; ++axis)
        EXPECT_NEAR(position(other, node, axis), position(truth, node, axis), tolerance(1e-13))
            << file;
  }
  EXPECT_GT(std::abs(position(truth, 2, 1) - 1.0), 1e-4);  // the mass has moved
}

// Truth: a suddenly applied load stretches a bar by up to twice the static value. The stress is 2 m
// g / A after half a period and 0 after a whole period.
TEST(LatticeVariants, TheStressMonitorSeesThePeakOfTheRun) {
  const Program femflex;
  testing::write_text(femflex.file("bar.json"), R"({ "dimension": 2, "gravity": 10, "nodes": [
    { "id": 1, "x": [0, 0], "mass": 1, "fixed": true }, { "id": 2, "x": [0, -2], "mass": 4 } ],
    "springs": [ { "i": 1, "j": 2, "d": 2, "law": "linear", "area": 1e-5, "modulus": 2e9 } ] })");
  const double period = 2.0 * M_PI * std::sqrt(4.0 / (2e9 * 1e-5 / 2.0));
  const Json run = femflex.json(fmt::format(
      "lattice bar.json -o r.h5 --integrator symplectic4 --dt {} --output-step {} --end {}",
      period / 400,
      period / 200,
      period));
  const Json& stress = *run.find("extreme_stress");
  EXPECT_EQ(stress.find("spring")->number(), 1.0);
  EXPECT_NEAR(stress.find("during_run")->number(), 2.0 * 4.0 * 10.0 / 1e-5, tolerance(100.0));
  EXPECT_NEAR(stress.find("stress")->number(), 0.0, tolerance(100.0));
}

// Truth: bars of density rho in a vertical chain; half of the mass of each bar is at each of its
// ends. The top bar of n carries the weight of (n - 1/2) bars, and the support carries the total
// weight.
TEST(LatticeVariants, BarsCarryTheirOwnMass) {
  const Program femflex;
  testing::write_text(femflex.file("bars.json"), R"({ "dimension": 2, "gravity": 9.81, "nodes": [
    { "id": 1, "x": [0, 0], "fixed": true }, { "id": 2, "x": [0, -1] }, { "id": 3, "x": [0, -2] },
    { "id": 4, "x": [0, -3] } ], "springs": [
    { "i": 1, "j": 2, "law": "linear", "area": 1e-3, "modulus": 2e11, "density": 7800, "d": 1 },
    { "i": 2, "j": 3, "law": "linear", "area": 1e-3, "modulus": 2e11, "density": 7800, "d": 1 },
    { "i": 3, "j": 4, "law": "linear", "area": 1e-3, "modulus": 2e11, "density": 7800, "d": 1 } ] })");
  const Json rest = femflex.json("lattice bars.json --statics");
  const double bar = 7.8 * 9.81;
  double sink = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    sink += (2.5 - static_cast<double>(i)) * bar / 2e8;
    EXPECT_NEAR(-position(rest, i + 1, 1) - static_cast<double>(i + 1), sink, tolerance(1e-12));
  }
  const Json& support = rest.find("statics")->find("reactions")->items()[0];
  EXPECT_NEAR(support.find("force")->items()[1].number(), 3.0 * bar, tolerance(1e-6));
}

// Truth: von Mises' truss with P(y) = 2 k y (l0 / sqrt(1 + y^2) - 1). The maximum is at y^2 =
// l0^(2/3) - 1; the path beyond it is compared as well.
TEST(LatticeVariants, AFlatTrussSnapsThroughAtItsClosedForm) {
  const Program femflex;
  testing::write_text(femflex.file("truss.json"), R"({ "dimension": 2, "nodes": [
    { "id": 1, "x": [-1, 0], "mass": 1, "fixed": true }, { "id": 2, "x": [0, 0.3], "mass": 1, "fixed": "x" },
    { "id": 3, "x": [1, 0], "mass": 1, "fixed": true } ], "springs": [
    { "i": 1, "j": 2, "k": 500, "law": "linear" }, { "i": 2, "j": 3, "k": 500, "law": "linear" } ],
    "loads": [ { "node": 2, "force": [0, -1] } ] })");
  const double l0 = std::hypot(1.0, 0.3);
  const double y = std::sqrt(std::cbrt(l0 * l0) - 1.0);
  const double most = 1000.0 * y * (l0 / std::hypot(1.0, y) - 1.0);
  const Json out = femflex.json("lattice truss.json --buckling --largest-factor 60");
  const Json& buckling = *out.find("buckling");
  EXPECT_EQ(buckling.find("kind")->text(), "limit point");
  EXPECT_NEAR(buckling.find("load_factor")->number(), most, tolerance(1e-7) * most);
  EXPECT_NEAR(position(out, 1, 1), y, tolerance(1e-6));
  // a search with a higher limit gives the same result, and the path contains both limit points
  const Json far = femflex.json("lattice truss.json --buckling --largest-factor 1e7");
  EXPECT_NEAR(far.find("buckling")->find("load_factor")->number(), most, tolerance(1e-9) * most);
  const Json path = femflex.json("lattice truss.json --branch path.csv --largest-factor 100");
  const std::vector<Json>& turns = path.find("critical_points")->items();
  ASSERT_EQ(turns.size(), 2U);
  for (const Json& turn : turns) {
    EXPECT_EQ(turn.find("kind")->text(), "limit point");
    EXPECT_NEAR(std::abs(turn.find("load_factor")->number()), most, tolerance(1e-9) * most);
  }
}

// Truth: a mass without gravity and springs is in equilibrium anywhere. With a spring to a wall it
// is held only along the spring.
TEST(LatticeVariants, RestThatNothingHoldsIsNeutral) {
  const Program femflex;
  const auto model = [&](const std::string& springs) {
    testing::write_text(femflex.file("free.json"),
                        R"({ "dimension": 2, "nodes": [ { "id": 1, "x": [0, 0], "mass": 1 },
      { "id": 2, "x": [1, 0], "mass": 1, "fixed": true }, { "id": 3, "x": [0, 1], "mass": 1, "fixed": true } ],
      "springs": [)" + springs +
                            "] }");
    return femflex.json("lattice free.json --statics");
  };
  const std::string one = R"({ "i": 1, "j": 2, "k": 30, "law": "linear" })";
  const std::string two = one + R"(, { "i": 1, "j": 3, "k": 20, "law": "linear" })";
  int neutral = 2;
  for (const std::string& springs : {std::string(), one, two}) {
    const Json out = model(springs);
    const Json& statics = *out.find("statics");
    EXPECT_EQ(statics.find("neutral_eigenvalues")->number(), neutral);
    EXPECT_EQ(statics.find("negative_eigenvalues")->number(), 0);
    EXPECT_EQ(statics.find("stable")->boolean(), neutral == 0);
    const std::string said = femflex("lattice free.json --statics").out;
    EXPECT_NE(said.find(neutral == 0 ? "stable" : "neutral"), std::string::npos) << said;
    --neutral;
  }
}

// Content that a format does not support is reported by name. JSON supports all content and gives
// no warning.
TEST(LatticeVariants, WritingNamesWhatAFormatLeavesOut) {
  const Program femflex;
  testing::write_text(femflex.file("rig.json"), R"({ "dimension": 2, "gravity": 9.81,
    "friction": 0.2, "nodes": [ { "id": 1, "x": [0, 0], "mass": 1, "fixed": true },
    { "id": 2, "x": [0, -1], "mass": 1, "v": [1, 0] } ],
    "springs": [ { "i": 1, "j": 2, "k": 100, "law": "linear", "break_force": 50 } ],
    "loads": [ { "node": 2, "force": [1, 0] } ] })");
  if (tools::has_fydik()) {
    const testing::CommandResult fydik = femflex("lattice rig.json --write rig.model.fdk");
    EXPECT_EQ(fydik.exit_code, 0);
    for (const char* what : {"gravity", "friction", "break"})
      EXPECT_NE(fydik.err.find(what), std::string::npos) << fydik.err;
    EXPECT_EQ(fydik.err.find("loads"), std::string::npos) << "constant loads have a place";
  }
  EXPECT_TRUE(femflex("lattice rig.json --write same.json").err.empty());

  testing::write_text(femflex.file("net.json"), R"({ "dimension": 2, "gravity": 9.81, "nodes": [
    { "id": 1, "x": [0, 0], "mass": 1, "fixed": true },
    { "id": 2, "x": [0, -1], "mass": 1, "v": [1, 0] } ],
    "springs": [ { "i": 1, "j": 2, "k": 100 } ], "loads": [ { "node": 2, "force": [1, 0] } ] })");
  const testing::CommandResult matrix = femflex("lattice net.json --write net.csv");
  EXPECT_EQ(matrix.exit_code, 0);
  for (const char* what : {"gravity", "loads", "start velocities"})
    EXPECT_NE(matrix.err.find(what), std::string::npos) << matrix.err;
}

// A number of steps beyond the integer range is refused before the run.
TEST(LatticeVariants, ARunOfCountlessStepsIsRefused) {
  const Program femflex;
  testing::write_text(femflex.file("net.json"), R"({ "dimension": 1, "nodes": [
    { "id": 1, "x": [0], "mass": 1, "fixed": true }, { "id": 2, "x": [1], "mass": 1 } ],
    "springs": [ { "i": 1, "j": 2, "k": 100 } ] })");
  const testing::CommandResult endless = femflex("lattice net.json --dt 1e-30 --end 1");
  EXPECT_EQ(endless.exit_code, 2);
  EXPECT_NE(endless.err.find("too many steps"), std::string::npos) << endless.err;
}

}  // namespace
}  // namespace femflex::tools
