// Tests where runs of lattices begin: at an equilibrium, and at the state of an earlier run, also
// that of a model which has changed since.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "lattice/run_lattice.h"
#include "program.h"

namespace femflex::tools {
namespace {

using hamiltonian::State;
using testing::Program;
using testing::tolerance;

class LatticeBegin : public ::testing::Test {
 protected:
  void write(const char* name, const std::string& text) const {
    testing::write_text(femflex.file(name), text);
  }
  /// Runs without an error. @return what it says on stderr
  std::string run(const std::string& words) const {
    const testing::CommandResult result = femflex("lattice " + words);
    EXPECT_EQ(result.exit_code, 0) << words << ": " << result.err;
    return result.err;
  }
  State state(const char* name) const { return read_state(femflex.file(name)); }
  Program femflex;
};

// Truth: a node that is held stays where it was when the first run ended.
TEST_F(LatticeBegin, NodesThatAreHeldFromThenOnStay) {
  for (const int links : {10, 40}) {  // for the general engine and for the fast one
    const std::string chain = R"({ "dimension": 2, "gravity": 9.81, "generate": { "type": "chain",
      "links": )" + std::to_string(links) +
                              R"(, "k": 200 })";
    const std::string last = std::to_string(links + 1);
    write("free.json", chain + " }");
    write("held.json", chain + R"(, "fixed": { "xy": [)" + last + "] } }");
    run("free.json --end 0.1 --dt 1e-3 --save-state s.h5");
    const std::string said = run("held.json --resume s.h5 --end 0.5 --save-state e.h5");
    EXPECT_NE(said.find("has changed since this state was saved (masses or supports)"),
              std::string::npos)
        << said;
    const State before = state("s.h5");
    const State after = state("e.h5");
    const auto dof = 2 * static_cast<std::size_t>(links);
    ASSERT_GT(std::abs(before.p[dof + 1]), 0.05) << links;  // it moved until then
    for (const std::size_t i : {dof, dof + 1}) {
      EXPECT_EQ(after.q[i], before.q[i]) << links;
      EXPECT_EQ(after.p[i], 0.0) << links;
    }
    EXPECT_GT(std::abs(after.q[dof - 1] - before.q[dof - 1]), 1e-4) << links;  // the others go on
  }
}

std::string thrown(const std::string& spring) {
  return R"({ "dimension": 1, "nodes": [ { "id": 1, "x": 0, "mass": 1, "fixed": true },
    { "id": 2, "x": 1, "v": 4, "mass": 1 } ],
    "springs": [ { "i": 1, "j": 2, "k": 100, "law": "linear", )" +
         spring + " } ] }";
}

// Closed form: free flight after the break.
TEST_F(LatticeBegin, ABrokenSpringStaysBrokenWithoutItsLimit) {
  write("limit.json", thrown(R"("d": 1, "break_elongation": 0.1)"));
  write("plain.json", thrown(R"("d": 1)"));
  run("limit.json --end 0.1 --dt 1e-3 --save-state s.h5");
  run("plain.json --resume s.h5 --end 0.2 --save-state e.h5");
  ASSERT_EQ(state("s.h5").memory.broken[0], 1);
  EXPECT_EQ(state("e.h5").memory.broken[0], 1);
  EXPECT_NEAR(state("e.h5").q[1], state("s.h5").q[1] + 0.1 * state("s.h5").p[1], tolerance(1e-12));
}

// Truth: equality of every bit with the run that was not cut.
TEST_F(LatticeBegin, CurrentReferencesAreThoseOfTheFirstRun) {
  write("m.json", R"({ "dimension": 2, "gravity": 9.81, "nodes": [
    { "id": 1, "x": [0, 0], "mass": 1, "fixed": true }, { "id": 2, "x": [1, 0], "mass": 1 },
    { "id": 3, "x": [2, 0.5], "v": [0, 1], "mass": 1 } ], "springs": [
    { "i": 1, "j": 2, "k": 100, "law": "linear", "d": "current" },
    { "i": 2, "j": 3, "k": 100, "law": "linear", "d": 1 } ],
    "rotational_springs": [ { "a": 1, "b": 2, "k": 8, "angle": "current" } ] })");
  run("m.json --dt 1e-3 --end 0.2 --save-state whole.h5");
  run("m.json --dt 1e-3 --end 0.1 --save-state half.h5");
  EXPECT_EQ(run("m.json --resume half.h5 --end 0.15 --save-state two.h5"), "");
  EXPECT_EQ(run("m.json --resume two.h5 --end 0.2 --save-state three.h5"), "");
  EXPECT_TRUE(state("whole.h5") == state("three.h5"));
  // the state of an earlier version does not tell them
  write_state(state("half.h5"), {}, femflex.file("old.h5"));
  const std::string said = run("m.json --resume old.h5 --end 0.2");
  EXPECT_NE(said.find("does not tell the lengths and angles that are \"current\""),
            std::string::npos)
      << said;
}

// Truth: the moved node stands at 1 m since t = 1 s, and its spring of 3 m is at rest.
TEST_F(LatticeBegin, TheEquilibriumIsThatOfTheStartTime) {
  write("m.json", R"({ "dimension": 1, "start": "equilibrium", "start_time": 1, "nodes": [
    { "id": 1, "x": 0, "mass": 1 }, { "id": 2, "x": 3, "mass": 1 } ],
    "springs": [ { "i": 1, "j": 2, "k": 100, "law": "linear", "d": 3 } ],
    "motions": [ { "node": 1, "axis": "x", "displacement": "t < 1 ? t : 1" } ]
})");
  run("m.json --end 1.1 --dt 0.01 --save-state e.h5");
  EXPECT_NEAR(state("e.h5").q[0], 1.0, tolerance(1e-15));
  EXPECT_NEAR(state("e.h5").q[1], 4.0, tolerance(1e-12));
}

// Truth: half of the weight is 4.9 N, more than one of the two springs can bear.
TEST_F(LatticeBegin, SpringsThatBreakOnTheWayToItAreTold) {
  write("m.json", R"({ "dimension": 2, "gravity": 9.81, "start": "equilibrium", "nodes": [
    { "id": 1, "x": [0, 0], "mass": 1, "fixed": true },
    { "id": 2, "x": [0, 0.5], "mass": 1, "fixed": true }, { "id": 3, "x": [0, -1], "mass": 1 } ],
    "springs": [ { "i": 1, "j": 3, "k": 1000, "law": "linear", "d": 1 },
    { "i": 2, "j": 3, "k": 1000, "law": "linear", "d": 1.5, "break_force": 1 } ] })");
  const std::string said = run("m.json --end 0.1 --dt 0.001 --save-state e.h5");
  EXPECT_NE(said.find("1 spring broke on the way to the equilibrium"), std::string::npos) << said;
  EXPECT_EQ(state("e.h5").memory.broken[1], 1);
}

}  // namespace
}  // namespace femflex::tools
