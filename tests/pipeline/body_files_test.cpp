// Tests body files at the command line: the verdict of compare, and the output of convert and info.
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "program.h"

namespace femflex::tools {
namespace {

using testing::CommandResult;
using testing::dms;
using testing::Program;

/// Makes a body of the double mass-spring with the `options` of reduce, as NAME.fbm in the folder
/// of the program.
void make_body(const Program& program, const std::string& name, const std::string& options) {
  if (!program.has("dms.fe.h5")) {
    const CommandResult imported =
        program("import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") + " " + dms("dms.op2") +
                " --units m-kg-s --name dms -o dms.fe.h5");
    ASSERT_EQ(imported.exit_code, 0) << imported.err;
  }
  const CommandResult reduced =
      program("reduce dms.fe.h5 --select dynamic:1-2 " + options + " -o " + name + ".fbm");
  ASSERT_EQ(reduced.exit_code, 0) << reduced.err;
}

std::string verdict_of(Json document, const std::string& aspect) {
  for (Json item : document["aspects"].items())
    if (item["name"].text() == aspect) return item["verdict"].text();
  return "none";
}

TEST(BodyFiles, CompareFailsWhereDampingOrScaleDiffers) {
  const Program program;
  make_body(program, "a", "--damping 0.02");
  make_body(program, "b", "--damping 20%");
  const CommandResult other = program("compare a.fbm b.fbm");
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_NE(other.out.find("damping"), std::string::npos);
  EXPECT_EQ(verdict_of(program.json("compare a.fbm b.fbm"), "damping"), "differs");
  EXPECT_EQ(verdict_of(program.json("compare a.fbm b.fbm"), "invariant 9"), "same");
  EXPECT_EQ(program("compare a.fbm a.fbm").exit_code, 0);
}

// Content that a format does not support is reported. Nodes are matched by their numbers, which
// femflex's files for Exudyn keep.
TEST(BodyFiles, CompareSaysWhatAFormatCannotHold) {
  const Program program;
  make_body(program, "a", "--damping 0.02");
  for (const char* name : {"a.npz", "a.hdf5"}) {
    ASSERT_EQ(program("convert a.fbm " + std::string(name)).exit_code, 0);
    const CommandResult compared = program("compare a.fbm " + std::string(name));
    EXPECT_EQ(compared.exit_code, 0) << compared.out;
    const Json document = program.json("compare a.fbm " + std::string(name));
    for (const char* aspect : {"damping", "back-transformation"})
      EXPECT_EQ(verdict_of(document, aspect), "not held") << aspect;
    EXPECT_EQ(verdict_of(document, "node ids"), "none");
    EXPECT_EQ(verdict_of(document, "shapes"), "same");
  }
}

TEST(BodyFiles, ADampingRatioAboveOneIsRefusedWithTheRemedy) {
  const Program program;
  make_body(program, "a", "--damping 2%");
  const CommandResult refused =
      program("reduce dms.fe.h5 --select dynamic:1-2 --damping 35 -o b.fbm");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("write 0.35 or 35%"), std::string::npos) << refused.err;
  EXPECT_FALSE(program.has("b.fbm"));
}

TEST(BodyFiles, AnUnknownEndingIsAnsweredByEndings) {
  const Program program;
  make_body(program, "a", "--damping 0.02");
  const CommandResult refused = program("convert a.fbm a.gltf");
  EXPECT_EQ(refused.exit_code, 2);
  for (const char* ending : {".glb", ".fem", ".sid_fem", ".dads"})
    EXPECT_NE(refused.err.find(ending), std::string::npos) << refused.err;
}

// Truth: the original body. The mass at node 1 is fixed, so a bracket joint connects node 1 to the
// ground.
TEST(BodyFiles, ABodyBecomesAFormattedInputThatInfoTellsAndSimulateRuns) {
  const Program program;
  make_body(program, "a", "--damping \"1:0.35,2:0.25\"");
  const CommandResult written = program("convert a.fbm a.dads");
  ASSERT_EQ(written.exit_code, 0) << written.err;
  Json file = program.json("info a.dads")["files"].items().at(0);
  EXPECT_EQ(file["format"].text(), "formatted DADS input");
  EXPECT_EQ(file["bodies"].number(), 2.0);
  EXPECT_EQ(file["joints"].number(), 1.0);
  Json flexible = file["flexible"].items().at(0);
  EXPECT_EQ(flexible["nodes"].number(), 3.0);
  EXPECT_EQ(flexible["modes"].number(), 2.0);
  EXPECT_EQ(flexible["damping_ratios"].items().at(0).number(), 0.35);
  EXPECT_NEAR(flexible["mass"].number(), 10.0, 1e-6);
  // sqrt(4 -+ 2 sqrt 2) / (2 pi) from m and k with seven digits
  const auto hz = file["modes"].items().at(0)["frequencies_hz"].items();
  const double turn = 2.0 * std::numbers::pi;
  EXPECT_NEAR(hz.at(0).number(), std::sqrt(4.0 - 2.0 * std::numbers::sqrt2) / turn, 1e-6);
  EXPECT_NEAR(hz.at(1).number(), std::sqrt(4.0 + 2.0 * std::numbers::sqrt2) / turn, 1e-6);
  const CommandResult run = program("simulate a.dads -o a.h5");
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST(BodyFiles, InfoTellsWhatThePublishedInputHolds) {
  const Program program;
  Json file = program.json("info " + dms("dms.dads"))["files"].items().at(0);
  EXPECT_EQ(file["title"].text(), "DOUBLE MASS-SPRING, UNIT FORCE ON MASS 2");
  EXPECT_EQ(file["end_time"].number(), 15.0);
  EXPECT_EQ(file["forces"].number(), 1.0);
  const CommandResult shown = program("info " + dms("dms.dads"));
  EXPECT_NE(shown.out.find("DMSSFLEX"), std::string::npos) << shown.out;
}

}  // namespace
}  // namespace femflex::tools
