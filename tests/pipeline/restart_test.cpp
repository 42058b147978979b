// Tests runs that are continued from a state in a result file, as a user does it.
#include <cmath>

#include <gtest/gtest.h>

#include "femflex/io/hdf5_file.h"

#include "program.h"
#include "results/results_file.h"

namespace femflex::testing {
namespace {

using tools::ResultSeries;

// Two bars, the first on two hinges of the same axis with redundant constraints, and a cart with a
// prescribed motion. Multipliers, internal loads, turns, work and the factored matrix must all be
// continued.
const char* const kBars = R"json({ "femflex": 1, "name": "bars", "units": "m-kg-s",
  "parameters": { "limit": 10 },
  "bodies": {
    "bar": { "rigid": { "mass": 2, "com": [0.5, 0, 0], "inertia": [0.01, 0.2, 0.2, 0, 0, 0] } },
    "tip": { "rigid": { "mass": 1, "com": [1.5, 0, 0], "inertia": [0.01, 0.1, 0.1, 0, 0, 0] },
             "angular_velocity": [0, 9, 0], "velocity": [0, 0, 9] },
    "cart": { "point": { "mass": 1 }, "at": [0, 2, 0] } },
  "joints": {
    "left": { "type": "revolute", "a": "ground", "b": "bar", "at": [0, -0.1, 0], "axis": [0, 1, 0] },
    "right": { "type": "revolute", "a": "ground", "b": "bar", "at": [0, 0.1, 0], "axis": [0, 1, 0] },
    "elbow": { "type": "revolute", "a": "bar", "b": "tip", "at": [1, 0, 0], "axis": [0, 1, 0] } },
  "motions": { "shake": { "on": "cart", "x": "0.1*sin(7*t)" } },
  "forces": {
    "turn": { "type": "torsional-spring", "joint": "elbow", "stiffness": 3, "damping": 0.05 },
    "leash": { "type": "spring-damper", "a": "cart", "b": "tip", "stiffness": 4, "damping": 0.3,
               "length": 1 },
    "fuse": { "type": "torque", "on": "bar", "value": [0, "0*sqrt(limit - t)", 0] } },
  "gravity": [0, 0, -9.81],
  "analyses": [ { "type": "dynamic", "end": 1, "step": 2e-3, "output_step": 0.02 } ],
  "outputs": [ "bar/position", "tip/position", "tip/orientation", "left/reaction", "right/reaction",
               "energy" ] })json";

class Restart : public ::testing::Test {
 protected:
  void SetUp() override { write_text(femflex_.file("bars.json"), kBars); }

  ResultSeries run(const std::string& words, int exit_code = 0) const {
    const CommandResult result = femflex_("simulate " + words);
    EXPECT_EQ(result.exit_code, exit_code) << words << "\n" << result.out << result.err;
    const std::size_t at = words.find("-o ") + 3;
    return tools::read_results(femflex_.file(words.substr(at, words.find(' ', at) - at)));
  }
  // Expects that every row of `rest` is in `whole`, with all channels equal bit for bit.
  static void expect_tail(const ResultSeries& rest, const ResultSeries& whole, double from) {
    ASSERT_EQ(rest.channels.size(), whole.channels.size());
    ASSERT_GT(rest.time.size(), 1);
    const Eigen::Index offset = whole.time.size() - rest.time.size();
    ASSERT_GE(offset, 0);
    EXPECT_EQ(rest.time(0), from);
    for (Eigen::Index r = 0; r < rest.time.size(); ++r) {
      ASSERT_EQ(rest.time(r), whole.time(r + offset));
      for (std::size_t c = 0; c < rest.channels.size(); ++c) {
        const auto k = static_cast<Eigen::Index>(c);
        ASSERT_EQ(rest.values(r, k), whole.values(r + offset, k))
            << rest.channels[c].name << " at t = " << rest.time(r) << " after " << from;
      }
    }
  }
  void expect_refused(const std::string& words, const std::string& said) const {
    const CommandResult result = femflex_("simulate " + words + " -o no.h5");
    EXPECT_NE(result.exit_code, 0) << words;
    EXPECT_NE(result.err.find(said), std::string::npos) << words << "\n" << result.err;
    EXPECT_FALSE(femflex_.has("no.h5")) << words;
  }

  Program femflex_;
};

// Truth: the run without interruption, bit for bit in all channels including energy and work.
TEST_F(Restart, GoesOnBitForBitFromTheEndOfAShorterRun) {
  const ResultSeries whole = run("bars.json -o whole.h5");
  run("bars.json -o half.h5 --end 0.3 --keep-states");
  const ResultSeries rest = run("bars.json -o rest.h5 --restart half.h5");
  expect_tail(rest, whole, 0.3);
  const Eigen::Index work = rest.find("energy/work");
  ASSERT_GE(work, 0);
  EXPECT_NE(rest.values(0, work), 0.0);
}

// Truth: the run that stored the states.
TEST_F(Restart, GoesOnBitForBitFromAnyStoredRow) {
  const ResultSeries whole = run("bars.json -o whole.h5 --keep-states");
  for (const char* from : {"0", "0.02", "0.14", "0.6", "0.98"})
    expect_tail(run(std::string("bars.json -o rest.h5 --restart whole.h5 --from ") + from),
                whole,
                atof(from));
}

// Truth: the run without interruption. A continued run stores states as well.
TEST_F(Restart, MayBeRepeated) {
  const ResultSeries whole = run("bars.json -o whole.h5");
  run("bars.json -o a.h5 --end 0.3 --keep-states");
  run("bars.json -o b.h5 --end 0.7 --keep-states --restart a.h5");
  expect_tail(run("bars.json -o c.h5 --restart b.h5"), whole, 0.7);
}

// Truth: a run that does not fail. The other run ends because a load is not a number from 0.41 s
// onwards.
TEST_F(Restart, TakesUpARunThatCouldNotGoOn) {
  const ResultSeries whole = run("bars.json -o whole.h5");
  const ResultSeries part =
      run("bars.json -o part.h5 --keep-states --set parameters.limit=0.41", 3);
  EXPECT_FALSE(part.is_complete);
  expect_tail(run("bars.json -o rest.h5 --restart part.h5"), whole, 0.4);
}

// Truth: the run without interruption, including modal coordinates.
TEST_F(Restart, GoesOnBitForBitWithAFlexibleBody) {
  for (const std::string& words :
       {"import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") + " --modes " +
            dms("dms_static.pch") + ":static --modes " + dms("dms_constraint.pch") +
            ":constraint --units m-kg-s -o dms.fe.h5",
        std::string("reduce dms.fe.h5 --select static,constraint --damping 0.1 -o dms.fbm")}) {
    const CommandResult made = femflex_(words);
    ASSERT_EQ(made.exit_code, 0) << made.out << made.err;
  }
  write_text(femflex_.file("push.json"), R"json({ "femflex": 1, "name": "push", "units": "m-kg-s",
  "bodies": { "dms": { "flex": "dms.fbm" } },
  "joints": { "rail": { "type": "revolute", "a": "ground", "b": "dms", "axis": [0, 1, 0] } },
  "forces": { "push": { "type": "force", "on": "dms/3",
                        "value": [0.3, 0, "10*(1 - step(t, 0.5))"] } },
  "gravity": [0, 0, -9.81],
  "analyses": [ { "type": "static" },
                { "type": "dynamic", "end": 1, "step": 1e-2, "output_step": 0.05,
                  "keep_states": true } ],
  "outputs": [ "dms/zeta", "dms/position", "rail/reaction", "energy" ] })json");
  const ResultSeries whole = run("push.json -o whole.h5");
  for (const char* from : {"0", "0.05", "0.65"})
    expect_tail(run(std::string("push.json -o rest.h5 --restart whole.h5 --from ") + from),
                whole,
                atof(from));
}

// Truth: the run without interruption, within the tolerances of integrators that restart.
class RestartWith : public Restart, public ::testing::WithParamInterface<const char*> {};

TEST_P(RestartWith, GoesOnWithinTolerance) {
  const std::string with = std::string(" --integrator ") + GetParam();
  if (femflex_("simulate bars.json -o try.h5 --end 0.01" + with).err.find("SUNDIALS") !=
      std::string::npos)
    GTEST_SKIP() << "this build is without SUNDIALS";
  const ResultSeries whole = run("bars.json -o whole.h5 --keep-states" + with);
  const ResultSeries rest = run("bars.json -o rest.h5 --restart whole.h5 --from 0.5" + with);
  const Eigen::Index offset = whole.time.size() - rest.time.size();
  for (const char* channel : {"tip/position/x", "tip/position/z", "energy/work"}) {
    const Eigen::Index c = rest.find(channel);
    ASSERT_GE(c, 0) << channel;
    for (Eigen::Index r = 0; r < rest.time.size(); ++r)
      EXPECT_NEAR(rest.values(r, c), whole.values(r + offset, c), tolerance(1e-5))
          << channel << " at " << rest.time(r);
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators,
                         RestartWith,
                         ::testing::Values("runge-kutta", "bdf"),
                         [](const auto& test) {
                           return std::string(test.param) == "bdf" ? "Bdf" : "RungeKutta";
                         });

// The layout documented in docs/formats/results.md; without the option the file has none of these
// data sets.
TEST_F(Restart, KeepsOneStateARow) {
  const ResultSeries whole = run("bars.json -o whole.h5 --keep-states");
  const io::Hdf5File file = io::Hdf5File::open(femflex_.file("whole.h5"));
  EXPECT_EQ(file.read_vector("/states/time"), whole.time);
  EXPECT_EQ(file.read_vector("/states/work"), whole.values.col(whole.find("energy/work")));
  EXPECT_EQ(file.shape("/states/position"), (std::vector<std::uint64_t>{51, 21}));
  run("bars.json -o plain.h5");
  EXPECT_FALSE(io::Hdf5File::open(femflex_.file("plain.h5")).has("/states"));
}

TEST_F(Restart, RefusesWhatItCannotGoOnFromWithOneClearError) {
  run("bars.json -o plain.h5 --end 0.1");
  run("bars.json -o kept.h5 --end 0.1 --keep-states");
  expect_refused("bars.json --restart plain.h5", "--keep-states");
  expect_refused("bars.json --restart none.h5", "none.h5");
  expect_refused("bars.json --restart bars.json", "bars.json");
  expect_refused("bars.json --restart kept.h5 --from 0.05",
                 "of 6 states from 0 s to 0.1 s the nearest is at");
  expect_refused("bars.json --from 0.04", "--restart");
  expect_refused("bars.json --restart kept.h5 --end 0.1", "no dynamic analysis goes beyond 0.1 s");
  std::string other = kBars;
  other.replace(other.find("\"cart\": {"), 6, "\"sled\"");
  for (std::size_t at = other.find("\"cart\""); at != std::string::npos;
       at = other.find("\"cart\""))
    other.replace(at, 6, "\"sled\"");
  write_text(femflex_.file("other.json"), other);
  expect_refused("other.json --restart kept.h5", "another system");
}

}  // namespace
}  // namespace femflex::testing
