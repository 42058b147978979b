// Tests the verb lattice from input to output.
#include <cmath>

#include <gtest/gtest.h>

#include "lattice/run_lattice.h"
#include "program.h"

namespace femflex::tools {
namespace {

using testing::Program;
using testing::staal;
using testing::tolerance;

const std::vector<Json>& position(const Json& document, std::size_t i) {
  return document.find("nodes")->items()[i].find("position")->items();
}

// Truth: table 6 with the force F = 1 of the model multiplied by the load factor 1000.
TEST(LatticeVerb, FindsTheEquilibriumOfTable6) {
  const Program femflex;
  const Json out = femflex.json("lattice " + staal("model_table6.json") +
                                " --statics --load-factor 1000 --nodes 16,14,3,5");
  EXPECT_NEAR(2.0 - position(out, 0)[1].number(), 4.159, tolerance(0.001));
  EXPECT_NEAR(2.0 - position(out, 1)[1].number(), 5.553, tolerance(0.001));
  EXPECT_NEAR(-position(out, 2)[1].number(), 3.58, tolerance(0.001));
  EXPECT_NEAR(-position(out, 3)[1].number(), 5.613, tolerance(0.001));
  EXPECT_TRUE(out.find("statics")->find("stable")->boolean());
}

// Truth: first row of appendix I (-4.3, 1.9, kinetic 3907, H 4550).
TEST(LatticeVerb, ThrowsTheChainOfAppendixIWithAResultFile) {
  const Program femflex;
  const Json out = femflex.json("lattice " + staal("model_appendixI.json") +
                                " --integrator ab2 --end 0.301 -o r.h5 --csv r.csv --nodes 11");
  EXPECT_EQ(out.find("integrator")->text(), "ab2");
  EXPECT_NEAR(position(out, 0)[0].number(), -4.3026, tolerance(1e-4));
  EXPECT_NEAR(out.find("energy")->find("end")->number(), 4549.780, tolerance(1e-3));
  EXPECT_TRUE(femflex.has("r.h5"));
  EXPECT_TRUE(testing::read_text(femflex.file("r.csv")).starts_with("t,11/position/x"));
}

// Truth: an unstable run stops, reports the stable step 2 / omega and keeps its rows; exit code 3.
TEST(LatticeVerb, StopsAnUnstableRunAndKeepsWhatWasWritten) {
  const Program femflex;
  const auto result =
      femflex("lattice " + staal("model_table4.json") + " --end 60 --dt 0.01 -o u.h5 --json");
  EXPECT_EQ(result.exit_code, 3);
  const Json out = parse_json(result.out, "out");
  EXPECT_EQ(out.find("error")->find("kind")->text(), "NumericalError");
  EXPECT_NEAR(out.find("stable_dt")->number(), 0.0056554, tolerance(1e-6));
  EXPECT_NE(out.find("error")->find("message")->text().find("0.005655"), std::string::npos);
  EXPECT_TRUE(femflex.has("u.h5"));
}

// Truth: equality of every bit of the final state, saved as HDF5.
TEST(LatticeVerb, ResumesBitForBit) {
  const Program femflex;
  const std::string model =
      staal("model_appendixI.json") + " --dt 0.001 --integrator ab2 --output-step 0.1";
  EXPECT_EQ(femflex("lattice " + model + " --end 2 --save-state whole.h5").exit_code, 0);
  EXPECT_EQ(femflex("lattice " + model + " --end 0.7 --save-state half.h5").exit_code, 0);
  EXPECT_EQ(femflex("lattice " + model + " --end 2 --resume half.h5 --save-state two.h5").exit_code,
            0);
  EXPECT_TRUE(read_state(femflex.file("whole.h5")) == read_state(femflex.file("two.h5")));
}

// Truth: the same lattice in each format moves equally, and is written equally again.
TEST(LatticeVerb, ReadsWhatItWritesInEveryFormat) {
  const Program femflex;
  const std::string model = staal("model_table23.json");
  ASSERT_EQ(femflex("lattice " + model + " --write a.json").exit_code, 0);
  ASSERT_EQ(femflex("lattice " + model + " --write a.csv").exit_code, 0);
  ASSERT_EQ(femflex("lattice a.json --write b.json").exit_code, 0);
  EXPECT_EQ(testing::read_text(femflex.file("a.json")), testing::read_text(femflex.file("b.json")));
  ASSERT_EQ(femflex("lattice a.csv --write b.csv").exit_code, 0);
  EXPECT_EQ(testing::read_text(femflex.file("a.csv")), testing::read_text(femflex.file("b.csv")));
  const auto from_json = read_any_lattice(femflex.file("a.json"), {}).document.lattice;
  const auto from_csv = read_any_lattice(femflex.file("a.csv"), {}).document.lattice;
  ASSERT_EQ(from_csv.springs.size(), from_json.springs.size());
  ASSERT_EQ(from_csv.nodes.size(), from_json.nodes.size());
  for (std::size_t i = 0; i < from_csv.nodes.size(); ++i) {
    EXPECT_EQ(from_csv.nodes[i].position, from_json.nodes[i].position);
    EXPECT_EQ(from_csv.nodes[i].mass, from_json.nodes[i].mass);
    EXPECT_EQ(from_csv.nodes[i].fixed, from_json.nodes[i].fixed);
  }
}

// Truth: unknown attributes and elements of a FyDiK file are still present after writing.
TEST(LatticeVerb, KeepsWhatItDoesNotKnowOfAFydikModel) {
  if (!has_fydik()) GTEST_SKIP() << "built without an XML reader";
  const std::string xml = R"(<?xml version="1.0"?>
<MODEL name="Model" type="2D" start="false" exit="false" colour="red">
  <SIMULATOR time="0" timeStep="0.001" method="2" timeSpeed="1" fps="25" timeBreak="0"/>
  <MASSPOINT index="0" dampingCoef="0.1" initMass="1.0" initCoordX="0.0" fixedX="true" fixedY="true"/>
  <MASSPOINT index="1" dampingCoef="0.1" initMass="2.0" initCoordX="1.0" halo="7"/>
  <TRANSLATIONALSPRING index="0" length="1.0" massObject1Index="0" massObject2Index="1" stiffness="40"/>
  <CAMERA zoom="3"/>
</MODEL>)";
  FydikModel model = parse_fydik(xml, "m.fdk");
  EXPECT_EQ(model.lattice.nodes[1].mass, 2.0);
  EXPECT_EQ(model.lattice.springs[0].stiffness, 40.0);
  model.lattice.nodes[1].mass = 3.5;
  const std::string written = print_fydik(model);
  for (const char* kept : {"colour=\"red\"",
                           "halo=\"7\"",
                           "<CAMERA zoom=\"3\"",
                           "timeSpeed=\"1\"",
                           "initMass=\"3.5\""})
    EXPECT_NE(written.find(kept), std::string::npos) << kept << written;
  EXPECT_EQ(parse_fydik(written, "w").lattice.nodes[1].mass, 3.5);
  EXPECT_THROW((void)parse_fydik("<MODEL><MASSPOINT index=\"a\"/></MODEL>", "w"), ParseError);
  EXPECT_THROW((void)parse_fydik("<MODEL", "w"), ParseError);
}

// Truth: K and M of the lattice at rest give the frequencies of M^-1 K. For one mass on a quartic
// spring, omega^2 = (2 k (3 L^2 - d^2)) / m at equilibrium (data/lattice/staal/mass_on_spring).
TEST(LatticeVerb, GivesKAndMAtTheEquilibrium) {
  const Program femflex;
  testing::write_text(femflex.file("one.json"), R"({ "dimension": 2, "gravity": 9.81,
    "nodes": [ { "id": 1, "x": [0, 1], "mass": 1, "fixed": "xy" }, { "id": 2, "x": [0, 0], "mass": 10, "fixed": "x" } ],
    "springs": [ { "i": 1, "j": 2, "k": 100, "d": 1 } ] })");
  const auto made = femflex("lattice one.json --statics --to-fe m.fe.h5");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Json out = femflex.json("modes m.fe.h5 --normal 1 -o n.fe.h5");
  const auto info = femflex("modes m.fe.h5 --normal 1 -o n.fe.h5");
  EXPECT_NE(info.out.find("64.76"), std::string::npos) << info.out << info.err;
}

// Truth: the closed form of the motion of a polynomial Hamiltonian (hard Duffing, x(10)).
TEST(LatticeVerb, MovesAPolynomialHamiltonian) {
  const Program femflex;
  testing::write_text(femflex.file("h.txt"), "# Duffing\nH = 0.5*[1]^2 + 0.5*[0]^2 + 1.25*[0]^4\n");
  const Json out =
      femflex.json("lattice h.txt --initial 1,0 --end 10 --dt 0.001 --integrator symplectic4");
  EXPECT_NEAR(out.find("states")->items()[0].number(), -0.855839742286, tolerance(1e-6));
}

// Truth: faults are reported with their line, and no file is written.
TEST(LatticeVerb, RefusesWrongModelsWithTheirPlace) {
  const Program femflex;
  const auto refused = [&](const std::string& text, const std::string& expected) {
    testing::write_text(femflex.file("w.json"), text);
    const auto result = femflex("lattice w.json --statics -o w.h5");
    EXPECT_EQ(result.exit_code, 2) << text;
    EXPECT_NE(result.err.find(expected), std::string::npos) << result.err;
    EXPECT_FALSE(femflex.has("w.h5"));
  };
  refused("{\"dimension\": 2,\n\"nodes\": [{\"id\": 1, \"x\": [0, 0], \"masse\": 1}]}",
          "did you mean 'mass'");
  refused("{\"nodes\": [{\"id\": 1, \"x\": [0, 0]}]}", "2 numbers, the lattice has 3");
  refused(
      "{\"dimension\": 1, \"nodes\": [{\"id\": 1, \"x\": 0, \"mass\": 1}], \"springs\": [{\"i\": "
      "1, \"j\": 2, \"k\": 1}]}",
      "no node 2");
  refused("{\"nodes\": [{\"id\": 1, \"x\": [0, 0, 0], \"mass\": -1}]}",
          "w.json:1:46: node 1: mass is -1");
  refused("", "empty");
  refused("hello", "neither JSON");
  refused("1,2,3\n1,2\n", "columns");
}

}  // namespace
}  // namespace femflex::tools
