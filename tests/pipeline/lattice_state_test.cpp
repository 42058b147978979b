// Tests saved states that no run can have written, and states of other models. Each gives one clear
// error.
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "lattice/run_lattice.h"
#include "program.h"

namespace femflex::tools {
namespace {

using hamiltonian::State;
using testing::Program;

std::string two_masses(double k, int second = 2) {
  return R"({ "dimension": 1, "integrator": "rk4", "nodes": [
    { "id": 1, "x": 0, "mass": 1, "fixed": true }, { "id": )" +
         std::to_string(second) + R"(, "x": 1.2, "mass": 1 } ],
    "springs": [ { "i": 1, "j": )" +
         std::to_string(second) + R"(, "k": )" + std::to_string(k) +
         R"(, "d": 1, "law": "linear" } ] })";
}

class LatticeState : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::write_text(femflex.file("m.json"), two_masses(40.0));
    ASSERT_EQ(femflex("lattice m.json --end 1 --dt 0.01 --save-state s.h5").exit_code, 0);
  }
  testing::CommandResult resumed() { return femflex("lattice m.json --resume s.h5 --end 2"); }
  void refused(const testing::CommandResult& result, const std::string& part) {
    EXPECT_EQ(result.exit_code, 2) << result.out;
    EXPECT_EQ(testing::line_count(result.err), 1U) << result.err;
    EXPECT_NE(result.err.find("s.h5"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << part << " in " << result.err;
  }
  void refused_state(const std::function<void(State&)>& spoil, const std::string& part) {
    State state = read_state(femflex.file("s.h5"));
    const State sound = state;
    spoil(state);
    write_state(state, {}, femflex.file("s.h5"));
    refused(resumed(), part);
    write_state(sound, {}, femflex.file("s.h5"));
  }
  Program femflex;
};

TEST_F(LatticeState, NumbersThatNoRunLeavesAreRefused) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  refused_state([](State& s) { s.step = -5; }, "step: is -5");
  refused_state([](State& s) { s.step = 50; }, "time: is 1 s, and 50 steps of 0.01 s");
  refused_state([](State& s) { s.time = kNan; }, "time: is nan");
  refused_state([](State& s) { s.time = 3.0; }, "time: is 3 s");
  refused_state([](State& s) { s.step_length = -0.01; }, "step_length: is -0.01");
  refused_state([](State& s) { s.last_step = kNan; }, "last_step: is nan");
  refused_state([](State& s) { s.origin = kNan; }, "origin: is nan");
  refused_state([](State& s) { s.q[1] = kNan; }, "/q: entry 2 is nan");
  refused_state([](State& s) { s.p[0] = HUGE_VAL; }, "/p: entry 1 is inf");
  refused_state([](State& s) { s.p.pop_back(); }, "/p: 1 momenta for 2 positions");
  refused_state([](State& s) { s.history = {kNan}; }, "/history: entry 1 is nan");
  refused_state([](State& s) { s.memory.broken[0] = 7; }, "/broken: flag 7 of spring 1");
  refused_state([](State& s) { s.memory.broken.push_back(0); }, "the state of another model");
  refused_state([](State& s) { s.memory.angles.push_back(0.0); }, "the state of another model");
  EXPECT_EQ(resumed().exit_code, 0);
}

TEST_F(LatticeState, AStateKnowsItsModel) {
  EXPECT_EQ(resumed().err, "");
  // the same sizes but other nodes
  testing::write_text(femflex.file("m.json"), two_masses(40.0, 3));
  refused(resumed(), "is the state of another model: its nodes or springs are numbered otherwise");
  // a changed spring is reported, and its new value is used
  testing::write_text(femflex.file("m.json"), two_masses(41.0));
  const auto changed = resumed();
  EXPECT_EQ(changed.exit_code, 0);
  EXPECT_NE(changed.err.find("the model has changed since this state was saved (springs)"),
            std::string::npos)
      << changed.err;
}

TEST_F(LatticeState, APolynomialKnowsItsTerms) {
  testing::write_text(femflex.file("h.txt"), "H = 0.5*[1]^2 + 2*[0]^2\n");
  ASSERT_EQ(femflex("lattice h.txt --initial 1,0 --end 1 --dt 0.01 --save-state s.h5").exit_code,
            0);
  EXPECT_EQ(femflex("lattice h.txt --resume s.h5 --end 2").err, "");
  testing::write_text(femflex.file("h.txt"), "H = 0.5*[1]^2 + 3*[0]^2\n");
  EXPECT_NE(femflex("lattice h.txt --resume s.h5 --end 2").err.find("has changed"),
            std::string::npos);
  refused(resumed(), "the state of another model");
}

TEST_F(LatticeState, EndsAndFilesThatCannotBeAreNamed) {
  const auto early = femflex("lattice m.json --resume s.h5 --end 0.5");
  EXPECT_EQ(early.exit_code, 2);
  EXPECT_NE(early.err.find("the end of the run, 0.5 s, lies before its start at 1 s"),
            std::string::npos)
      << early.err;
  const std::string whole = testing::read_text(femflex.file("s.h5"));
  testing::write_text(femflex.file("s.h5"), whole.substr(0, whole.size() / 2));
  refused(resumed(), "s.h5");
  testing::write_text(femflex.file("s.h5"), "noise");
  refused(resumed(), "s.h5");
}

}  // namespace
}  // namespace femflex::tools
