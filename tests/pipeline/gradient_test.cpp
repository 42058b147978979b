// Tests gradients through the program: they equal differences of whole runs, are the same in all
// files, and where they do not exist a message says so. Also tests tables of runs and gradients in
// info and view.
#include "runs/gradient.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "program.h"
#include "support/support.h"

namespace femflex::testing {
namespace {

using tools::Json;

class Gradients : public ::testing::Test {
 protected:
  /// The measures of one run in which the parameter `set` has the given value.
  std::vector<double> measures(const std::string& words,
                               const std::string& set,
                               double value) const {
    const std::string name = "at.csv";
    write_text(femflex.file(name), set + "\n" + fmt_number(value) + "\n");
    const CommandResult run = femflex("study " + words + " --table at.csv -o at.h5");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return tools::read_run_table(femflex.file("at.h5")).rows.at(0).measures;
  }
  static std::string fmt_number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
  }
  /// Checks that the derivatives with respect to one parameter equal fourth-order differences of
  /// runs.
  /// @param words  system and measures
  /// @param share  step of the differences divided by the parameter
  void expect_differences(const std::string& words,
                          const std::string& parameter,
                          double share,
                          double limit) const {
    const CommandResult made =
        femflex("study " + words + " --gradient --vary " + parameter + " -o g.h5");
    ASSERT_EQ(made.exit_code, 0) << made.err;
    const tools::RunGradient gradient = tools::read_gradient(femflex.file("g.h5"));
    const double p = gradient.parameters.at(0).value, h = share * std::abs(p);
    const auto at = [&](double change) { return measures(words, parameter, p + change); };
    const std::vector<double> a = at(h), b = at(-h), c = at(2.0 * h), d = at(-2.0 * h);
    const std::vector<double> here = at(0.0);
    for (std::size_t m = 0; m < gradient.measures.size(); ++m) {
      EXPECT_EQ(gradient.values[m], here[m]);
      const double difference = (8.0 * (a[m] - b[m]) - (c[m] - d[m])) / (12.0 * h);
      EXPECT_NEAR(gradient.slopes(static_cast<Eigen::Index>(m), 0),
                  difference,
                  tolerance(limit) * std::abs(difference))
          << gradient.measures[m].name << " by " << parameter << gradient.reasons[m][0];
    }
  }
  void expect_refused(const std::string& words, const std::string& part) const {
    const CommandResult result = femflex("study " + words);
    EXPECT_EQ(result.exit_code, 2) << words;
    EXPECT_NE(result.err.find(part), std::string::npos) << words << "\n" << result.err;
    EXPECT_EQ(line_count(result.err), 1U) << result.err;
  }
  Program femflex;
};

constexpr const char* kTight = " --set analyses.0.newton_tolerance=1e-11 ";

TEST_F(Gradients, OfAPendulumAreThoseOfDifferences) {
  ASSERT_EQ(femflex("new pendulum").exit_code, 0);
  const std::string words = std::string("pendulum.json --integrator generalised-alpha --end 0.6") +
                            kTight +
                            "--measure end=final:bar/tip/position/x "
                            "--measure push=rms:bar/tip/acceleration/z "
                            "--measure low=min:bar/tip/velocity/z@0.1-0.4s";
  expect_differences(words, "length", 1e-3, 1e-6);
  expect_differences(words, "gravity.2", 1e-3, 1e-6);
}

// A flexible body on tyres that stay on the road (parameters: stiffness, damping, natural
// frequencies), and a filter.
TEST_F(Gradients, OfATruckAreThoseOfDifferences) {
  ASSERT_EQ(femflex("new truck").exit_code, 0);
  std::string words = std::string("truck.json --end 0.4") + kTight +
                      "--set bodies.chassis.frequency_factor=1 "
                      "--measure comfort=rms:chassis/701/acceleration/z@0.5-80Hz "
                      "--measure travel=range:chassis/301/position/z "
                      "--measure high=p90:chassis/301/velocity/z";
  for (const char* tyre : {"right_rear", "left_rear", "right_front", "left_front"})
    words += std::string(" --set forces.") + tyre + ".lifts_off=false";
  for (const char* parameter : {"k", "c", "bodies.chassis.frequency_factor"})
    expect_differences(words, parameter, 1e-3, 1e-6);
}

// Runge-Kutta on a loop, whose steps project onto constraints.
TEST_F(Gradients, OfALoopInRungeKuttaAreThoseOfDifferences) {
  ASSERT_EQ(femflex("new four-bar").exit_code, 0);
  expect_differences(
      "four-bar.json --end 0.2 --measure swing=rms:base/angle_rate "
      "--measure place=final:coupler/middle/position/x",
      "rate",
      1e-3,
      1e-6);
}

// A driven loop with its torque; a controller with saturation and a command that jumps.
TEST_F(Gradients, OfMechanismsAndControlAreThoseOfDifferences) {
  for (const char* name : {"slider-crank", "servo"})
    ASSERT_EQ(femflex(std::string("new ") + name).exit_code, 0);
  // The torque of a motion is a multiplier, divided by the square of the step. Its derivative has
  // rounding errors of 3e-7 of torque over parameter. For the rod, on which the torque hardly
  // depends, this is 1e-6 of the derivative.
  const std::string place = std::string("slider-crank.json --end 0.2") + kTight +
                            "--measure place=rms:slider/position/x ";
  expect_differences(place, "rod", 1e-3, 1e-6);
  expect_differences(place + "--measure torque=max:drive/torque", "crank", 1e-3, 1e-6);
  const std::string servo = std::string("servo.json --integrator generalised-alpha --end 0.5") +
                            kTight + "--measure angle=final:pivot/angle --measure motor=rms:motor";
  for (const char* parameter : {"mass", "length", "blocks.controller.proportional"})
    expect_differences(servo, parameter, 1e-3, 1e-6);
}

// Truth: frequencies are proportional to the square root of the stiffness over the mass.
TEST_F(Gradients, OfModesFollowStiffness) {
  write_text(femflex.file("s.json"), R"json({ "femflex": 1, "name": "s", "parameters": { "k": 400 },
    "bodies": { "p": { "point": { "mass": 1 }, "at": [1, 0, 0] } },
    "joints": { "x": { "type": "point-on-line", "a": "ground", "b": "p", "axis": [1, 0, 0] } },
    "forces": { "f": { "type": "spring-damper", "a": "ground", "b": "p", "stiffness": "=k" } },
    "analyses": [ { "type": "modal" } ] })json");
  const Json out = femflex.json("study s.json --gradient --vary k --measure mode-hz:1");
  const Json& slope = out.find("measures")->items()[0].find("gradient")->items()[0];
  EXPECT_NEAR(slope.find("relative")->number(), 0.5, tolerance(1e-7));
  EXPECT_NEAR(slope.find("slope")->number(), 0.5 * 20.0 / (2.0 * M_PI) / 400.0, tolerance(1e-9));
}

// Truth: x = 1 - m g / k; the same numbers in JSON, CSV and HDF5.
TEST_F(Gradients, OfStaticsAreTheSameInAllFiles) {
  write_text(femflex.file("s.json"), R"json({ "femflex": 1, "name": "s", "gravity": [0, 0, -10],
    "bodies": { "p": { "point": { "mass": 2 }, "at": [0, 0, 1] } },
    "joints": { "z": { "type": "point-on-line", "a": "ground", "b": "p", "axis": [0, 0, 1] } },
    "forces": { "f": { "type": "spring-damper", "a": "ground", "b": "p", "stiffness": 400 } },
    "outputs": [ "p/position/z" ], "analyses": [ { "type": "static" } ] })json");
  const Json out = femflex.json(
      "study s.json --gradient --vary forces.f.stiffness --vary bodies.p.point.mass "
      "--measure z=final:p/position/z -o g.h5 --csv g.csv");
  const auto& slopes = out.find("measures")->items()[0].find("gradient")->items();
  EXPECT_NEAR(slopes[0].find("slope")->number(), 20.0 / (400.0 * 400.0), 1e-10);
  EXPECT_NEAR(slopes[1].find("slope")->number(), -10.0 / 400.0, 1e-9);
  const tools::RunGradient gradient = tools::read_gradient(femflex.file("g.h5"));
  EXPECT_EQ(gradient.slopes(0, 0), slopes[0].find("slope")->number());
  EXPECT_EQ(gradient.slopes(0, 1), slopes[1].find("slope")->number());
  const std::string csv = read_text(femflex.file("g.csv"));
  EXPECT_NE(csv.find("measure,value,unit,forces.f.stiffness,bodies.p.point.mass\nz,0.95"),
            std::string::npos)
      << csv;
  const CommandResult info = femflex("info g.h5");
  EXPECT_NE(info.out.find("forces.f.stiffness"), std::string::npos) << info.out << info.err;
}

// Truth: in free fall, z is the initial height plus a term that does not depend on it.
TEST_F(Gradients, EndWhereAForceJumps) {
  write_text(femflex.file("b.json"), R"json({ "femflex": 1, "name": "b", "gravity": [0, 0, -9.81],
    "bodies": { "ball": { "point": { "mass": 1 }, "at": [0, 0, 1] } },
    "forces": { "floor": { "type": "bump-stop", "a": "ground", "b": "ball", "min": 0.1,
                           "stiffness": 1e5, "damping": 100 } },
    "outputs": [ "ball/position/z" ],
    "analyses": [ { "type": "dynamic", "end": 0.6, "step": 1e-3 } ] })json");
  const Json out = femflex.json(
      "study b.json --gradient --vary bodies.ball.at.2 --measure last=final:ball/position/z "
      "--measure fall=final:ball/position/z@0-0.4s");
  const auto& measures = out.find("measures")->items();
  const Json& last = measures[0].find("gradient")->items()[0];
  EXPECT_TRUE(last.find("slope")->is_null());
  EXPECT_NE(last.find("reason")->text().find("floor"), std::string::npos);
  EXPECT_NEAR(
      measures[1].find("gradient")->items()[0].find("slope")->number(), 1.0, tolerance(1e-9));
  const CommandResult text =
      femflex("study b.json --gradient --vary bodies.ball.at.2 --measure final:ball/position/z");
  EXPECT_NE(text.out.find("not differentiable: force floor"), std::string::npos) << text.out;
}

// The cost grows with the number of parameters, so it is told before the work, and not with --json.
TEST_F(Gradients, TellWhatTheyWillCost) {
  ASSERT_EQ(femflex("new pendulum").exit_code, 0);
  const std::string words =
      "study pendulum.json --gradient --vary length --vary mass --end 0.05 "
      "--measure final:bar/tip/position/x";
  EXPECT_EQ(femflex(words).err, "2 parameters: about 4 runs of processor time\n");
  EXPECT_EQ(femflex(words + " --quiet").err, "");
  EXPECT_EQ(femflex(words + " --json").err, "");
}

TEST_F(Gradients, BadInputIsOneClearError) {
  ASSERT_EQ(femflex("new pendulum").exit_code, 0);
  const std::string words = "pendulum.json --gradient --measure final:bar/tip/position/x ";
  expect_refused(words, "no parameter is named");
  expect_refused(words + "--vary length=1:2", "--set length=VALUE");
  expect_refused(words + "--vary lenght", "did you mean 'length'?");
  expect_refused(words + "--vary length --sample lhs:3", "--sample");
  expect_refused(words + "--vary length --integrator bdf", "bdf");
  expect_refused(words + "--vary analyses.0.end", "changes the analysis itself");
  expect_refused(words + "--vary length --vary parameters.length", "varied twice");
  expect_refused("pendulum.json --gradient --vary length", "nothing is measured");
  expect_refused("--merge pendulum.json --gradient", "--gradient");
}

// Truth: the table written by the study.
TEST_F(Gradients, InfoAndViewKnowTablesOfRuns) {
  ASSERT_EQ(femflex("new pendulum").exit_code, 0);
  const Json study = femflex.json(
      "study pendulum.json --vary length=0.5:1.5 --sample lhs:5 --end 0.1 "
      "--measure reach=max:bar/tip/position/x -o t.h5");
  const Json file = femflex.json("info t.h5").find("files")->items()[0];
  EXPECT_EQ(file.find("format")->text(), "femflex table of runs");
  EXPECT_EQ(file.find("rows")->number(), 5.0);
  EXPECT_TRUE(file.find("complete")->boolean());
  EXPECT_EQ(file.find("measures")->items()[0].dump_line(),
            study.find("measures")->items()[0].dump_line());
  EXPECT_NE(femflex("info t.h5").out.find("5 of 5 runs, 0 failed, lhs"), std::string::npos);
  const CommandResult page = femflex("view t.h5 -o t.html");
  EXPECT_EQ(page.exit_code, 0) << page.err;
  EXPECT_NE(read_text(femflex.file("t.html")).find("Histograms"), std::string::npos);
}

}  // namespace
}  // namespace femflex::testing
