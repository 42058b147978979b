// Tests lattices with loads that switch and supports that jump, alone and in a system; and
// continued runs.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program.h"
#include "results/results_file.h"

namespace femflex::tools {
namespace {

using testing::Program;
using testing::tolerance;

std::string net(const std::string& more) {
  return R"({ "dimension": 2, "gravity": 9.81, "nodes": [
  { "id": 1, "x": [0, 0], "mass": 1, "fixed": "y" },
  { "id": 2, "x": [1, 0.1], "mass": 1, "v": [0.2, -1], "damping": { "c": 0.2, "c2": 0.5, "c3": 0.1 } },
  { "id": 3, "x": [2, 0], "mass": 0.5 } ],
  "springs": [ { "i": 1, "j": 2, "k": 200, "law": "linear" },
  { "i": 2, "j": 3, "k": 80, "damping": { "c": 1, "c2": 0.3 } } ], )" +
         more + " }";
}

std::string around(const std::string& how) {
  return R"({ "femflex": 1, "units": "m-kg-s", "planar": true, "gravity": [0, -9.81, 0],
  "bodies": { "net": { "lattice": "net.json" } },
  "analyses": [ { "type": "dynamic", "end": 1, "step": 2e-4, "output_step": 0.1, )" +
         how + R"( } ], "outputs": [ "net", "energy" ] })";
}

/// The largest difference between channels of the system and channels of the lattice alone.
double worst(const ResultSeries& system, const ResultSeries& lattice) {
  double most = 0.0;
  for (std::size_t k = 0; k < lattice.channels.size(); ++k) {
    const std::string& name = lattice.channels[k].name;
    for (std::size_t s = 0; s < system.channels.size(); ++s)
      if (system.channels[s].name == "net/" + name)
        most = std::max(most,
                        (system.values.col(static_cast<Eigen::Index>(s)) -
                         lattice.values.col(static_cast<Eigen::Index>(k)))
                            .cwiseAbs()
                            .maxCoeff());
  }
  return most;
}

class LatticeSwitches : public ::testing::Test {
 protected:
  /// Difference of the system from the lattice alone, and the energy drift.
  std::array<double, 2> compare(const std::string& more, const std::string& how) {
    testing::write_text(femflex.file("net.json"), net(more));
    testing::write_text(femflex.file("s.json"), around(how));
    const auto alone = femflex(
        "lattice net.json --integrator dormand-prince --rtol 1e-11 --atol 1e-12 --end 1 "
        "--output-step 0.1 -o l.h5");
    EXPECT_EQ(alone.exit_code, 0) << alone.err;
    const Json run = femflex.json("simulate s.json -o s.h5");
    if (const Json* error = run.find("error"); error != nullptr) {
      const std::string message = error->find("message")->text();
      without_bdf = message.find("SUNDIALS") != std::string::npos;
      EXPECT_TRUE(without_bdf) << message;
      return {0.0, 0.0};
    }
    EXPECT_TRUE(run.find("warnings")->items().empty());
    if (run.find("energy_drift") == nullptr) return {1.0, 1.0};
    return {worst(read_results(femflex.file("s.h5")), read_results(femflex.file("l.h5"))),
            run.find("energy_drift")->number()};
  }
  Program femflex;
  bool without_bdf = false;  // whether this build lacks SUNDIALS
};

// Truth: the lattice engine, whose steps end at its switches.
TEST_F(LatticeSwitches, BdfStopsAtEachAndStartsAnew) {
  for (const char* load : {R"("t": [0.1, 0.5])",
                           R"json("history": "step(t,0.3)*2 - sign(t-0.55)")json",
                           R"("history": [[0, 0], [0.2, 3], [0.21, -1], [0.7, 2]])"}) {
    const auto found =
        compare(fmt::format(R"("loads": [ {{ "node": 3, "force": [3, 1], {} }} ])", load),
                R"("integrator": "bdf", "relative_tolerance": 1e-10, "absolute_tolerance": 1e-11)");
    if (without_bdf) GTEST_SKIP() << "this build is without SUNDIALS";
    EXPECT_LT(found[0], tolerance(2e-7)) << load;
    EXPECT_LT(found[1], tolerance(1e-7)) << load;
  }
}

// Truth: the lattice engine. At a point of the table the velocity jumps, and the support supplies
// the energy.
TEST_F(LatticeSwitches, ATableMotionIsTheSameInASystem) {
  const std::string motion =
      R"("motions": [ { "node": 1, "axis": "x", "displacement": [[0, 0], [0.2, 0.05], [0.6, -0.1], [2, 0.1]] } ])";
  struct Case {
    const char* how;
    double apart, drift;
  };
  for (const Case& c :
       {Case{R"("integrator": "runge-kutta")", 5e-7, 1e-7},
        Case{R"("integrator": "bdf", "relative_tolerance": 1e-10, "absolute_tolerance": 1e-11)",
             2e-7,
             1e-7},
        Case{R"("rho": 1)", 1e-4, 1e-5}}) {
    const auto found = compare(motion, c.how);
    EXPECT_LT(found[0], tolerance(c.apart)) << c.how;
    EXPECT_LT(found[1], tolerance(c.drift)) << c.how;
  }
}

// Truth: the run without interruption with the options of the command line.
TEST_F(LatticeSwitches, AResumedRunGoesOnWithTheStepOfItsState) {
  testing::write_text(femflex.file("net.json"), net(R"("motions": [], "step": 4e-3)"));
  for (const char* how : {"--dt 2e-3", "--integrator dormand-prince --output-step 0.05"}) {
    const std::string words = fmt::format("lattice net.json {} --end ", how);
    const Json whole = femflex.json(words + "1");
    ASSERT_EQ(femflex(words + "0.35 --save-state c.h5").exit_code, 0);
    const bool fixed = std::string(how).starts_with("--dt");
    const std::string again =
        fixed ? "lattice net.json --end 1 --resume c.h5" : words + "1 --resume c.h5";
    const Json resumed = femflex.json(again);
    EXPECT_EQ(whole.find("nodes")->dump_line(), resumed.find("nodes")->dump_line()) << how;
    if (!fixed) continue;
    EXPECT_EQ(resumed.find("dt")->number(), 2e-3);
    EXPECT_EQ(femflex.json(again + " --dt 1e-3").find("dt")->number(), 1e-3);
  }
}

// Truth: at rest, dampers with c2 and c3 act by their linear part.
TEST_F(LatticeSwitches, DampersLinearisedAtRestAreTheirLinearPart) {
  std::array<double, 2> decay{};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string growth = i == 0 ? R"(, "c2": 2, "c3": 1)" : "";
    testing::write_text(
        femflex.file("net.json"),
        fmt::format(R"({{ "dimension": 1, "nodes": [ {{ "id": 1, "x": [0], "fixed": true }},
  {{ "id": 2, "x": [1], "mass": 0.5, "damping": {{ "c": 0.7{0} }} }} ],
  "springs": [ {{ "i": 1, "j": 2, "k": 30, "law": "linear", "damping": {{ "c": 0.2{0} }} }} ] }})",
                    growth));
    testing::write_text(femflex.file("s.json"),
                        R"({ "femflex": 1, "units": "m-kg-s", "gravity": [0, 0, 0],
  "bodies": { "net": { "lattice": "net.json" } }, "analyses": [ { "type": "modal" } ] })");
    const Json found = femflex.json("linearise s.json");
    decay[i] = found.find("modes")->items()[0].find("damping_ratio")->number();
  }
  const double truth = 0.9 / (2.0 * std::sqrt(30.0 * 0.5));
  EXPECT_NEAR(decay[1], truth, tolerance(1e-9));
  EXPECT_NEAR(decay[0], truth, tolerance(1e-7) * truth);
}

// Truth: the table that is written together with the result file.
TEST_F(LatticeSwitches, ATableNeedsNoResultFileBesideIt) {
  testing::write_text(femflex.file("net.json"), net(R"("motions": [])"));
  ASSERT_EQ(femflex("lattice net.json --end 0.1 -o r.h5 --csv a.csv").exit_code, 0);
  const Json alone = femflex.json("lattice net.json --end 0.1 --csv b.csv");
  EXPECT_EQ(alone.find("outputs")->items().size(), 1U);
  EXPECT_EQ(testing::read_text(femflex.file("a.csv")), testing::read_text(femflex.file("b.csv")));
  EXPECT_FALSE(femflex.has("b.csv.part.h5"));
}

}  // namespace
}  // namespace femflex::tools
