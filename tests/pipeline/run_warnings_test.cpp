// Tests what a run must report to the user: warnings with codes, and errors with one cause, one
// time and a remedy.
#include <cmath>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "femflex/importer/fe_model_file.h"

#include "problems.h"
#include "program.h"

namespace femflex::testing {
namespace {

using tools::Json;

const char* const kPendulum = R"json({ "femflex": 1, "name": "pendulum", "gravity": [0, 0, -9.81],
  "parameters": { "mass": 2, "kick": 0 },
  "bodies": { "bar": { "rigid": { "mass": "=mass", "inertia": [0.1, 0.1, 0.1, 0, 0, 0] },
                       "at": [0.5, 0, 0] } },
  "joints": { "hinge": { "type": "revolute", "a": "ground", "b": "bar", "at": [0, 0, 0], "axis": [0, 1, 0] } },
  "forces": { "push": { "type": "force", "on": "bar", "value": ["kick", 0, 0] } },
  "analyses": [ { "type": "dynamic", "end": 1, "step": 1e-3, "output_step": 0.01 } ],
  "outputs": [ "hinge/angle", "energy" ] })json";

class RunWarnings : public ::testing::Test {
 protected:
  void SetUp() override { write_text(femflex_.file("p.json"), kPendulum); }

  std::set<std::string> codes(const std::string& words) const {
    const Json document = femflex_.json("simulate p.json -o p.h5 " + words);
    std::set<std::string> found;
    const Json* warnings = document.find("warnings");
    if (warnings == nullptr) return {document.dump_line()};
    for (const Json& warning : warnings->items())
      found.insert(warning.find("code")->text());
    return found;
  }
  // Runs a system that must fail; returns its one line of error.
  std::string refusal(const std::string& words, int exit_code) const {
    const CommandResult result = femflex_("simulate p.json -o p.h5 " + words);
    EXPECT_EQ(result.exit_code, exit_code) << words << result.out << result.err;
    return result.err;
  }
  static std::size_t times_in(const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find("t = "); at != std::string::npos;
         at = text.find("t = ", at + 1))
      ++count;
    return count;
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
  static std::string motion(const std::string& angle) {
    return "--set 'motions={\"drive\":{\"joint\":\"hinge\",\"angle\":\"" + angle + "\"}}' ";
  }

  Program femflex_;
};

// Truth: the step in the file is short enough for the pendulum; a fifteenth of a period is not.
TEST_F(RunWarnings, EnergyThatDriftsIsSaidAndASoundRunIsSilent) {
  EXPECT_EQ(codes(""), std::set<std::string>{});
  EXPECT_EQ(codes("--integrator runge-kutta"), std::set<std::string>{});
  EXPECT_TRUE(codes("--step 0.1 --output-step 0.1 --end 3").contains("energy-drift"));
}

// Truth: none of these steps follows the pendulum, so each run drifts; the first speaks for all.
TEST_F(RunWarnings, OfManyRunsAreToldOnceWithTheNumberOfTheOthers) {
  const auto told = [&](const std::string& steps) {
    return femflex_("study p.json --vary analyses.0.step=" + steps +
                    " --sample grid --set analyses.0.output_step=0 --end 3 "
                    "--measure max:hinge/angle -o s.h5")
        .err;
  };
  EXPECT_TRUE(has(told("0.1,0.12"), "; one more run warns of the same")) << told("0.1,0.12");
  EXPECT_TRUE(has(told("0.1,0.11,0.12"), "; 2 more runs warn of the same"));
}

// Truth: the preload carries the weight but for 1e-12 of it, so the block moves by 1e-14 m and its
// energies are round-off. With a tenth of the weight missing it swings, and a step of a whole
// period does not follow it.
TEST_F(RunWarnings, ABlockThatRestsOnItsPreloadDoesNotDrift) {
  write_text(femflex_.file("p.json"),
             R"json({ "gravity": [0, 0, -9.81], "parameters": { "missing": 1e-12 },
    "bodies": { "block": { "rigid": { "mass": 2000, "inertia": [100, 100, 100, 0, 0, 0] } } },
    "joints": { "guide": { "type": "prismatic", "a": "ground", "b": "block", "axis": [0, 0, 1] } },
    "forces": { "mount": { "type": "bushing", "a": "ground", "b": "block", "stiffness": [0, 0, 1e6, 0, 0, 0],
                           "preload": [0, 0, "=2000*9.81*(1 - missing)", 0, 0, 0] } },
    "outputs": [ "energy" ], "analyses": [ { "type": "dynamic", "end": 3, "step": 0.1 } ] })json");
  for (const std::string integrator : {"generalised-alpha", "runge-kutta", "bdf"}) {
    const std::set<std::string> found = codes("--integrator " + integrator);
    const bool is_absent =
        integrator == "bdf" && found.size() == 1 && has(*found.begin(), "no-bdf");
    EXPECT_TRUE(is_absent || found.empty()) << integrator << (found.empty() ? "" : *found.begin());
  }
  EXPECT_TRUE(
      codes("--set parameters.missing=0.1 --step 0.3 --output-step 0.3").contains("energy-drift"));
}

TEST_F(RunWarnings, StepsThatDoNotFitTheRowsOrTheRunAreSaid) {
  EXPECT_TRUE(codes("--step 3e-3").contains("step-rows"));
  EXPECT_TRUE(codes("--step 10").contains("step-rows"));
}

// Truth: the deflection F L^3 / 48 EI of the block is a fifth of its length. The period of its
// first mode is 5e-3 s.
TEST_F(RunWarnings, StepsTooCoarseForModesAndBendingBeyondLinearShapesAreSaid) {
  FeModel block = brick_block(8, 1, 1, 1.0, 0.05, 0.05);
  block.interface_nodes = {1, 10, 19, 28};  // the corners of one end face
  importer::write_fe_model(block, femflex_.file("block.fe.h5"));
  const CommandResult made = femflex_(
      "reduce block.fe.h5 --method craig-bampton --normal 4 --orthogonalise --scale -o block.fbm");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const auto system = [&](const char* force, const char* step) {
    write_text(femflex_.file("p.json"),
               std::string(R"({ "bodies": { "block": { "flex": "block.fbm", "damping": 0.05 } },
      "joints": { "weld": { "type": "fixed", "a": "ground", "b": "block" } },
      "forces": { "push": { "type": "force", "on": "block/)") +
                   std::to_string(block.nodes.back().id) + R"(", "value": [0, 0, )" + force +
                   R"(] } }, "analyses": [ { "type": "dynamic", "end": 0.02, "step": )" + step +
                   " } ] }");
    return codes("");
  };
  EXPECT_EQ(system("10", "1e-6"), std::set<std::string>{});
  EXPECT_TRUE(system("10", "2e-3").contains("step-coarse"));
  EXPECT_TRUE(system("1e7", "1e-6").contains("large-deformation"));
}

TEST_F(RunWarnings, AMotionThatJumpsOrRacesIsSaid) {
  EXPECT_TRUE(codes(motion("step(t, 0.5)")).contains("motion-jumps"));
  EXPECT_TRUE(codes(motion("1000*t") + "--set analyses.0.assemble=true").contains("motion-fast"));
  EXPECT_EQ(codes(motion("0.1*t^2")), std::set<std::string>{});
}

TEST_F(RunWarnings, AForceThatJumpsWithASpeedIsSaid) {
  const std::string friction =
      "--set 'forces.rub={\"type\":\"torque\",\"on\":\"bar\",\"value\":[0,\"-SIGN\",0]}' ";
  const auto with = [&](const std::string& law) {
    std::string text = friction;
    return text.replace(text.find("SIGN"), 4, law);
  };
  EXPECT_TRUE(codes(with("sign([hinge/angle_rate])")).contains("force-jumps"));
  EXPECT_FALSE(codes(with("tanh([hinge/angle_rate]/0.1)")).contains("force-jumps"));
  EXPECT_FALSE(
      codes(with("sign([hinge/angle_rate])*[hinge/angle_rate]^2")).contains("force-jumps"));
}

// Truth: the derivatives of t^(1/2) and t^(3/2) at 0.
TEST_F(RunWarnings, AMotionWithoutAFiniteRateOrAccelerationIsNamed) {
  for (const char* integrator : {"generalised-alpha", "runge-kutta"}) {
    const std::string with = std::string(" --integrator ") + integrator;
    const std::string root = refusal(motion("sqrt(t)") + with, 2);
    EXPECT_TRUE(has(root, "motion drive: the rate of 'sqrt(t)' is not finite at t = 0 s")) << root;
    const std::string power = refusal(motion("abs(t)^1.5") + with, 2);
    EXPECT_TRUE(has(power, "motion drive: the acceleration of")) << power;
  }
}

TEST_F(RunWarnings, AStepThatFailsNamesOneTime) {
  const std::string said =
      refusal("--set 'forces.push.value=[\"sqrt(0.31 - t)\",0,0]' --integrator runge-kutta", 3);
  EXPECT_EQ(times_in(said), 1U) << said;
}

TEST_F(RunWarnings, ParametersThatAreNotThereAreRefusedWithTheNearest) {
  const std::string said = refusal("--set parameters.mas=3", 2);
  EXPECT_TRUE(has(said, "there is no parameter 'mas'; did you mean 'mass'?")) << said;
  const std::string own = refusal("--set parameters.kick==kik*2", 2);
  EXPECT_TRUE(has(own, "there is no parameter 'kik'")) << own;
}

TEST_F(RunWarnings, NumbersBelowZeroAreRefusedByName) {
  for (const char* option : {"--end -1", "--step -1e-3", "--step 0", "--output-step -5"}) {
    const std::string said = refusal(option, 2);
    EXPECT_TRUE(has(said, "is not above 0")) << option << said;
  }
  EXPECT_TRUE(has(refusal("--set analyses.0.max_order=-5", 2), "whole number"));
  EXPECT_TRUE(has(refusal("--set analyses.0.max_step=-1", 2), "max_step"));
}

// Truth: 1e12 rows of 6 numbers are 48 TB.
TEST_F(RunWarnings, RowsThatNoDiskHoldsAreRefusedBeforeTheFirst) {
  const std::string said = refusal("--output-step 1e-9 --step 1e-9 --end 1e3", 2);
  EXPECT_TRUE(has(said, "rows")) << said;
  EXPECT_FALSE(femflex_.has("p.h5"));
}

// Truth: a mass five times as large makes a different model; a load does not.
TEST_F(RunWarnings, ARestartKnowsWhenTheModelHasChanged) {
  ASSERT_EQ(codes("--end 0.2 --keep-states"), std::set<std::string>{});
  const auto restart = [&](const std::string& words) {
    return femflex_("simulate p.json -o rest.h5 --restart p.h5 " + words);
  };
  EXPECT_EQ(restart("").exit_code, 0);
  EXPECT_EQ(restart("--set parameters.kick=3").exit_code, 0);
  const CommandResult refused = restart("--set parameters.mass=10");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(has(refused.err, "body bar: mass is 10, was 2")) << refused.err;
  EXPECT_TRUE(has(refused.err, "--allow-changes")) << refused.err;
  const CommandResult moved = restart("--set 'joints.hinge.at=[0.1,0,0]'");
  EXPECT_TRUE(has(moved.err, "joint hinge: at is")) << moved.err;
  const CommandResult allowed = restart("--set parameters.mass=10 --allow-changes");
  EXPECT_EQ(allowed.exit_code, 0) << allowed.err;
  EXPECT_TRUE(has(allowed.err, "body bar: mass is 10, was 2")) << allowed.err;
}

// Truth: a massless slider carries no force along its rail.
TEST_F(RunWarnings, ARigidBodyMayHaveNoMassWhereJointsHoldIt) {
  const std::string with =
      "--set 'bodies.slider={\"rigid\":{\"mass\":0}}' "
      "--set "
      "'joints.rail={\"type\":\"prismatic\",\"a\":\"ground\",\"b\":\"slider\",\"axis\":[1,0,0]}' "
      "--set 'joints.hinge.a=\"slider\"' --set 'outputs=[\"bar/position\"]'";
  EXPECT_EQ(codes(with), std::set<std::string>{});
  const std::string loose = refusal("--set 'bodies.loose={\"rigid\":{\"mass\":0}}'", 2);
  EXPECT_TRUE(has(loose, "body loose has no mass in a direction that nothing holds")) << loose;
  EXPECT_TRUE(has(loose, "give it a mass")) << loose;
}

// Truth: each analysis goes on where the one before it ended: a run of 1 s, the equilibrium, then 1
// s of rest. The hinge turns about y, and its bar hangs down at pi/2.
TEST_F(RunWarnings, AnEquilibriumGoesOnWhereTheRunEnded) {
  const std::string hanging =
      "simulate p.json -o p.h5 --csv p.csv --set 'analyses=[{\"type\":\"dynamic\",\"end\":1},"
      "{\"type\":\"static\"TIME},{\"type\":\"dynamic\",\"end\":2}]'";
  const auto run = [&](const std::string& time) {
    std::string words = hanging;
    words.replace(words.find("TIME"), 4, time);
    return femflex_(words);
  };
  const CommandResult good = run("");
  ASSERT_EQ(good.exit_code, 0) << good.err;
  const std::string csv = read_text(femflex_.file("p.csv"));
  const std::string last = csv.substr(csv.rfind('\n', csv.size() - 2) + 1);
  EXPECT_NEAR(std::stod(last), 2.0, 1e-9);
  EXPECT_NEAR(std::abs(std::stod(last.substr(last.find(',') + 1))), 0.5 * 3.14159265358979, 1e-6);
  EXPECT_TRUE(has(run(",\"time\":0.5").err, "the one before it goes to 1 s"));
}

}  // namespace
}  // namespace femflex::testing
