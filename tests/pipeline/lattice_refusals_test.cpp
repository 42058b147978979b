// Tests invalid lattices and calls: each gives one line with file, place, what was found, and a
// remedy.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lattice/run_lattice.h"
#include "program.h"

namespace femflex::tools {
namespace {

using testing::Program;

/// A lattice with two nodes in line 2, `more` from line 3 on, and `spring` in the line after it.
std::string lattice_with(const std::string& more, const std::string& spring) {
  return "{ \"dimension\": 2,\n\"nodes\": [{\"id\": 1, \"x\": [0, 0], \"mass\": 1, \"fixed\": "
         "true},"
         " {\"id\": 2, \"x\": [1, 0], \"mass\": 1}],\n" +
         more + "\n\"springs\": [{\"i\": 1, \"j\": 2, " + spring + "}] }";
}

class LatticeRefusals : public ::testing::Test {
 protected:
  void refused(const std::string& text, const std::vector<std::string>& parts) {
    testing::write_text(femflex.file("w.json"), text);
    expect(femflex("lattice w.json --end 0.1"), parts);
  }
  void refused_spring(const std::string& spring, const std::string& part) {
    refused(lattice_with("", spring), {"w.json:4:", part});
  }
  void refused_more(const std::string& more, const std::string& part) {
    refused(lattice_with(more, "\"k\": 10"), {"w.json:3:", part});
  }
  void refused_call(const std::string& words, const std::vector<std::string>& parts) {
    expect(femflex("lattice " + words), parts);
  }
  static void expect(const testing::CommandResult& result, const std::vector<std::string>& parts) {
    EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
    EXPECT_EQ(testing::line_count(result.err), 1U) << result.err;
    for (const std::string& part : parts)
      EXPECT_NE(result.err.find(part), std::string::npos)
          << "no '" << part << "' in " << result.err;
  }
  Program femflex;
};

TEST_F(LatticeRefusals, SpringsThatContradictThemselves) {
  refused_spring(R"("k": 1, "break_force": -5)", "break_force is -5");
  refused_spring(R"("k": 1, "break_elongation": 0)", "break_elongation is 0");
  refused_spring(R"("k": 1, "area": 1, "break_stress": -1)", "break_stress is -1");
  refused_spring(R"("force": "e", "k": 3)", "both 'k' and 'force'");
  refused_spring(R"("force": "e", "law": "linear")", "both law 'linear' and 'force'");
  refused_spring(R"("force": 5)", "'force' is a number");
  refused_spring(R"("law": "table")", "'force' is missing");
  refused_spring(R"("k": 1, "damping": -1)", "damping c = -1 is negative");
  // 1 - 20 v becomes negative at v = 1/20, 1 - 3 v + 2 v^2 at v = 1/2
  refused_spring(R"("k": 1, "damping": { "c": 1, "c2": -20 })", "beyond |v| = 0.05");
  refused_spring(R"("k": 1, "damping": { "c": 1, "c2": -3, "c3": 2 })", "beyond |v| = 0.5");
  refused_spring(R"("k": 1, "damping": { "c": 1, "c3": -4 })", "beyond |v| = 0.5");
}

TEST_F(LatticeRefusals, WhatIsMissingIsNotTakenForASlip) {
  refused_spring(R"("d": 1)", "spring: 'k' is missing; add it");
  refused_spring(R"("area": 1)", "spring: 'k' is missing; add it, or");
  refused_spring(R"("law": "linear", "area": 1)", "'modulus' is missing");
  refused_spring(R"("law": "linear", "area": 1, "modulus": 1, "d": 0)", "d is 0");
  refused_spring(R"("stifness": 3, "kk": 2)", "unknown key 'kk'; did you mean 'k'?");
}

TEST_F(LatticeRefusals, NodesAndSpringsAreNamed) {
  refused_more(R"("motions": [ { "node": 1, "axis": "x", "displacement": "t" } ],)",
               "motion 1: axis x of node 1 is fixed");
  refused(lattice_with(R"("motions": [ { "node": 2, "axis": "y", "displacement": "t" },
    { "node": 2, "axis": "y", "displacement": "t" } ],)",
                       "\"k\": 1"),
          {"w.json", "motion 2: axis y of node 2 is fixed or moved already"});
  refused_more(R"("ports": [ { "node": 2, "in": "force" }, { "node": "R", "in": "force" } ],)",
               "a port on R, and the lattice has no \"R\"");
  refused_more(R"("rotational_springs": [ { "a": 1, "b": 1, "k": 2 } ],)",
               "both springs are spring 1");
  refused_spring(R"("k": 1, "break_stress": 5)", "needs a section area");
  refused(R"({ "dimension": 1, "nodes": [
{ "id": 7, "x": [0], "mass": -1 } ] })",
          {"w.json:2:", "mass is -1"});
  refused(R"({ "dimension": 1, "nodes": [ { "id": 7, "x": [0], "mass": 1 } ],
"springs": [ { "i": 7, "j": 7, "k": 1 } ] })",
          {"w.json:2:", "both ends are node 7"});
}

TEST_F(LatticeRefusals, NumbersAndNamesKnowTheirLine) {
  refused_more(R"("femflex": 2,)", "version 2");
  refused_more(R"("end": -1,)", "end is -1");
  refused_more(R"("step": -1,)", "step is -1");
  refused_more(R"("output_step": -1,)", "output_step is -1");
  refused_more(R"("integrator": "rk5",)", "'rk5' is not known here; did you mean 'rk4'?");
  refused_more(R"("fixed": { "q": [1] },)", "'q' is not an axis of a lattice of 2 dimensions");
  refused_more(R"("fixed": { "xz": [1] },)",
               "'z' is not an axis of a lattice of 2 dimensions; "
               "expected 0 .. 1 or a letter of xy");
  refused_more(R"("motions": [ { "node": 2, "axis": "z", "displacement": "t" } ],)", "'z'");
  refused_more(R"("motions": [ { "node": 2, "axis": "x", "displacement": "q" } ],)", "here: t");
  refused_more(R"("loads": [ { "node": 2, "force": [0, 1], "history": "sin(" } ],)", "'sin('");
  refused_more(R"("loads": [ { "node": 2, "force": [0, 1], "history": [[0, 1], [0, 2]] } ],)",
               "argument 0 after 0; the arguments of a table must rise");
  refused_spring(R"("force": "2*q")", "variables here: e, L, d; functions: sin cos tan asin");
  refused_spring(R"("force": [[1, 1], [0, 0]])", "argument 0 after 1");
  refused(
      R"({ "dimension": 2, "generate": { "type": "block", "nodes": [2.9, 3], "size": [1, 1], "k": 1 } })",
      {"w.json:1:", "2.9 is not a whole number"});
  refused("[]", {"w.json", "a list; a lattice in JSON is an object"});
}

// Repelling springs can be intended, so JSON accepts them.
TEST_F(LatticeRefusals, NegativeSpringsStayPossibleInJson) {
  testing::write_text(femflex.file("n.json"), lattice_with("", R"("k": -3, "law": "linear")"));
  EXPECT_EQ(femflex("lattice n.json --end 0.1").exit_code, 0);
  testing::write_text(femflex.file("n.csv"), "1, 1, 0, x\n-3, 1, 1, -\n");
  refused_call("n.csv --end 0.1", {"n.csv:2:", "k = -3 is negative", "JSON"});
}

TEST_F(LatticeRefusals, FydikModelsThatCannotBe) {
  if (!has_fydik()) GTEST_SKIP() << "built without an XML reader";
  const auto refused_xml = [&](const std::string& xml, const std::string& part) {
    testing::write_text(femflex.file("m.model.fdk"), "<MODEL type=\"1D\">\n" + xml + "\n</MODEL>");
    refused_call("m.model.fdk --end 0.1", {"m.model.fdk:2:", part});
  };
  refused_xml(R"(<SIMULATOR timeStep="0"/>)", "timeStep is 0");
  refused_xml(R"(<MASSPOINT initMass="1"/>)", "MASSPOINT: index is missing");
  refused_xml(R"(<MASSPOINT index="0" initMass="-1"/>)", "initMass is -1");
  refused_xml(R"(<MASSPOINT index="0" initMass="1" dampingCoef="-1"/>)", "damping c = -1");
  refused_xml(R"(<MASSPOINT index="0"/><TRANSLATIONALSPRING index="0" massObject1Index="0"/>)",
              "massObject2Index is missing");
}

TEST_F(LatticeRefusals, OptionsThatCannotBe) {
  testing::write_text(femflex.file("n.json"), lattice_with("", "\"k\": 3"));
  refused_call("n.json --integrator dormand-prince --end 1 --rtol -1", {"--rtol is -1", "above 0"});
  refused_call("n.json --integrator dormand-prince --end 1 --atol -1", {"--atol is -1"});
  refused_call("n.json --buckling --largest-factor -1", {"--largest-factor is -1"});
  refused_call("n.json --statics --load-steps 0", {"--load-steps is 0"});
  refused_call("n.json --statics --load-steps -3", {"--load-steps is -3"});
  refused_call("n.json --end 1 --output-step 0", {"--output-step is 0"});
  refused_call("n.json --end -1", {"--end is -1"});
  refused_call("n.json --end 1 --friction -2", {"--friction is -2"});
}

TEST_F(LatticeRefusals, OptionsThatSayNothingAboutTheJob) {
  testing::write_text(femflex.file("n.json"), lattice_with("", "\"k\": 3"));
  testing::write_text(femflex.file("h.txt"), "H = 0.5*[1]^2 + 2*[0]^2\n");
  refused_call("n.json --end 1 --initial 0,1", {"--initial needs a polynomial"});
  refused_call("n.json --end 1 --dimension 2", {"--dimension needs a polynomial"});
  refused_call("n.json --end 1 --rest-from-start", {"--rest-from-start needs a K/D matrix"});
  refused_call("n.json --end 1 --load-factor 2", {"--load-factor needs --statics"});
  refused_call("n.json --end 1 --stay-on-branch", {"--stay-on-branch needs --statics"});
  refused_call("n.json --end 1 --largest-factor 2",
               {"--largest-factor needs --buckling or --branch"});
  refused_call("n.json --end 1 --keep-held", {"--keep-held needs --to-fe"});
  refused_call("n.json --buckling -o r.h5", {"--output needs a run"});
  for (const char* pair :
       {"--statics --buckling", "--statics --branch b.csv", "--buckling --branch b.csv"})
    refused_call(std::string("n.json ") + pair, {"are different analyses"});
  for (const char* option : {"--statics",
                             "--buckling",
                             "--branch b.csv",
                             "--to-fe m.fe.h5",
                             "--nodes 1",
                             "--friction 1"})
    refused_call(std::string("h.txt --initial 1,0 --end 1 ") + option,
                 {"the model is a polynomial"});
  testing::write_text(femflex.file("p.txt"), "H = [0]^100000\n");
  refused_call("p.txt --initial 1,0 --end 1", {"a whole power from 0 to 64"});
  // a tolerance of an integrator without step control is only reported
  const auto ignored = femflex("lattice n.json --end 1 --rtol 1e-6");
  EXPECT_EQ(ignored.exit_code, 0);
  EXPECT_NE(ignored.err.find("--rtol has no effect"), std::string::npos) << ignored.err;
  testing::write_text(femflex.file("l.json"), R"({ "dimension": 1, "nodes": [
    { "id": 1, "x": [0], "mass": 1, "fixed": true }, { "id": 2, "x": [1], "mass": 1 } ],
    "springs": [ { "i": 1, "j": 2, "k": 3 } ], "loads": [ { "node": 2, "force": [1] } ] })");
  const auto says = [&](const std::string& call, const std::string& option) {
    const std::string said = femflex("lattice l.json " + call).err;
    EXPECT_NE(said.find(option + " has no effect"), std::string::npos) << call << ": " << said;
  };
  says("--statics --dt 0.1", "--dt");
  says("--statics --friction 0.1", "--friction");
  says("--buckling --friction 2", "--friction");
  says("--branch b.csv --end 1", "--end");
  says("--end 1 --units mm-t-s", "--units");
  EXPECT_EQ(femflex("lattice n.json --statics --end 1").err.find("has no effect"),
            std::string::npos);
}

TEST_F(LatticeRefusals, NodesNamedTwiceBesideGeneratedOnes) {
  const auto twice = [this](int id) {
    refused(
        fmt::format(R"({{ "dimension": 2, "generate": {{ "type": "chain", "links": 3, "k": 200 }},
      "nodes": [ {{ "id": {0}, "x": [5, 5], "mass": 1 }},
                 {{ "id": {0}, "x": [6, 6], "mass": 2 }} ] }})",
                    id),
        {"w.json:3:", fmt::format("node {} appears twice", id)});
  };
  twice(9);  // a new node
  twice(2);  // one of the chain
}

}  // namespace
}  // namespace femflex::tools
