// Tests facts on pages: the command that makes the page again, ticks, titles. Also tests results
// that were moved together with their body files.
#include <cmath>

#include <gtest/gtest.h>

#include "program.h"
#include "report/svg_plot.h"

namespace femflex::testing {
namespace {

namespace fs = std::filesystem;

class PageFacts : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(femflex.file("in put"));
    for (const std::string& call :
         {"import " + dms("dms.bdf") + " " + dms("dms.ou1.op4") + " --units m-kg-s -o dms.fe.h5",
          std::string("modes dms.fe.h5 --normal 2"),
          std::string("reduce dms.fe.h5 --damping 0.02 -o 'in put/dms.fbm'")})
      ASSERT_EQ(femflex(call).exit_code, 0) << call;
    write_text(femflex.file("in put/push.json"),
               R"x({ "femflex": 1, "name": "push", "units": "m-kg-s",
      "bodies": { "dms": { "flex": "dms.fbm" } },
      "joints": { "wall": { "type": "fixed", "a": "ground", "b": "dms" } },
      "forces": { "push": { "type": "force", "on": "dms/3", "value": [0, 0, "10*(1 - step(t, 0.5))"] } },
      "analyses": [ { "type": "dynamic", "end": 1, "step": 1e-2, "output_step": 0.05 } ],
      "outputs": [ "dms/zeta", "dms/3/displacement" ] })x");
    ASSERT_EQ(femflex("simulate 'in put/push.json' -o r.h5").exit_code, 0);
  }
  std::string page(const std::string& name) const { return read_text(femflex.file(name)); }
  /// The command on a page, without the marks that keep an option in one line.
  std::string command_on(const std::string& name) const {
    const std::string text = page(name);
    const std::size_t at = text.find("<pre>") + 5;
    std::string out = text.substr(at, text.find("</pre>", at) - at);
    for (const std::string& mark : {std::string("<span>"), std::string("</span>")})
      for (std::size_t k = 0; (k = out.find(mark)) != std::string::npos;)
        out.erase(k, mark.size());
    return out;
  }
  Program femflex;
};

// Truth: the same page.
TEST_F(PageFacts, TheCommandOnAPageMakesItAgain) {
  for (const std::string& call :
       {std::string(
            "compare r.h5 r.h5 --channels dms/3/displacement/z,dms/zeta --report page.html"),
        std::string("simulate 'in put/push.json' -o again.h5 --report page.html")}) {
    ASSERT_EQ(femflex(call + " --reproducible").exit_code, 0) << call;
    const std::string first = page("page.html");
    const std::string command = command_on("page.html");
    ASSERT_EQ(command.find("femflex "), 0U) << command;
    EXPECT_NE(command.find(" --report "), std::string::npos) << command;
    ASSERT_EQ(femflex(command.substr(8)).exit_code, 0) << command;
    EXPECT_EQ(page("FILE.html"), first)
        << command;  // a reproducible page does not contain its own name
  }
}

TEST_F(PageFacts, AResultFindsItsBodyFileWhereBothWereMoved) {
  fs::create_directory(femflex.file("elsewhere"));
  fs::rename(femflex.file("r.h5"), femflex.file("elsewhere/r.h5"));
  const auto lost = femflex("view elsewhere/r.h5 -o v.html");
  EXPECT_EQ(lost.exit_code, 2);
  EXPECT_NE(lost.err.find("the body file of 'dms' does not exist; put it next to the result"),
            std::string::npos)
      << lost.err;
  EXPECT_EQ(femflex("view elsewhere/r.h5 --flex 'in put/dms.fbm' -o v.html").exit_code, 0);
  const auto other = femflex("view elsewhere/r.h5 --flex dms.fe.h5 -o v.html");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("is not the body file of 'dms'"), std::string::npos) << other.err;
  fs::copy_file(femflex.file("in put/dms.fbm"), femflex.file("elsewhere/dms.fbm"));
  EXPECT_EQ(femflex("view elsewhere/r.h5 -o v.html").exit_code, 0);
  EXPECT_EQ(femflex("back-transform elsewhere/r.h5 --nodes 3 -o eta.h5").exit_code, 0);
}

TEST_F(PageFacts, TheVersionIsKnownByItsUsualNames) {
  const std::string version = femflex("--version").out;
  EXPECT_EQ(femflex("-V").out, version);
  EXPECT_EQ(femflex("version").out, version);
  EXPECT_NE(femflex("--help").out.find("-V, --version"), std::string::npos);
}

// Truth: 10^tick is a round number. An axis needs at least two ticks to show its scale.
TEST(PlotTicks, LogarithmicAxesHaveRoundTicksAndTwoAtLeast) {
  for (const double low : {-7.3, -3.0, -1.45, -0.2, 0.1, 2.02})
    for (const double width : {0.02, 0.3, 0.9, 1.3, 2.2, 5.0, 14.0}) {
      const std::vector<double> ticks = report::log_ticks(low, low + width);
      EXPECT_GE(ticks.size(), 2U) << low << " + " << width;
      EXPECT_LE(ticks.size(), 12U) << low << " + " << width;
      for (const double tick : ticks) {
        EXPECT_GE(tick, low - 1e-9);
        EXPECT_LE(tick, low + width + 1e-9);
        const double value = std::pow(10.0, tick);
        const double unit = std::pow(10.0, std::floor(std::log10(value)) - 3.0);
        EXPECT_NEAR(value / unit, std::round(value / unit), 1e-6) << value;
      }
    }
}

}  // namespace
}  // namespace femflex::testing
