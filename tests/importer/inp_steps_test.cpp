// Tests what the steps of CalculiX decks make of loads: amplitudes, supports that move,
// temperatures.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/importer/read_contents.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::TemporaryFolder;
using testing::tolerance;
using testing::write_text;

/// A cube of one brick whose material is at `elastic`, with the lines `text`.
FileContents cube_with(const std::string& text,
                       Diagnostics& diagnostics,
                       const std::string& elastic = "1e11,0.3\n") {
  const TemporaryFolder folder;
  write_text(folder / "run.inp",
             "*NODE,NSET=NALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n"
             "8,0,1,1\n*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n*MATERIAL,NAME=M\n"
             "*ELASTIC\n" +
                 elastic + "*DENSITY\n7850.\n*SOLID SECTION,ELSET=E,MATERIAL=M\n" + text);
  return read_contents(folder / "run.inp", {}, diagnostics);
}

bool warns(const Diagnostics& diagnostics, const std::string& code) {
  for (const Warning& warning : diagnostics.warnings())
    if (warning.code == code) return true;
  return false;
}

/// The force along x in each step.
std::map<std::int64_t, double> forces_of(const FileContents& contents) {
  std::map<std::int64_t, double> out;
  for (const RawForce& force : contents.loads.forces)
    out[force.set] += force.value[0];
  return out;
}

// Truth: as many forces as nodes times steps.
TEST(InpSteps, LoadsOnAllNodesInEachOfManyStepsAreRead) {
  std::string text = "*STEP\n*STATIC\n";
  for (int k = 0; k < 30000; ++k)
    text += "*CLOAD\nNALL,3,-1.\n";
  Diagnostics diagnostics;
  const FileContents contents = cube_with(text + "*END STEP\n", diagnostics);
  EXPECT_EQ(contents.loads.forces.size(), 8U * 30000U);
}

struct AmplitudeCase {
  std::string name, steps;
  std::vector<double> forces;  ///< of each step
};

const std::string kTable = "*AMPLITUDE,NAME=A1\n0.,0.,1.,0.5,\n2.,3.\n";
const std::string kTotal = "*AMPLITUDE,NAME=A1,TIME=TOTAL TIME\n0.,0.,1.,0.5,2.,3.\n";
const std::string kLoad = "*CLOAD,AMPLITUDE=a1\n2,1,100.\n";

std::string step(const std::string& lines, const std::string& parameters = "") {
  return "*STEP" + parameters + "\n" + lines + "*END STEP\n";
}

// Truth: support forces that CalculiX 2.20 prints for these steps.
TEST(InpAmplitudes, LoadsHaveTheSizeOfTheEndOfTheirStep) {
  const std::vector<AmplitudeCase> cases{
      {"duration 1", kTable + step("*STATIC\n" + kLoad), {50.0}},
      {"duration 1.5", kTable + step("*STATIC\n0.5,1.5\n" + kLoad), {175.0}},
      {"beyond the table", kTable + step("*STATIC\n5.,5.\n" + kLoad), {300.0}},
      {"kept by a step",
       kTable + step("*STATIC\n1.,1.\n" + kLoad) + step("*STATIC\n2.,2.\n*CLOAD\n3,1,1.\n"),
       {50.0, 51.0}},
      {"replaced",
       kTable + step("*STATIC\n1.,1.\n" + kLoad) + step("*STATIC\n2.,2.\n*CLOAD\n2,1,10.\n"),
       {50.0, 10.0}},
      {"over total time",
       kTotal + step("*STATIC\n1.,1.\n" + kLoad) + step("*STATIC\n1.,1.\n*CLOAD\n3,1,0.\n"),
       {50.0, 300.0}},
      {"modes take no time",
       kTotal + step("*FREQUENCY\n1\n") + step("*STATIC\n1.,1.\n*CLOAD,AMPLITUDE=A1\n2,1,100.\n"),
       {0.0, 50.0}},
      {"perturbation", kTable + step("*STATIC\n1.,1.\n" + kLoad, ",PERTURBATION"), {50.0}},
      {"shifted",
       "*AMPLITUDE,NAME=A1,SHIFTX=1.,SHIFTY=10.\n0.,0.,1.,0.5,2.,3.\n" +
           step("*STATIC\n1.,2.\n" + kLoad),
       {1050.0}},
      {"before the table",
       "*AMPLITUDE,NAME=A1\n3.,7.,4.,8.\n" + step("*STATIC\n1.,2.\n" + kLoad),
       {700.0}},
  };
  for (const AmplitudeCase& each : cases) {
    SCOPED_TRACE(each.name);
    Diagnostics diagnostics;
    std::map<std::int64_t, double> forces = forces_of(cube_with(each.steps, diagnostics));
    for (std::size_t k = 0; k < each.forces.size(); ++k)
      EXPECT_NEAR(forces[static_cast<std::int64_t>(k + 1)], each.forces[k], tolerance(1e-10));
    EXPECT_FALSE(warns(diagnostics, "amplitude"));
  }
}

// Truth: support forces that CalculiX 2.20 prints: a pressure of 300 on one square, omega^2 of 300.
TEST(InpAmplitudes, ScaleDistributedLoads) {
  Diagnostics diagnostics;
  const FileContents contents =
      cube_with(kTable + step("*STATIC\n1.,2.\n*DLOAD,AMPLITUDE=A1\nE,P4,100.\n"
                              "E,CENTRIF,100.,0.,0.5,0.5,0.,0.,1.\nE,GRAV,10.,1.,0.,0.\n"),
                diagnostics);
  ASSERT_EQ(contents.loads.pressures.size(), 1U);
  EXPECT_NEAR(contents.loads.pressures[0].values[0], 300.0, tolerance(1e-10));
  ASSERT_EQ(contents.loads.rotations.size(), 1U);
  EXPECT_NEAR(contents.loads.rotations[0].speed[2] * contents.loads.rotations[0].speed[2],
              300.0,
              tolerance(1e-10));
  ASSERT_EQ(contents.loads.gravity.size(), 1U);
  EXPECT_NEAR(contents.loads.gravity[0].acceleration[0], 30.0, tolerance(1e-12));
}

// What is not known is said, and the written size kept.
TEST(InpAmplitudes, ThatAreNotKnownAtTheEndAreTold) {
  const std::string periodic = "*AMPLITUDE,NAME=A1,DEFINITION=PERIODIC\n1,6.28,0.,1.\n0.,1.\n";
  for (const std::string& steps :
       {kTable + step("*MODAL DYNAMIC\n0.1,1.\n" + kLoad),
        step("*STATIC\n" + kLoad),
        kTable + step("*STATIC\n*CLOAD,AMPLITUDE=A1,TIME DELAY=0.5\n2,1,100.\n"),
        periodic + step("*STATIC\n" + kLoad),
        kTotal + step("*DYNAMIC\n0.1,1.\n") + step("*STATIC\n" + kLoad),
        "*ASSEMBLY,NAME=X\n*END ASSEMBLY\n" + kTable + step("*STATIC\n" + kLoad) +
            step("*STATIC\n*CLOAD\n3,1,0.\n")}) {
    SCOPED_TRACE(steps);
    Diagnostics diagnostics;
    const FileContents contents = cube_with(steps, diagnostics);
    EXPECT_EQ(forces_of(contents).begin()->second, 100.0);
    EXPECT_TRUE(warns(diagnostics, "amplitude"));
  }
}

// Truth: support forces that CalculiX 2.20 prints: a displacement acts in the steps after its own,
// also one given before all steps, until a line of the same DOF or OP=NEW ends it.
TEST(InpMovingSupports, MakeTheirStepsIncomplete) {
  const std::string load = "*STATIC\n*CLOAD\n3,1,1.\n";
  const std::string pull = "*BOUNDARY\n2,1,1,0.01\n";
  const auto incomplete_steps = [](const std::string& steps) {
    Diagnostics diagnostics;
    std::vector<std::int64_t> out;
    for (const auto& [id, reason] : cube_with(steps, diagnostics).loads.incomplete)
      out.push_back(id);
    return out;
  };
  using Steps = std::vector<std::int64_t>;
  EXPECT_EQ(incomplete_steps(step(load + pull) + step(load)), (Steps{1, 2}));
  EXPECT_EQ(incomplete_steps(pull + step(load)), Steps{1});
  EXPECT_EQ(incomplete_steps(step(load + pull) + step(load + "*BOUNDARY\n2,1,1\n")), Steps{1});
  EXPECT_EQ(incomplete_steps(step(load + pull) + step("*BOUNDARY,OP=NEW\n1,1,3\n" + load)),
            Steps{1});
  EXPECT_EQ(incomplete_steps(step("*STATIC\n" + pull) + step("*FREQUENCY\n2\n")), Steps{1});
  EXPECT_EQ(incomplete_steps(step("*FREQUENCY\n2\n" + pull)), Steps{});
  EXPECT_EQ(incomplete_steps(step(load) + step("*BOUNDARY,FIXED\n2,1,3\n" + load)), Steps{2});
  EXPECT_EQ(incomplete_steps(step("*BOUNDARY\n2,1,3,0.\n" + load)), Steps{});
}

// Truth: displacements that CalculiX 2.20 prints for this cube at the ends of these steps: 0 where
// the amplitude ends at zero, also in the steps that keep it; 0.005 where it ends at one half; over
// total time 0.005, then 0.
TEST(InpMovingSupports, ThatReturnToZeroAreSupportsAtRest) {
  const std::string pull = "*BOUNDARY,AMPLITUDE=A1\n2,1,1,0.01\n";
  const std::string load = "*STATIC\n1.,1.\n*CLOAD\n3,1,1.\n";
  const auto amplitude = [](const std::string& pairs, const std::string& more = "") {
    return "*AMPLITUDE,NAME=A1" + more + "\n" + pairs + "\n";
  };
  const struct {
    std::string name, steps;
    std::vector<std::int64_t> incomplete;
    bool is_unread = false;  ///< a line is told as not read
  } cases[] = {
      {"to zero", amplitude("0.,0.,0.5,1.,1.,0.") + step(load + pull), {}},
      {"kept at zero", amplitude("0.,0.,0.5,1.,1.,0.") + step(load + pull) + step(load), {}},
      {"kept at one half",
       amplitude("0.,0.,1.,0.5,2.,0.") + step(load + pull) + step(load),
       {1, 2},
       true},
      {"back over total time",
       amplitude("0.,0.,1.,0.5,2.,0.", ",TIME=TOTAL TIME") + step(load + pull) + step(load),
       {1},
       true},
      {"shifted to zero", amplitude("0.,0.,1.,-1.", ",SHIFTY=1.") + step(load + pull), {}},
      {"not known", step(load + pull), {1}, true},
      {"in a deck of parts",
       "*ASSEMBLY,NAME=X\n*END ASSEMBLY\n" + amplitude("0.,0.,0.5,1.,1.,0.") + step(load + pull) +
           step(load),
       {1, 2},
       true}};
  for (const auto& each : cases) {
    SCOPED_TRACE(each.name);
    Diagnostics diagnostics;
    const FileContents contents = cube_with(each.steps, diagnostics);
    std::vector<std::int64_t> incomplete;
    for (const auto& [id, reason] : contents.loads.incomplete)
      incomplete.push_back(id);
    EXPECT_EQ(incomplete, each.incomplete);
    bool is_unread = false;
    for (const Unread& unread : contents.unread)
      is_unread = is_unread || unread.what.find("BOUNDARY") != std::string::npos;
    EXPECT_EQ(is_unread, each.is_unread);
  }
}

// Truth: the rules of both programs, which the manuals state and loads_test holds: after a
// perturbation CalculiX goes on from its loads, Abaqus from those of the step before it.
TEST(InpSteps, AfterAPerturbationAreToldUnlessTheDeckSaysWhoseTheyAre) {
  const std::string general = step("*STATIC\n*CLOAD\n2,1,1.\n");
  const std::string perturbation = step("*STATIC\n*CLOAD\n2,2,1.\n", ",PERTURBATION");
  const std::string next = step("*STATIC\n*CLOAD\n3,1,5.\n");
  const std::string anew = step("*STATIC\n*CLOAD,OP=NEW\n3,1,5.\n");
  const std::string pressed = step("*STATIC\n*DLOAD\nE,P1,1.\n");
  const std::string modes = step("*FREQUENCY\n2\n", ",PERTURBATION");
  const struct {
    std::string steps;
    bool is_told;
    std::size_t forces;  ///< of the last step
  } cases[] = {
      {general + perturbation + next, true, 2},
      {"*PREPRINT,ECHO=NO\n" + general + perturbation + next, false, 2},
      {general + perturbation + step("*STATIC\n*CLOAD\n3,1,5.\n", ",NAME=\"Step 3\""), false, 2},
      {general + step("*STATIC,SOLVER=SPOOLES\n*CLOAD\n2,2,1.\n", ",PERTURBATION") + next,
       false,
       2},
      {general + perturbation + anew, false, 1},
      {general + perturbation, false, 1},
      {pressed + perturbation, true, 1},
      {general + modes, false, 1},
      {general + next, false, 2}};
  for (const auto& each : cases) {
    SCOPED_TRACE(each.steps);
    Diagnostics diagnostics;
    const FileContents contents = cube_with(each.steps, diagnostics);
    EXPECT_EQ(warns(diagnostics, "step-rules"), each.is_told);
    std::int64_t last = 0;
    for (const RawForce& force : contents.loads.forces)
      last = std::max(last, force.set);
    std::size_t count = 0;
    for (const RawForce& force : contents.loads.forces)
      count += force.set == last ? 1 : 0;
    EXPECT_EQ(count, each.forces);
  }
}

/// Speeds of the rotations of each step about their axes.
std::vector<double> speeds_of(const FileContents& contents) {
  std::vector<double> out;
  for (const RawRotation& rotation : contents.loads.rotations)
    out.push_back(std::sqrt(std::pow(rotation.speed[0], 2) + std::pow(rotation.speed[1], 2) +
                            std::pow(rotation.speed[2], 2)));
  return out;
}

// Truth: displacements that CalculiX 2.20 prints. Lines with one point and direction add up in a
// step and replace each other over steps; of axes that differ, were it by the point of one line or
// by an opposite direction alone, one acts, so that the case is left out. After OP=NEW a case is
// that of the deck, where CalculiX 2.20 prints zeros.
TEST(InpCentrifugal, LoadsAboutSeveralAxesAreLeftOut) {
  const std::string about_z = "E,CENTRIF,4.,0.,0.,0.,0.,0.,1.\n";
  const auto loads = [](const std::string& lines) { return step("*STATIC\n*DLOAD\n" + lines); };
  const struct {
    std::string steps;
    std::vector<std::int64_t> incomplete;
  } cases[] = {
      {loads(about_z), {}},
      {loads(about_z + "E,CENTRIF,9.,0.,0.,0.,0.,0.,1.\n"), {}},
      {loads(about_z + "E,CENTRIF,9.,0.,0.,0.,0.,0.,2.\n"), {}},
      {loads(about_z + "E,CENTRIF,9.,0.,0.,0.,1.,0.,0.\n"), {1}},
      {loads(about_z + "E,CENTRIF,9.,1.,0.,0.,0.,0.,1.\n"), {1}},
      {loads(about_z + "E,CENTRIF,9.,0.,0.,5.,0.,0.,1.\n"), {1}},
      {loads(about_z + "E,CENTRIF,9.,0.,0.,5.,0.,0.,-1.\n"), {1}},
      {loads(about_z) + loads("E,CENTRIF,9.,0.,0.,0.,0.,0.,2.\n"), {}},
      {loads(about_z) + loads("E,CENTRIF,9.,0.,0.,0.,1.,0.,0.\n"), {2}},
      {loads(about_z) + loads("E,CENTRIF,9.,0.,0.,0.,0.,0.,-1.\n"), {2}},
      {loads(about_z) + step("*STATIC\n*DLOAD,OP=NEW\nE,CENTRIF,9.,0.,0.,0.,1.,0.,0.\n"), {}},
      // a deck of Abaqus
      {"*ASSEMBLY,NAME=X\n*END ASSEMBLY\n" + loads(about_z + "E,CENTRIF,9.,0.,0.,0.,1.,0.,0.\n"),
       {}}};
  for (const auto& each : cases) {
    SCOPED_TRACE(each.steps);
    Diagnostics diagnostics;
    std::vector<std::int64_t> incomplete;
    for (const auto& [id, reason] : cube_with(each.steps, diagnostics).loads.incomplete)
      incomplete.push_back(id);
    EXPECT_EQ(incomplete, each.incomplete);
  }
  Diagnostics diagnostics;
  EXPECT_EQ(
      speeds_of(cube_with(loads(about_z) + loads("E,CENTRIF,9.,0.,0.,0.,0.,0.,2.\n"), diagnostics)),
      (std::vector<double>{2.0, 3.0}));
}

const std::string kTwoRows = "1e11,0.3,100.\n4e11,0.25,200.\n";

// Truth: the lines themselves. Sets of an assembly name nodes of an instance, and a material
// without a table stands beside one with it.
TEST(InpSteps, OfDecksOfPartsHaveTheirLoadsAndTemperatures) {
  const TemporaryFolder folder;
  write_text(folder / "run.inp",
             "*PART,NAME=P\n*NODE,NSET=NALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n"
             "7,1,1,1\n8,0,1,1\n*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n"
             "*SOLID SECTION,ELSET=E,MATERIAL=M\n*END PART\n*ASSEMBLY,NAME=A\n"
             "*INSTANCE,NAME=I,PART=P\n*END INSTANCE\n*NSET,NSET=TIP,INSTANCE=I\n2,3\n"
             "*END ASSEMBLY\n*MATERIAL,NAME=M\n*ELASTIC\n" +
                 kTwoRows + "*MATERIAL,NAME=N\n*ELASTIC\n7e10,0.33\n" + kTable +
                 "*INITIAL CONDITIONS,TYPE=TEMPERATURE\nI.NALL,150.\n" +
                 step("*STATIC\n0.1,2.\n" + std::string("*CLOAD,AMPLITUDE=A1\nTIP,1,100.\n") +
                      "*BOUNDARY\nI.4,1,1,0.1\n"));
  Diagnostics diagnostics;
  const FileContents contents = read_contents(folder / "run.inp", {}, diagnostics);
  EXPECT_NEAR(forces_of(contents).at(1), 600.0, tolerance(1e-10));
  EXPECT_TRUE(contents.loads.incomplete.contains(1));
  ASSERT_EQ(contents.materials.size(), 2U);
  EXPECT_NEAR(contents.materials[0].constants[0], 2.5e11, tolerance(1e-3));
  EXPECT_EQ(contents.materials[1].constants[0], 7e10);
}

// Truth: frequencies that CalculiX 2.20 prints for these decks, which go with the root of E: the
// first row without temperatures, else interpolated, and constant outside the table.
TEST(InpTemperatures, ChooseTheElasticConstants) {
  const auto constants_at = [](const std::string& temperature) {
    Diagnostics diagnostics;
    const FileContents contents = cube_with(
        temperature.empty() ? ""
                            : "*INITIAL CONDITIONS,TYPE=TEMPERATURE\nNALL," + temperature + "\n",
        diagnostics,
        kTwoRows);
    EXPECT_TRUE(warns(diagnostics, "elastic-temperature"));
    return contents.materials.at(0).constants;
  };
  EXPECT_EQ(constants_at("")[0], 1e11);
  EXPECT_EQ(constants_at("50.")[0], 1e11);
  EXPECT_NEAR(constants_at("150.")[0], 2.5e11, tolerance(1e-3));
  EXPECT_NEAR(constants_at("150.")[1], 0.275, tolerance(1e-12));
  EXPECT_EQ(constants_at("300.")[0], 4e11);
}

// Where the model has several temperatures, there are no constants, and one row needs none.
TEST(InpTemperatures, ThatDifferLeaveTheMaterialWithoutConstants) {
  for (const char* text : {"*INITIAL CONDITIONS,TYPE=TEMPERATURE\nNALL,50.\n1,60.\n",
                           "*INITIAL CONDITIONS,TYPE=TEMPERATURE\n1,60.\n",
                           "*STEP\n*STATIC\n*TEMPERATURE\nNALL,60.\n*END STEP\n"}) {
    SCOPED_TRACE(text);
    Diagnostics diagnostics;
    EXPECT_NE(cube_with(text, diagnostics, kTwoRows).materials.at(0).refusal, "");
    EXPECT_EQ(cube_with(text, diagnostics, "1e11,0.3,20.\n").materials.at(0).refusal, "");
    EXPECT_FALSE(warns(diagnostics, "elastic-temperature"));
  }
}

/// The density of a cube with these rows of *DENSITY; the material E is that of cube_with().
double density_of(const std::string& rows, const std::string& text, Diagnostics& diagnostics) {
  const FileContents contents =
      cube_with("*MATERIAL,NAME=D\n*DENSITY\n" + rows + text, diagnostics);
  return contents.materials.at(1).density;
}

// Truth: frequencies that CalculiX 2.20 prints for this cube, which go with 1 / sqrt(density):
// 463.0551 Hz at 1000 kg/m3, 292.8617 Hz at 50 degrees of the first table, 231.5275 Hz above it.
TEST(InpTemperatures, ChooseTheDensity) {
  const std::string table = "1000.,0.\n4000.,100.\n";
  const auto at = [](double temperature) {
    return "*INITIAL CONDITIONS,TYPE=TEMPERATURE\nNALL," + std::to_string(temperature) + "\n";
  };
  const auto by_frequency = [](double f) { return 1000.0 * std::pow(463.0551 / f, 2); };
  const struct {
    std::string rows, text;
    double density;
  } cases[] = {{table, "", 1000.0},
               {table, at(50.0), by_frequency(292.8617)},
               {table, at(150.0), by_frequency(231.5275)},
               {"4000.,100.\n1000.,200.\n", "", by_frequency(231.5275)},
               {"1000.\n4000.,100.\n", at(150.0), by_frequency(231.5275)}};
  for (const auto& each : cases) {
    SCOPED_TRACE(each.rows + each.text);
    Diagnostics diagnostics;
    EXPECT_NEAR(density_of(each.rows, each.text, diagnostics) / each.density, 1.0, tolerance(3e-6));
    EXPECT_TRUE(warns(diagnostics, "density"));
  }
}

// One row needs no temperature; where the temperatures differ, a density of a table is not known.
TEST(InpTemperatures, ThatDifferLeaveADensityOpen) {
  for (const char* text : {"*INITIAL CONDITIONS,TYPE=TEMPERATURE\nNALL,50.\n1,60.\n",
                           "*STEP\n*STATIC\n*TEMPERATURE\nNALL,60.\n*END STEP\n"}) {
    SCOPED_TRACE(text);
    Diagnostics one, two;
    EXPECT_EQ(density_of("7850.,20.\n", text, one), 7850.0);
    EXPECT_FALSE(warns(one, "density"));
    EXPECT_EQ(density_of("7850.,20.\n7800.,100.\n", text, two), 0.0);
    EXPECT_TRUE(warns(two, "density"));
  }
  Diagnostics diagnostics;
  EXPECT_EQ(density_of("none\n", "", diagnostics), 0.0);
  EXPECT_TRUE(warns(diagnostics, "density"));
}

}  // namespace
}  // namespace femflex::importer
