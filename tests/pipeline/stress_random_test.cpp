// Tests `femflex stress SYSTEM --spectrum`: units, delays, and systems that have no stationary
// response. The body is a bracket with one mode.
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stress_fixture.h"

namespace femflex::testing {
namespace {

/// What acts beside the bracket, and the force on its end.
struct RandomSystem {
  std::string force = "push";
  std::string damping = "0.02";
  std::string more;  ///< further members of the system
  std::string body, joint, load;
};

class RandomStress : public Stress {
 protected:
  void SetUp() override {
    import("C3D20", "calculix/decks/held_C3D20.inp", "bracket.fe.h5");
    done("modes bracket.fe.h5 --normal 10");
    done("reduce bracket.fe.h5 --select dynamic:1-10 -o bracket.fbm");
  }
  void write_system(const RandomSystem& s) {
    write_text(femflex_.file("random.json"),
               fmt::format(R"json({{ "femflex": 1, "units": "m-kg-s", {}
    "bodies": {{ {} "bracket": {{ "flex": "bracket.fbm", "damping": {}, "modes": {{ "enable": "1" }} }} }},
    "joints": {{ {} "wall": {{ "type": "fixed", "a": "ground", "b": "bracket" }} }},
    "inputs": {{ "push": {{ "unit": "N", "value": 0 }}, "pull": {{ "unit": "kN", "value": 0 }} }},
    "forces": {{ {} "end": {{ "type": "force", "on": "bracket/9", "value": [0, "{}", 0] }} }} }})json",
                           s.more,
                           s.body,
                           s.damping,
                           s.joint,
                           s.load,
                           s.force));
  }
  /// A system in which a mass of 1 kg beside the bracket slides under this force.
  void write_slider(const std::string& force) {
    write_system(
        {.body = R"("slider": { "rigid": { "mass": 1, "inertia": [1, 1, 1, 0, 0, 0] } },)",
         .joint = R"("rail": { "type": "prismatic", "a": "ground", "b": "slider",
                              "at": [0, 0, 0], "axis": [1, 0, 0] },)",
         .load = fmt::format(
             R"("spring": {{ "type": "force", "on": "slider", "value": ["{}", 0, 0] }},)", force)});
  }
  std::string words(const std::string& table) {
    write_text(femflex_.file("densities.csv"), table);
    return "stress random.json --spectrum densities.csv";
  }
  /// A number of the von Mises stress of the first row.
  double found(const std::string& table, const std::string& key = "rms") {
    const tools::Json document = femflex_.json(words(table));
    const tools::Json& row = document.find("rows")->items().front();
    return row.find("von_mises")->find(key)->number();
  }
};

constexpr const char* kWhite = "hz,push\n0,2\n9000,2\n";
constexpr const char* kLow = "hz,push\n0,2\n50,2\n";

// Truth: a root with a real part of 0 or more never comes to rest.
TEST_F(RandomStress, NeedsASystemInWhichEverythingDecays) {
  write_system({.damping = "\"none\""});
  EXPECT_EQ(code(words(kWhite)), "not-stable");
  write_system({.more = R"("gravity": [0, 0, -9.81],)",
                .body = R"("pole": { "rigid": { "mass": 1, "inertia": [1, 1, 1, 0, 0, 0] },
                           "at": [0, 0, 1] },)",
                .joint = R"("pin": { "type": "revolute", "a": "ground", "b": "pole",
                            "at": [0, 0, 0], "axis": [0, 1, 0] },)"});
  EXPECT_EQ(code(words(kWhite)), "not-stable");
  for (const char* force : {"push",
                            "-[slider/velocity/x]",
                            "-[slider/position/x]",
                            "-[slider/position/x] + 2*[slider/velocity/x]"}) {
    write_slider(force);
    EXPECT_EQ(code(words(kWhite)), "not-stable") << force;
  }
}

// Truth: the bracket alone. The slider has a double root, 1 rad/s, whose eigenvectors coincide.
TEST_F(RandomStress, BesideACriticallyDampedMassIsThatOfTheBodyAlone) {
  write_system({});
  const double alone = found(kWhite);
  write_slider("-[slider/position/x] - 2*[slider/velocity/x]");
  EXPECT_NEAR(found(kWhite), alone, tolerance(1e-4) * alone);
}

// Truth: 0.001 kN is 1 N.
TEST_F(RandomStress, ConvertsADensityToTheUnitOfEachInput) {
  write_system({.force = "push + 1000*pull"});
  const double alone = found("hz,push [N^2/Hz]\n0,2\n50,2\n");
  EXPECT_NEAR(found("hz,push+pull [N^2/Hz]\n0,2\n50,2\n"), 2 * alone, tolerance(1e-9) * alone);
  EXPECT_NEAR(
      found("hz,pull+push [kN^2/Hz]\n0,2e-6\n50,2e-6\n"), 2 * alone, tolerance(1e-9) * alone);
  EXPECT_EQ(code(words("hz,push+pull\n0,2\n50,2\n")), "unit");
  EXPECT_NEAR(found("hz,push+pull [(N)^2/Hz]\n0,2\n50,2\n"), 2 * alone, tolerance(1e-9) * alone);
  // a unit force along a channel is in N, beside an input in kN
  EXPECT_EQ(code(words("hz,pull+bracket/9/position/x\n0,2\n50,2\n")), "unit");
  write_system({.force = "1000*servo",
                .more = R"("blocks": { "servo": { "type": "lag", "input": 0, "time": 0.1,
                           "unit": "kN" } },)"});
  EXPECT_NEAR(found("hz,servo [N^2/Hz]\n0,2\n50,2\n"), alone, tolerance(1e-9) * alone);
  write_system(
      {.force = "servo", .more = R"("blocks": { "servo": { "type": "lag", "input": 0, "time": 0.1,
                           "unit": "pond" } },)"});
  EXPECT_EQ(code(words("hz,servo [N^2/Hz]\n0,2\n50,2\n")), "unit");
  EXPECT_EQ(code(words("hz,servo [kg]\n0,2\n50,2\n")), "unit");
  done(words("hz,servo\n0,2\n50,2\n"));
}

// Truth: over a band of many periods of the delay, two equal forces are as two independent ones:
// twice all moments.
TEST_F(RandomStress, OfALongDelayIsThatOfIndependentForces) {
  write_system({});
  const std::string two = "hz,push+push@2\n0,2\n50,2\n";
  EXPECT_NEAR(found(two), std::sqrt(2.0) * found(kLow), 5e-3 * found(two));
  for (const char* key : {"crossings_per_s", "peaks_per_s"})
    EXPECT_NEAR(found(two, key), found(kLow, key), 5e-3 * found(kLow, key)) << key;
  EXPECT_EQ(code(words("hz,push+push@1e9\n0,2\n50,2\n")), "no-spectrum");
}

// Truth: the density 2 behind a lag of 10 s has the variance 2 / (4 10 s); far below the mode the
// stress follows the force. With a mode damped by 1e-5: phi^2 G / (8 D w^3 m^2).
TEST_F(RandomStress, ResolvesSlowRootsAndSharpPeaks) {
  write_system({});
  const double low = found("hz,push\n0,2\n0.2,2\n") / std::sqrt(0.4);
  for (const double time : {10.0, 1e4}) {
    write_system({.force = "slow",
                  .more = fmt::format(R"("blocks": {{ "slow": {{ "type": "lag", "input": "push",
                                         "time": {} }} }},)",
                                      time)});
    const double expected = low * std::sqrt(0.5 / time);
    EXPECT_NEAR(found(kLow), expected, 2e-3 * expected) << time;
  }
  write_system({});
  const double broad = found(kWhite);
  write_system({.damping = "2e-5"});
  const double expected = broad * std::sqrt(1e3);
  EXPECT_NEAR(found(kWhite), expected, 5e-3 * expected);
}

// Truth: a column or a term without a name drives nothing.
TEST_F(RandomStress, SaysWhatDrivesNothing) {
  write_system({});
  EXPECT_EQ(code(words("hz,push,\n0,2,9\n50,2,9\n")), "no-spectrum");
  EXPECT_EQ(code(words("hz,push+\n0,2\n50,2\n")), "no-spectrum");
  EXPECT_EQ(code(words("hz,@0.5\n0,2\n50,2\n")), "no-spectrum");
  EXPECT_EQ(code(words(kLow) + " --body racket"), "no-such-body");
}

}  // namespace
}  // namespace femflex::testing
