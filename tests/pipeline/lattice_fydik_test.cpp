// Tests FyDiK models: misspelt names are refused, content that is not used is reported, and times
// keep their origin.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lattice/run_lattice.h"
#include "program.h"
#include "results/results_file.h"

namespace femflex::tools {
namespace {

using testing::Program;

/// A FyDiK file of a mass of 2 kg on a spring of 40 N/m. Its lines 2 to 5 can be replaced.
struct Model {
  std::string simulator = R"(<SIMULATOR time="0" timeStep="0.001" method="2" timeBreak="1"/>)";
  std::string held = R"(<MASSPOINT index="0" initMass="1" initCoordX="0" fixedX="true"/>)";
  std::string free = R"(<MASSPOINT index="1" initMass="2" initCoordX="1.3"/>)";
  std::string spring =
      R"(<TRANSLATIONALSPRING length="1" stiffness="40" massObject1Index="0" massObject2Index="1"/>)";
  std::string more;
  std::string text() const {
    return "<MODEL type=\"1D\">\n" + simulator + "\n" + held + "\n" + free + "\n" + spring + "\n" +
           more + "</MODEL>\n";
  }
};

class Fydik : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_fydik()) GTEST_SKIP() << "built without an XML reader";
  }
  testing::CommandResult run(const Model& model, const std::string& words = {}) {
    testing::write_text(femflex.file("m.fdk"), model.text());
    return femflex("lattice m.fdk " + words);
  }
  void refused(const Model& model, const std::vector<std::string>& parts) {
    const auto result = run(model);
    EXPECT_EQ(result.exit_code, 2) << model.text() << result.out;
    EXPECT_EQ(testing::line_count(result.err), 1U) << result.err;
    for (const std::string& part : parts)
      EXPECT_NE(result.err.find(part), std::string::npos) << part << " in " << result.err;
  }
  void refused_point(const std::string& attributes, const std::string& part) {
    refused({.free = "<MASSPOINT index=\"1\" " + attributes + "/>"}, {"m.fdk:4: MASSPOINT", part});
  }
  void refused_spring(const std::string& attributes, const std::string& part) {
    refused({.spring = "<TRANSLATIONALSPRING massObject1Index=\"0\" massObject2Index=\"1\" " +
                       attributes + "/>"},
            {"m.fdk:5: TRANSLATIONALSPRING", part});
  }
  Program femflex;
};

TEST_F(Fydik, MisspeltAttributesAreRefusedWithTheNearestName) {
  refused_spring(R"(stifness="40")", "unknown attribute 'stifness'; did you mean 'stiffness'?");
  refused_spring(R"(Stiffness="40")", "did you mean 'stiffness'?");
  refused_spring(R"(k="40")", "did you mean 'stiffness'?");
  refused_spring(R"(stiffness="40" lenght="1")", "did you mean 'length'?");
  refused_spring(R"(stiffness="40" damping="1")", "did you mean 'dampingCoef'?");
  refused_point(R"(initMas="2")", "unknown attribute 'initMas'; did you mean 'initMass'?");
  refused_point(R"(initMass="2" initVelX="3")", "did you mean 'initVelocityX'?");
  refused_point(R"(initMass="2" velocityX="3")", "did you mean 'initVelocityX'?");
  refused_point(R"(mass="2")", "did you mean 'initMass'?");
  refused_point(R"(initMass="2" x="3")", "did you mean 'initCoordX'?");
  refused_point(R"(initMass="2" fix="true")", "did you mean 'fixedX'?");
  refused({.simulator = R"(<SIMULATOR timestep="0.1"/>)"}, {"m.fdk:2:", "'timeStep'"});
  refused({.more = R"(<ROTATIONALSPRIN index="0"/>)"}, {"m.fdk:6:", "'ROTATIONALSPRING'"});
  refused({.held = R"(<MassPoint index="0"/>)"}, {"m.fdk:3:", "'MASSPOINT'"});
}

TEST_F(Fydik, ForceLawsThatCannotBeReadAreRefused) {
  refused_spring(R"(stiffness="40" interactionFunction="3")", "in a form that is not read");
  refused_spring(R"(functionIndex="0")", "in a form that is not read");
  refused_spring(R"x(stiffness="40*sin(e)")x", "'40*sin(e)' is not a number");
  refused({.more = R"(<FUNCTION index="0" type="bilinear"/>)"}, {"m.fdk:6: FUNCTION"});
}

// Truth: x'' = -F(x - 1) / m. A linear function gives the closed form, and so do points on this
// line, even beyond its ends. The file written by femflex gives the same run.
TEST_F(Fydik, InteractionFunctionsReplaceTheStiffness) {
  const std::string spring =
      R"(<TRANSLATIONALSPRING length="1" interactionFunctionIndex="4" massObject1Index="0" massObject2Index="1"/>)";
  const double there = 1.0 + 0.3 * std::cos(std::sqrt(20.0));
  for (
      const char* function :
      {R"(<INTERACTIONFUNCTION index="4" expression="40*e"/>)",
       R"(<INTERACTIONFUNCTION index="4"><FUNCTIONPOINT x="-0.1" y="-4"/><FUNCTIONPOINT x="0.1" y="4"/></INTERACTIONFUNCTION>)"}) {
    const auto result = run({.spring = spring, .more = function}, "-o r.h5 --write again.fdk");
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    ResultSeries series = read_results(femflex.file("r.h5"));
    EXPECT_NEAR(series.values(series.values.rows() - 1, series.find("1/position/x")), there, 1e-9);
    ASSERT_EQ(femflex("lattice again.fdk -o r.h5 --write m.json").exit_code, 0);
    ASSERT_EQ(femflex("lattice m.json -o r.h5 --write back.fdk").exit_code, 0);
    ASSERT_EQ(femflex("lattice back.fdk -o r.h5").exit_code, 0);
    series = read_results(femflex.file("r.h5"));
    EXPECT_NEAR(series.values(series.values.rows() - 1, series.find("1/position/x")), there, 1e-9);
  }
  refused({.spring = spring}, {"m.fdk:5:", "there is no INTERACTIONFUNCTION 4"});
  refused({.spring = spring, .more = R"(<INTERACTIONFUNCTION index="4"/>)"},
          {"m.fdk:6:", "function"});
  refused({.spring = spring, .more = R"x(<INTERACTIONFUNCTION index="4" expression="sin("/>)x"},
          {"m.fdk:5:"});
  refused_spring(R"(stiffness="1" interactionFunctionIndexx="4")", "in a form that is not read");
}

/// Two perpendicular bars in a plane at rest, with a rotational spring between them.
std::string fydik_corner(const std::string& spring, const std::string& hinge) {
  return R"(<MODEL type="2D">
<SIMULATOR timeStep="0.001" timeBreak="0.002"/>
<MASSPOINT index="0" initMass="1" initCoordX="1" fixedX="true" fixedY="true"/>
<MASSPOINT index="1" initMass="2" initCoordY="0" fixedX="true" fixedY="true"/>
<MASSPOINT index="2" initMass="1" initCoordY="1" fixedX="true" fixedY="true"/>
<TRANSLATIONALSPRING index="0" stiffness="1" massObject1Index="0" massObject2Index="1"/>
<TRANSLATIONALSPRING index="1" stiffness="1" massObject1Index="1" massObject2Index="2" )" +
         spring +
         R"(/>
<ROTATIONALSPRING translationalSpring1Index="0" translationalSpring2Index="1" stiffness="3" )" +
         hinge + "/>\n</MODEL>\n";
}

// Truth: the bars point along -x and y, so the angle is -pi/2; with FyDiK's counters of turns it is
// pi/2 - pi. The moment is 3 times the angle, the stress is moment / W.
TEST_F(Fydik, RotationalSpringsHaveABendingStressAndCounters) {
  const auto first = [&](const std::string& spring, const std::string& hinge, const char* channel) {
    testing::write_text(femflex.file("m.fdk"), fydik_corner(spring, hinge));
    const auto result = femflex("lattice m.fdk -o r.h5");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const ResultSeries series = read_results(femflex.file("r.h5"));
    return series.values(0, series.find(channel));
  };
  const std::string given = R"(angle="0" mass="4" sectionModulus="0.01" )";
  EXPECT_NEAR(first("", given, "hinge1/angle"), -M_PI / 2, 1e-14);
  EXPECT_NEAR(first("", given, "hinge1/bending_stress"), -300.0 * M_PI / 2, 1e-10);
  EXPECT_NEAR(first("", given + R"(turns="2")", "hinge1/angle"), 3.5 * M_PI, 1e-13);
  EXPECT_NEAR(first(R"(turns="2")", given, "hinge1/angle"), 3.5 * M_PI, 1e-13);
  EXPECT_NEAR(first(R"(turns="2")", given, "hinge1/bending_stress"), 300.0 * 3.5 * M_PI, 1e-9);
  testing::write_text(femflex.file("m.fdk"), fydik_corner(R"(turns="2")", R"(turns="2")"));
  EXPECT_EQ(femflex("lattice m.fdk").exit_code, 2);
}

TEST_F(Fydik, AnAxisWithoutCoordinatesIsTold) {
  testing::write_text(femflex.file("m.fdk"), R"(<MODEL type="2D">
<SIMULATOR timeStep="0.001" timeBreak="0.002"/>
<MASSPOINT index="0" initMass="1" initCoordX="0"/>
<MASSPOINT index="1" initMass="1" initCoordX="1"/>
<TRANSLATIONALSPRING stiffness="1" length="1" massObject1Index="0" massObject2Index="1"/>
</MODEL>
)");
  const auto result = femflex("lattice m.fdk");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.err.find("no MASSPOINT has initCoordY: 0 m is taken"), std::string::npos)
      << result.err;
}

// Truth: the file; one point of two has no X, both have Y.
TEST_F(Fydik, APointWithoutACoordinateIsCounted) {
  testing::write_text(femflex.file("m.fdk"), R"(<MODEL type="2D">
<SIMULATOR timeStep="0.001" timeBreak="0.002"/>
<MASSPOINT index="0" initMass="1" initCoordY="0"/>
<MASSPOINT index="1" initMass="1" initCoordX="1" initCoordY="0"/>
<TRANSLATIONALSPRING stiffness="1" length="1" massObject1Index="0" massObject2Index="1"/>
</MODEL>
)");
  const auto result = femflex("lattice m.fdk");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.err.find("1 MASSPOINT has no initCoordX: 0 m is taken (first: line 3)"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(result.err.find("initCoordY"), std::string::npos) << result.err;
}

TEST_F(Fydik, ValuesThatSayNothingAreRefused) {
  refused_point(R"(initMass="2" fixedX="ture")", "'ture' is not known; did you mean 'true'?");
  refused_point(R"(initMass="2" dampingCoef="1" dampingType="proportionl")", "'proportional'");
  refused_point(R"(initMass="2" dampingCoef2="1")", "dampingCoef is missing");
  refused_point(R"(initMass="2" initCoordY="1")", "Y in a model of type 1D");
  refused_point(R"(initMass="2" initMass="3")", "initMass is given twice");
  refused_spring(R"(stiffness="40" length="-1")", "length is -1");
  refused_spring(R"(stiffness="nan")", "'nan' is not a number");
  refused_spring(R"(stiffness="40" area="-1")", "area is -1");
  for (const char* index : {"3000000000", "1.5"})
    refused({.free = fmt::format(R"(<MASSPOINT index="{}" initMass="2"/>)", index)},
            {fmt::format("'{}' is not a whole number of at most 2147483647", index)});
  refused({.simulator = R"(<SIMULATOR/><SIMULATOR/>)"}, {"m.fdk:2: SIMULATOR: defined twice"});
  refused({.simulator = R"(<SIMULATOR fps="-1"/>)"}, {"m.fdk:2:", "fps is -1"});
  refused({.simulator = R"(<SIMULATOR time="3" timeBreak="2"/>)"}, {"timeBreak 2 is not after"});
}

// Truth: the fault is in line 4 in any encoding.
TEST_F(Fydik, LinesAreCountedInLatin1AndUtf16) {
  Model model;
  model.simulator = "<!-- " + std::string(400, '\xe9') + " -->" + model.simulator;
  model.free = R"(<MASSPOINT index="1" initMass="much"/>)";
  const std::string latin = R"(<?xml version="1.0" encoding="ISO-8859-1"?>)" + model.text();
  std::string wide;
  for (const char c : model.text()) {
    wide += '\0';
    wide += c;
  }
  for (const std::string& text : {latin, wide}) {
    testing::write_text(femflex.file("m.fdk"), text);
    const auto result = femflex("lattice m.fdk");
    EXPECT_NE(result.err.find("m.fdk:4: MASSPOINT"), std::string::npos) << result.err;
  }
}

// Content that is only used for drawing is reported once, with its place; assumed values are
// reported as well.
TEST_F(Fydik, WhatIsLeftOutIsTold) {
  EXPECT_EQ(run({}).err, "");
  const auto drawn =
      run({.held = R"(<MASSPOINT index="0" initMass="1" fixedX="true" colour="red"/>)",
           .free = R"(<MASSPOINT index="1" initMass="2" initCoordX="1.3" colour="red"/>)",
           .more = R"(<CAMERA zoom="3"/>)"});
  EXPECT_EQ(drawn.exit_code, 0);
  EXPECT_NE(drawn.err.find("m.fdk:3"), std::string::npos) << drawn.err;
  EXPECT_NE(drawn.err.find("'MASSPOINT colour' is not known and not used (2 times"),
            std::string::npos)
      << drawn.err;
  EXPECT_NE(drawn.err.find("'CAMERA'"), std::string::npos) << drawn.err;
  const auto world =
      run({.free = R"(<WORLD gravity="9.81"><MASSPOINT index="1" initMass="2"/></WORLD>)"});
  EXPECT_EQ(world.exit_code, 0);
  EXPECT_NE(world.err.find("m.fdk:4: 'WORLD gravity' is not known and not used"), std::string::npos)
      << world.err;
  const auto bare =
      run({.spring = R"(<TRANSLATIONALSPRING massObject1Index="0" massObject2Index="1"/>)"});
  EXPECT_EQ(bare.exit_code, 0);
  EXPECT_NE(bare.err.find("without stiffness: 1 N/m is taken"), std::string::npos) << bare.err;
  // the current state beside the initial one is not a misspelling
  EXPECT_EQ(run({.free = R"(<MASSPOINT index="1" initMass="2" initCoordX="1.3" coordX="1.1"/>)"})
                .exit_code,
            0);
}

// Truth: x = 1 + 0.3 cos(w t), w^2 = k / m = 20, from the start time in the file.
TEST_F(Fydik, TheRunGoesFromTimeToTimeBreakInFramesOfFydik) {
  const Model model{
      .simulator =
          R"(<SIMULATOR time="5" timeStep="0.001" method="2" timeSpeed="0.5" fps="25" timeBreak="6"/>)"};
  const auto result = run(model, "-o r.h5 --nodes 1");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const ResultSeries series = read_results(femflex.file("r.h5"));
  ASSERT_EQ(series.time.size(), 51);  // 1 s in frames of 0.5 / 25 s
  EXPECT_EQ(series.time(0), 5.0);
  EXPECT_EQ(series.time(50), 6.0);
  const double w = std::sqrt(20.0);
  for (const Eigen::Index row : {0, 25, 50})
    EXPECT_NEAR(series.values(row, 0), 1.0 + 0.3 * std::cos(w * (series.time(row) - 5.0)), 1e-9);
  // the command line overrides the end time of the file, with the same time origin
  EXPECT_NE(run(model, "--end 5.5").out.find("500 steps of rk4 to t = 5.5 s"), std::string::npos);
  const auto early = run(model, "--end 4");
  EXPECT_EQ(early.exit_code, 2);
  EXPECT_NE(early.err.find("--end is 4 s, and the run starts at 5 s"), std::string::npos);
  // after conversion to other formats
  ASSERT_EQ(run(model, "--write m.json").exit_code, 0);
  EXPECT_NE(femflex("lattice m.json").out.find("1000 steps of rk4 to t = 6 s"), std::string::npos);
  ASSERT_EQ(femflex("lattice m.json --write back.fdk").exit_code, 0);
  EXPECT_NE(testing::read_text(femflex.file("back.fdk")).find("time=\"5\""), std::string::npos);
}

// Truth: the same closed form. On the command line, 0 is a valid end time.
TEST_F(Fydik, ARunFromANegativeTimeMayEndAtZero) {
  const Model model{.simulator =
                        R"(<SIMULATOR time="-2" timeStep="0.001" method="2" timeBreak="0"/>)"};
  const auto result = run(model, "-o r.h5 --nodes 1 --end 0");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const ResultSeries series = read_results(femflex.file("r.h5"));
  const Eigen::Index last = series.time.size() - 1;
  EXPECT_EQ(series.time(0), -2.0);
  EXPECT_EQ(series.time(last), 0.0);
  EXPECT_NEAR(series.values(last, 0), 1.0 + 0.3 * std::cos(2.0 * std::sqrt(20.0)), 1e-9);
}

TEST_F(Fydik, AModelWithoutTimeBreakAsksForItsEnd) {
  const auto result = run({.simulator = R"(<SIMULATOR timeStep="0.001" timeBreak="0"/>)"});
  EXPECT_EQ(result.exit_code, 2);
  for (const char* part : {"timeBreak is 0", "--end"})
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
}

}  // namespace
}  // namespace femflex::tools
