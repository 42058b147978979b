// Tests full FE models as bodies of a simulation.
#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/importer/fe_model_file.h"

#include "problems.h"
#include "program.h"
#include "results/results_file.h"

namespace femflex::testing {
namespace {

constexpr const char* kSwing = R"json({
  "femflex": 1, "name": "swing", "units": "m-kg-s", "gravity": [0, 0, -9.81],
  "bodies": { "block": { "flex": "block.fbm", "model": "block.fe.h5", "damping": "none",
                         "as": "flex", "angular_velocity": [0, 0, 3] } },
  "joints": { "pin": { "type": "spherical", "a": "ground", "b": "block/1" } },
  "forces": { "push": { "type": "force", "on": "block/24", "value": [0, "200*sin(30*t)", 0] } },
  "analyses": [ { "type": "dynamic", "end": 0.1, "step": 2e-4, "output_step": 0.01 } ],
  "outputs": [ "block/24/position", "block/13/position", "block/24/velocity" ],
  "variants": { "full": { "bodies": { "block": { "as": "full" } } } } })json";

/// Writes block.fe.h5, a beam of `pieces` bricks along x, and all.fe.h5, the same beam with all its
/// modes.
void write_block(const Program& femflex, int pieces, int dofs) {
  FeModel block = brick_block(pieces, 1, 1, 1.0, 0.1, 0.1);
  block.name = "block";
  block.units = parse_units("m-kg-s");
  importer::write_fe_model(block, femflex.file("block.fe.h5"));
  ASSERT_EQ(femflex(fmt::format("modes block.fe.h5 --normal {} -o all.fe.h5", dofs)).exit_code, 0);
}

// Truth: a second method for the same equations. A body reduced to all elastic modes, found by
// shift and invert, is compared with the full FE model, split by a dense eigenvalue problem. The
// block swings through large angles.
TEST(FullBody, AFlexibleBodyWithAllItsModesMovesAsTheFullOne) {
  const Program femflex;
  write_block(femflex, 5, 72);  // 66 elastic modes
  write_text(femflex.file("swing.json"), kSwing);
  ASSERT_EQ(femflex("reduce all.fe.h5 --orthogonalise --drop-rigid -o block.fbm").exit_code, 0);
  ASSERT_EQ(femflex("simulate swing.json -o flex.h5").exit_code, 0);
  ASSERT_EQ(femflex("simulate swing.json --variant full -o full.h5").exit_code, 0);
  const tools::Json compared = femflex.json("compare flex.h5 full.h5");
  ASSERT_EQ(compared.find("channels")->items().size(), 9U);
  for (const tools::Json& channel : compared.find("channels")->items())
    EXPECT_LT(channel.find("max")->number(), tolerance(1e-8));  // relative to 1 m and 3 m/s
}

// Truth: two notations of the same body give the same numbers to the last digit.
TEST(FlexibleBodyInASystem, ModesByKindAndDampingOfTrueModesMeanWhatTheirLongFormsMean) {
  const Program femflex;
  write_block(femflex, 2, 36);  // 30 elastic modes
  write_text(femflex.file("swing.json"), kSwing);
  ASSERT_EQ(femflex("reduce all.fe.h5 --drop-rigid -o block.fbm").exit_code, 0);
  const auto simulate = [&](const std::string& body, const std::string& result) {
    const std::string force =
        " --set forces.push.on=block/9 --set 'outputs=[\"block/9/position\"]'";
    return femflex("simulate swing.json" + force + body + " -o " + result).exit_code;
  };
  const auto modes = [](const std::string& list) {
    return " --set 'bodies.block.modes={\"enable\":\"" + list + "\"}'";
  };
  const std::string damping = " --set bodies.block.damping=";
  ASSERT_EQ(simulate(modes("dynamic:7-12") + damping + "true:0.05", "short.h5"), 0);
  ASSERT_EQ(simulate(modes("1-6") + damping + "'{\"true_modes\":[0.05]}'", "long.h5"), 0);
  ASSERT_EQ(simulate(modes("dynamic"), "all.h5"), 0);
  const tools::Json same = femflex.json("compare short.h5 long.h5");
  for (const tools::Json& channel : same.find("channels")->items())
    EXPECT_EQ(channel.find("max")->number(), 0.0);
  double largest = 0.0;
  const tools::Json other = femflex.json("compare short.h5 all.h5");
  for (const tools::Json& channel : other.find("channels")->items())
    largest = std::max(largest, channel.find("max")->number());
  EXPECT_GT(largest, 1e-9);  // the motion differs, because there are fewer modes and damping
  EXPECT_EQ(simulate(modes("static"), "none.h5"), 2);
}

// A fixed body without modes cannot follow a prescribed motion of its tip; with modes it can.
TEST(FlexibleBodyInASystem, WhoseModesAreDisabledWhileAMotionDrivesThemIsNamed) {
  const Program femflex;
  write_block(femflex, 2, 36);
  ASSERT_EQ(femflex("reduce all.fe.h5 --orthogonalise --drop-rigid -o block.fbm").exit_code, 0);
  write_text(femflex.file("driven.json"), R"json({
    "femflex": 1, "units": "m-kg-s",
    "bodies": { "block": { "flex": "block.fbm" } },
    "joints": { "pin": { "type": "fixed", "a": "ground", "b": "block" } },
    "motions": { "drive": { "on": "block/9", "z": "0.1*t^2 + 0.01*t" } },
    "analyses": [ { "type": "dynamic", "end": 0.01, "step": 1e-4 } ] })json");
  const auto run = [&](const std::string& more) {
    return femflex("simulate driven.json -o driven.h5 " + more);
  };
  EXPECT_EQ(run("--set motions.drive.z=0").exit_code, 0);
  const CommandResult refused = run("--set 'bodies.block.modes={\"disable\": \"1-30\"}'");
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_NE(refused.err.find("or enable the disabled modes of block"), std::string::npos)
      << refused.err;
  EXPECT_EQ(run("--set 'bodies.block.modes={\"disable\": 30}'").exit_code, 0);
}

// Truth: the same run without interruption, bit for bit.
TEST(Analyses, TwoDynamicOnesInARowAreOneRun) {
  const Program femflex;
  const std::string head = R"json({
    "femflex": 1, "gravity": [0, 0, -9.81],
    "bodies": { "a": { "rigid": { "mass": 1, "com": [0.5, 0, 0], "inertia": [0.01, 0.1, 0.1] } } },
    "joints": { "pin": { "type": "universal", "a": "ground", "b": "a", "axis": [0, 1, 0],
                         "axis_b": [0, 0, 1] } },
    "outputs": [ "a/position", "a/velocity", "a/orientation" ], "analyses": [)json";
  const auto to = [](const char* end) {
    return std::string(R"({ "type": "dynamic", "step": 1e-3, "output_step": 0.01, "end": )") + end +
           "}";
  };
  write_text(femflex.file("one.json"), head + to("0.5") + "] }");
  write_text(femflex.file("two.json"), head + to("0.2") + ", " + to("0.5") + "] }");
  ASSERT_EQ(femflex("simulate one.json -o one.h5").exit_code, 0);
  ASSERT_EQ(femflex("simulate two.json -o two.h5").exit_code, 0);
  const tools::ResultSeries one = tools::read_results(femflex.file("one.h5"));
  const tools::ResultSeries two = tools::read_results(femflex.file("two.h5"));
  ASSERT_EQ(one.values.rows(), 51);
  EXPECT_EQ(one.time, two.time);
  EXPECT_EQ(one.values, two.values);
}

}  // namespace
}  // namespace femflex::testing
