// Tests lattices that can be computed but are probably mistakes, which are reported with their
// place. Hinges between springs without a common node are refused.
#include <gtest/gtest.h>

#include "lattice/lattice_memory.h"
#include "program.h"

namespace femflex::tools {
namespace {

using testing::Program;

/// Three nodes of a right angle, the first fixed; one spring per line from line 4.
std::string corner(const std::string& springs, const std::string& more = {}) {
  return R"({ "dimension": 2, "end": 0.1, "nodes": [ { "id": 1, "x": [0, 0], "mass": 1, "fixed": true },
  { "id": 2, "x": [1, 0], "mass": 1 }, { "id": 3, "x": [1, 1], "mass": 1 } ],
"springs": [
)" + springs +
         "\n]" + more + " }";
}

constexpr const char* kSound = R"({ "i": 1, "j": 2, "k": 9 },
{ "i": 2, "j": 3, "k": 9 })";

class LatticeDoubts : public ::testing::Test {
 protected:
  std::string said(const std::string& text) {
    testing::write_text(femflex.file("w.json"), text);
    const auto result = femflex("lattice w.json");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.err;
  }
  void told(const std::string& text, const std::vector<std::string>& parts) {
    const std::string err = said(text);
    EXPECT_EQ(testing::line_count(err), 1U) << err;
    for (const std::string& part : parts)
      EXPECT_NE(err.find(part), std::string::npos) << part << " in " << err;
  }
  void refused(const std::string& text, const std::vector<std::string>& parts) {
    testing::write_text(femflex.file("w.json"), text);
    const auto result = femflex("lattice w.json");
    EXPECT_EQ(result.exit_code, 2) << result.out;
    for (const std::string& part : parts)
      EXPECT_NE(result.err.find(part), std::string::npos) << part << " in " << result.err;
  }
  Program femflex;
};

TEST_F(LatticeDoubts, ASpringDefinedTwiceIsToldWithBothPlaces) {
  EXPECT_EQ(said(corner(kSound)), "");
  for (const char* again : {R"({ "i": 1, "j": 2, "k": 9 })",
                            R"({ "i": 2, "j": 1, "k": 9 })",
                            R"({ "i": 1, "j": 2, "k": 4, "d": 0.9 })"})
    told(corner(std::string(kSound) + ",\n" + again),
         {"w.json:6", "joins the nodes of spring 1 (line 4)", "both count", "the sum"});
  // parallel springs with different laws or limits are assumed to be intended
  for (const char* other : {R"({ "i": 1, "j": 2, "k": 9, "law": "linear" })",
                            R"({ "i": 1, "j": 2, "k": 9, "tension_only": true })",
                            R"({ "i": 1, "j": 2, "k": 9, "break_force": 1e9 })",
                            R"({ "i": 1, "j": 2, "k": 0, "damping": 1 })"})
    EXPECT_EQ(said(corner(std::string(kSound) + ",\n" + other)), "") << other;
}

TEST_F(LatticeDoubts, AHingeNeedsTwoSpringsThatMeet) {
  const auto with_hinge = [&](const std::string& hinge) {
    return R"({ "dimension": 2, "end": 0.1, "nodes": [ { "id": 1, "x": [0, 0], "mass": 1, "fixed": true },
  { "id": 2, "x": [1, 0], "mass": 1 }, { "id": 3, "x": [1, 1], "mass": 1 }, { "id": 4, "x": [0, 1], "mass": 1 } ],
"springs": [ { "i": 1, "j": 2, "k": 9 }, { "i": 3, "j": 4, "k": 9 }, { "i": 2, "j": 3, "k": 9 } ],
"rotational_springs": [ { "a": 1, "b": 3, "k": 1 },
  )" + hinge +
           "] }";
  };
  refused(with_hinge(R"({ "a": 1, "b": 2, "k": 1 })"),
          {"w.json:5", "spring 1 (1-2) and spring 2 (3-4) share no node", "meet in a node"});
  told(with_hinge(R"({ "a": 3, "b": 1, "k": 1 })"),
       {"w.json:5", "rotational spring 2 joins the springs of rotational spring 1 (line 4)"});
  EXPECT_EQ(said(with_hinge(R"({ "a": 2, "b": 3, "k": 1 })")), "");
}

TEST_F(LatticeDoubts, SpringsWithoutLengthAreTold) {
  const auto at_one_place = [](const std::string& spring) {
    return R"({ "dimension": 2, "end": 0.1, "nodes": [ { "id": 1, "x": [0, 0], "mass": 1, "fixed": true },
  { "id": 2, "x": [0, 0], "mass": 1 } ], "springs": [
  { "i": 1, "j": 2, "k": 9, "law": "linear")" +
           spring + " } ] }";
  };
  told(at_one_place(R"(, "d": 0)"),
       {"w.json:3", "nodes 1 and 2 are at the same position", "length 0"});
  told(at_one_place(""), {"w.json:3", "nodes 1 and 2 are at the same position"});
  told(at_one_place(R"(, "d": 1)"), {"w.json:3", "no direction to push in"});
  refused(R"({ "dimension": 2, "nodes": [ { "id": 1, "x": [0, 0], "mass": 1, "fixed": true },
  { "id": 2, "x": [0, 0], "mass": 1 }, { "id": 3, "x": [1, 0], "mass": 1 } ], "springs": [
  { "i": 1, "j": 2, "k": 9, "d": 0 }, { "i": 2, "j": 3, "k": 9 } ],
  "rotational_springs": [ { "a": 1, "b": 2, "k": 1 } ] })",
          {"w.json:4", "spring 1 (1-2) has no length at the start"});
}

TEST_F(LatticeDoubts, NodesThatNothingHoldsAreTold) {
  told(corner(R"({ "i": 1, "j": 2, "k": 9 })"), {"no spring joins node 3"});
  told(corner(""), {"there are no springs"});
  EXPECT_EQ(said(corner(R"({ "i": 1, "j": 2, "k": 9 })",
                        R"(, "loads": [ { "node": 3, "force": [1, 0] } ])")),
            "");
}

TEST_F(LatticeDoubts, WhatDoesNothingIsTold) {
  told(corner(std::string(kSound) + ",\n" + R"({ "i": 1, "j": 3, "k": 0 })"),
       {"w.json:6", "spring 3 (1-3) has neither stiffness nor damping"});
  told(corner(kSound, R"(, "R": { "k": 1, "x": [1, 1] })"), {"R acts with its ports alone"});
}

TEST_F(LatticeDoubts, TimesThatDoNotFitAreNamed) {
  testing::write_text(femflex.file("w.json"), corner(kSound));
  const auto says = [&](const std::string& words, int exit_code, const std::string& part) {
    const auto result = femflex("lattice w.json " + words);
    EXPECT_EQ(result.exit_code, exit_code) << words << ": " << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << words << ": " << result.err;
  };
  says("--end 0", 2, "--end is 0 s, and the run starts at 0 s");
  says("--statics --load-steps 2000000", 2, "--load-steps is 2000000");
  says("--dt 0.003 --output-step 0.01 --end 0.3", 0, "a row comes every 0.009 s");
}

// Truth: the memory of a machine is finite.
TEST_F(LatticeDoubts, LatticesBeyondTheMemoryAreForecast) {
  for (
      const char* recipe :
      {R"("generate": { "type": "block", "nodes": [1000, 1000, 100], "size": [1, 1, 1], "k": 1 })",
       R"("generate": { "type": "frame", "cells": [90000, 90000, 90000], "size": [1, 1, 1], "thickness": 50, "k": 1 })"}) {
    testing::write_text(femflex.file("w.json"), std::string("{\n") + recipe + ", \"end\": 1 }");
    const auto result = femflex("lattice w.json");
    EXPECT_EQ(result.exit_code, 3) << result.err;
    for (const char* part : {"w.json:2", "nodes and", "springs need about", "GB are free"})
      EXPECT_NE(result.err.find(part), std::string::npos) << part << " in " << result.err;
  }
  EXPECT_NO_THROW(require_memory(1000.0, 1000.0, {}));
  EXPECT_THROW(require_memory(1e12, 1e12, {}), NumericalError);
}

}  // namespace
}  // namespace femflex::tools
