// Tests what --write preserves of a lattice, and what it reports as lost.
#include <gtest/gtest.h>

#include "lattice/run_lattice.h"
#include "program.h"

namespace femflex::tools {
namespace {

using testing::Program;

constexpr const char* kPorted = R"({ "name": "rig", "note": "of the shop", "dimension": 2,
  "gravity": 9.81, "step": 0.002, "integrator": "euler", "end": 3, "output_step": 0.25,
  "nodes": [ { "id": 4, "x": [0, 0], "mass": 1, "fixed": true }, { "id": 7, "x": [1, 0], "mass": 1 } ],
  "springs": [ { "i": 4, "j": 7, "k": 100, "law": "linear" } ], "R": { "k": 2, "x": [0, 1] },
  "ports": [ { "node": 7, "in": "force" }, { "node": "R", "in": "velocity" } ] })";

// Truth: the documents before and after writing, key by key.
TEST(LatticeWrite, JsonKeepsHowToRunTheModelAndItsPorts) {
  const Program femflex;
  testing::write_text(femflex.file("rig.json"), kPorted);
  const auto result = femflex("lattice rig.json --write same.json");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const LatticeDocument out = read_any_lattice(femflex.file("same.json"), {}).document;
  EXPECT_EQ(out.integrator, "euler");
  EXPECT_EQ(out.end, 3.0);
  EXPECT_EQ(out.output_step, 0.25);
  EXPECT_EQ(out.lattice.step, 0.002);
  ASSERT_EQ(out.ports.size(), 2U);
  EXPECT_EQ(out.ports.at(0).node, 1);
  EXPECT_EQ(out.ports.at(0).causality, hamiltonian::Causality::force_in);
  EXPECT_EQ(out.ports.at(1).node, -1);
  EXPECT_EQ(out.ports.at(1).causality, hamiltonian::Causality::velocity_in);
  ASSERT_EQ(out.remarks.size(), 1U);
  EXPECT_EQ(out.remarks[0].second.text(), "of the shop");
}

// The command line overrides the file, and the written file contains the values of the command
// line.
TEST(LatticeWrite, JsonTakesTheRunFromTheCommandLine) {
  const Program femflex;
  testing::write_text(femflex.file("rig.json"), kPorted);
  const auto result = femflex(
      "lattice rig.json --write other.json --integrator rk4 --dt 0.001 --output-step 0.5 "
      "--friction 0.3");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const LatticeDocument out = read_any_lattice(femflex.file("other.json"), {}).document;
  EXPECT_EQ(out.integrator, "rk4");
  EXPECT_EQ(out.lattice.step, 0.001);
  EXPECT_EQ(out.output_step, 0.5);
  EXPECT_EQ(out.lattice.friction, 0.3);
}

// Truth: FyDiK's documentation: method 0 explicit Euler, 1 semi-implicit Euler, 2 Runge-Kutta 4.
TEST(LatticeWrite, MethodsGoToFydikAndBack) {
  if (!has_fydik()) GTEST_SKIP() << "built without an XML reader";
  const Program femflex;
  testing::write_text(femflex.file("rig.json"), kPorted);
  const std::pair<const char*, const char*> methods[] = {
      {"euler", "method=\"0\""}, {"semi-implicit-euler", "method=\"1\""}, {"rk4", "method=\"2\""}};
  for (const auto& [name, attribute] : methods) {
    const std::string how = std::string(" --integrator ") + name;
    ASSERT_EQ(femflex("lattice rig.json --write r.model.fdk" + how).exit_code, 0);
    EXPECT_NE(testing::read_text(femflex.file("r.model.fdk")).find(attribute), std::string::npos)
        << name;
    ASSERT_EQ(femflex("lattice r.model.fdk --write back.json").exit_code, 0);
    const LatticeDocument out = read_any_lattice(femflex.file("back.json"), {}).document;
    EXPECT_EQ(out.integrator, name);
    EXPECT_EQ(out.lattice.step, 0.002);
    EXPECT_EQ(out.end, read_any_lattice(femflex.file("rig.json"), {}).document.end);
  }
  const auto other = femflex("lattice rig.json --write r.model.fdk --integrator leapfrog");
  for (const char* what : {"the integrator leapfrog", "output step", "ports", "R"})
    EXPECT_NE(other.err.find(what), std::string::npos) << other.err;
}

// Content that a matrix or a polynomial does not support is reported by name.
TEST(LatticeWrite, OtherFormatsSayThatTheyLoseTheRun) {
  const Program femflex;
  testing::write_text(femflex.file("net.json"), R"({ "dimension": 1, "step": 0.01, "end": 2,
    "integrator": "rk4", "nodes": [ { "id": 5, "x": 0, "mass": 1, "fixed": true },
    { "id": 6, "x": 1, "mass": 1 } ], "springs": [ { "i": 5, "j": 6, "k": 10 } ] })");
  for (const char* file : {"net.csv", "net.txt"}) {
    const auto result = femflex(std::string("lattice net.json --write ") + file);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    for (const char* what : {"the step", "the integrator", "the end of the run"})
      EXPECT_NE(result.err.find(what), std::string::npos) << file << ": " << result.err;
  }
  EXPECT_NE(femflex("lattice net.json --write net.csv").err.find("nodes' numbers"),
            std::string::npos);
  // the text shows the options that start the run
  EXPECT_NE(testing::read_text(femflex.file("net.txt")).find("--dimension 1 --initial 0,0,1,0"),
            std::string::npos);
  testing::write_text(femflex.file("broken.json"), R"({ "dimension": 1,
    "nodes": [ { "id": 1, "x": 0, "mass": 1, "fixed": true }, { "id": 2, "x": 1, "mass": 1 } ],
    "springs": [ { "i": 1, "j": 2, "k": 10, "break_elongation": 0.1 } ] })");
  EXPECT_EQ(femflex("lattice broken.json --write broken.csv").exit_code, 2);
}

// Truth: comments, unknown attributes and the indices of the original file are present after
// writing. Springs with FyDiK's own numbering are not written twice.
TEST(LatticeWrite, FydikKeepsCommentsAndIndices) {
  if (!has_fydik()) GTEST_SKIP() << "built without an XML reader";
  const std::string xml = R"(<?xml version="1.0"?>
<!-- made by hand -->
<MODEL name="Model" type="2D">
  <!-- the step is small -->
  <SIMULATOR time="0" timeStep="0.001" method="1"/>
  <MASSPOINT index="3" initMass="1" fixedX="true" fixedY="true"/>
  <MASSPOINT index="5" initMass="2" initCoordX="1" forceX="2"/>
  <MASSPOINT index="9" initMass="2" initCoordX="2"/>
  <TRANSLATIONALSPRING index="20" length="1" massObject1Index="3" massObject2Index="5" stiffness="40"/>
  <TRANSLATIONALSPRING index="30" length="1" massObject1Index="5" massObject2Index="9" stiffness="40"/>
  <ROTATIONALSPRING index="7" translationalSpring1Index="20" translationalSpring2Index="30" stiffness="3"/>
</MODEL>
)";
  FydikModel model = parse_fydik(xml, "m.fdk");
  model.lattice.springs[1].stiffness = 55.0;
  model.lattice.hinges[0].stiffness = 4.0;
  model.lattice.loads.push_back(model.lattice.loads.front());
  const std::string written = print_fydik(model);
  for (const char* kept : {"<!-- made by hand -->",
                           "<!-- the step is small -->",
                           "stiffness=\"55\"",
                           "forceX=\"4\"",
                           "translationalSpring1Index=\"20\""})
    EXPECT_NE(written.find(kept), std::string::npos) << kept << "\n" << written;
  const FydikModel again = parse_fydik(written, "w.fdk");
  ASSERT_EQ(again.lattice.springs.size(), 2U);
  ASSERT_EQ(again.lattice.hinges.size(), 1U);
  EXPECT_EQ(again.lattice.springs[1].stiffness, 55.0);
  EXPECT_EQ(again.lattice.hinges[0].stiffness, 4.0);
}

// With --write, a table and the file of -o are written as well.
TEST(LatticeWrite, PolynomialsAndRestsWriteTheirTables) {
  const Program femflex;
  testing::write_text(femflex.file("h.txt"), "H = 0.5*[1]^2 + 2*[0]^2\n");
  const Json run =
      femflex.json("lattice h.txt --initial 1,0 --end 1 --dt 0.001 -o h.h5 --csv h.csv");
  EXPECT_EQ(run.find("outputs")->items().size(), 2U);
  const std::string table = testing::read_text(femflex.file("h.csv"));
  EXPECT_TRUE(table.starts_with("t,state/0,state/1,energy/total")) << table.substr(0, 80);
  EXPECT_GE(testing::line_count(table), 100U);

  testing::write_text(femflex.file("net.json"), kPorted);
  ASSERT_EQ(femflex("lattice net.json --statics -o s.h5 --csv s.csv").exit_code, 0);
  EXPECT_TRUE(testing::read_text(femflex.file("s.csv")).starts_with("t,4/position/x"));
  ASSERT_EQ(femflex("lattice net.json --write same.json -o r.h5").exit_code, 0);
  EXPECT_TRUE(femflex.has("r.h5")) << "the file says when the run ends";
}

}  // namespace
}  // namespace femflex::tools
