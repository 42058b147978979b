// Tests figures and plots that a system file requests with "page". Truth: closed forms of an
// undamped oscillator, and counts by definition.
#include "system/run_page.h"

#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "program.h"

namespace femflex::testing {
namespace {

// 4 kg on 100 N/m: 5 rad/s, released at 0.1 m
const char* const kOscillator = R"json({ "units": "m-kg-s",
  "bodies": { "mass": { "rigid": { "mass": 4, "inertia": [1, 1, 1, 0, 0, 0] }, "at": [0.1, 0, 0] } },
  "joints": { "guide": { "type": "prismatic", "a": "ground", "b": "mass", "axis": [1, 0, 0] } },
  "forces": { "spring": { "type": "force", "on": "mass", "value": [ "-100*[mass/position/x]", 0, 0 ] } },
  "analyses": [ { "type": "dynamic", "end": 8, "step": 2e-3, "output_step": 2e-3 } ],
  "outputs": [ "mass/position/x", "mass/velocity/x", "energy" ],
  "page": { "from": 1,
    "figures": { "swing": "max:mass/position/x@1-8s", "angular frequency": "max:mass/velocity/x / max:mass/position/x" },
    "plots": [ { "title": "Phase plane", "x": "mass/position/x", "y": [ "mass/velocity/x" ] },
               { "kind": "psd", "y": [ "mass/position/x" ], "high_hz": 5 },
               { "kind": "crossings", "y": [ "mass/position/x" ], "from": 1 },
               { "kind": "ratio", "x": "mass/position/x", "y": [ "mass/velocity/x" ], "high_hz": 5 } ] },
  "variants": { "same": {} } })json";

class RunPage : public ::testing::Test {
 protected:
  void SetUp() override { write_text(femflex_.file("s.json"), kOscillator); }
  /// Runs the system with one text replaced.
  CommandResult with(const std::string& old_text, const std::string& new_text) const {
    std::string text = kOscillator;
    text.replace(text.find(old_text), old_text.size(), new_text);
    write_text(femflex_.file("wrong.json"), text);
    return femflex_("simulate wrong.json -o w.h5 --report w.html");
  }
  Program femflex_;
};

TEST_F(RunPage, TellsItsFiguresAndTheEnergyAccount) {
  const tools::Json document = femflex_.json("simulate s.json -o r.h5 --report r.html");
  const auto& figures = document.find("figures")->items();
  ASSERT_EQ(figures.size(), 3U);
  const auto value = [&](std::size_t k) { return figures[k].find("value")->number(); };
  EXPECT_NEAR(value(0), 0.1, tolerance(1e-4) * 0.1);
  EXPECT_NEAR(value(1), 5.0, tolerance(1e-3) * 5.0);
  EXPECT_EQ(figures[1].find("unit")->text(), "m/s/(m)");
  EXPECT_LT(value(2), tolerance(1e-3));
  const std::string page = read_text(femflex_.file("r.html"));
  for (const char* text : {"Phase plane", "angular frequency", "upward crossings", "(m)^2/Hz"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
}

TEST_F(RunPage, LaysRunsOverEachOther) {
  const tools::Json document = femflex_.json(
      "study s.json --reference same --variants same --channels mass --report r.html");
  EXPECT_EQ(document.find("figures")->items().size(), 3U);
  EXPECT_EQ(document.find("cases")->items().front().find("figures")->items().size(), 3U);
}

TEST_F(RunPage, SaysWhatIsWrongBeforeItRuns) {
  EXPECT_EQ(with("max:mass/position/x@1-8s", "max:mass/position/y").exit_code, 2);
  EXPECT_EQ(with("max:mass/position/x@1-8s", "most:mass/position/x").exit_code, 2);
  EXPECT_EQ(with("\"psd\"", "\"pds\"").exit_code, 2);
  EXPECT_EQ(with("\"high_hz\": 5", "\"heigh_hz\": 5").exit_code, 2);
  EXPECT_EQ(with("\"title\": \"Phase plane\", \"x\"", "\"kind\": \"ratio\", \"z\"").exit_code, 2);
  EXPECT_FALSE(femflex_.has("w.h5"));
}

// Truth: a sine of 10 periods crosses each level between its extremes upwards ten times.
TEST(LevelCrossings, CountEachRise) {
  constexpr int kPeriods = 10, kRows = 4000;
  std::vector<double> y;
  for (int k = 0; k < kRows; ++k)
    y.push_back(-std::cos(2.0 * std::numbers::pi * kPeriods * k / kRows));
  for (const double count : tools::level_crossings(y).count)
    EXPECT_EQ(count, kPeriods);
}

}  // namespace
}  // namespace femflex::testing
