// Tests a small version of the truck study: the steps of examples/truck, with half a second on the
// road instead of three.
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "program.h"
#include "results/results_file.h"

namespace femflex::testing {
namespace {

const std::filesystem::path& examples() {
  static const std::filesystem::path folder = data("").parent_path().parent_path() / "examples";
  return folder;
}

/// The body files, which are made once for all tests of the file.
class Truck : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_ = new Program;
    prepared_ = run(
        "'" + (examples() / "truck/prepare.sh").string() + "' '" + femflex_program().string() + "'",
        made_->file(""));
  }
  // checked here, because the runner would skip the tests after a failure in SetUpTestSuite()
  void SetUp() override { ASSERT_EQ(prepared_.exit_code, 0) << prepared_.out << prepared_.err; }
  static void TearDownTestSuite() {
    delete made_;
    made_ = nullptr;
  }
  static const Program& femflex() { return *made_; }
  static double error_of(const tools::Json& study, const std::string& variant) {
    for (const tools::Json& each : study.find("cases")->items())
      if (each.find("variant")->text() == variant) return each.find("error")->number();
    ADD_FAILURE() << "no " << variant;
    return -1.0;
  }

 private:
  static Program* made_;
  static CommandResult prepared_;
};
Program* Truck::made_ = nullptr;
CommandResult Truck::prepared_;

// Truth: the same truck with every elastic mode of the FE frame.
TEST_F(Truck, TwentyShapesStayWithinFivePercentWhereTwentyNormalModesDoNot) {
  const tools::Json study = femflex().json(
      "study truck.json --reference full --variants rigid,shapes5,shapes10,shapes20,shapes40,"
      "normal20 --channels chassis --below 50Hz --end 0.3 --folder runs --report study.html");
  EXPECT_EQ(study.find("reference_modes")->number(), 592.0);
  EXPECT_LT(error_of(study, "shapes20"), 0.05);
  EXPECT_GT(error_of(study, "normal20"), 0.1);
  EXPECT_LT(error_of(study, "shapes40"), error_of(study, "shapes20"));
  EXPECT_LT(error_of(study, "shapes20"), error_of(study, "shapes10"));
  EXPECT_LT(error_of(study, "shapes10"), error_of(study, "shapes5"));
  EXPECT_LT(error_of(study, "shapes5"), error_of(study, "rigid"));
  EXPECT_EQ(study.find("best")->text(), "shapes20");
  EXPECT_NE(read_text(femflex().file("study.html")).find("shapes20 is enough"), std::string::npos);
}

// Truth: the frame with a residual mode for every interface DOF. The shapes come from another road
// and from a bump under the wheels of the other side.
TEST_F(Truck, TwentyShapesStayWithinFivePercentOverAOneSidedBump) {
  const tools::Json study = femflex().json(
      "study bump.json --reference rich --variants shapes10,shapes20 --channels chassis --below "
      "50Hz --end 0.5 --folder runs_bump");
  EXPECT_LT(error_of(study, "shapes20"), 0.05);
  EXPECT_GT(error_of(study, "shapes10"), 0.05);
}

// Truth: the run with half the step. Below 50 Hz the error of a second-order method is (w h)^2 / 12
// of a percent.
TEST_F(Truck, HalfTheStepChangesTheMotionBelow50HzByLessThanOnePercent) {
  ASSERT_EQ(femflex()("simulate truck.json --end 1 -o whole.h5").exit_code, 0);
  ASSERT_EQ(
      femflex()("simulate truck.json --end 1 --step 5e-4 --output-step 1e-3 -o half.h5").exit_code,
      0);
  const tools::Json study = femflex().json(
      "study truck.json --reference half.h5 --variants shapes20 --channels chassis --below 50Hz "
      "--end 1 --folder runs");
  EXPECT_LT(error_of(study, "shapes20"), 0.01);
}

// Truth: the run itself. All shapes of a body span the same space as its modes.
TEST_F(Truck, AsManyShapesAsModesGiveTheSameMotion) {
  const std::string lean =
      " --set bodies.chassis.flex=chassis_5.fbm --set 'outputs=[\"chassis/zeta_ddot\",\"cab\"]'";
  ASSERT_EQ(femflex()("simulate truck.json --end 0.3 -o five.h5" + lean).exit_code, 0);
  const tools::Json made =
      femflex().json("transform chassis_5.fbm --run five.h5 --keep 5 -o again.fbm");
  EXPECT_NEAR(made.find("kept_share")->number(), 1.0, tolerance(1e-12));
  const std::string again =
      " --set bodies.chassis.flex=again.fbm --set 'outputs=[\"cab\"]' --end 0.3 -o again.h5";
  ASSERT_EQ(femflex()("simulate truck.json" + again).exit_code, 0);
  const CommandResult same =
      femflex()("compare five.h5 again.h5 --channels cab/position,cab/velocity --tol 1e-6");
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
}

TEST_F(Truck, ShapesOfARunThatDoesNotFitAreRefused) {
  ASSERT_EQ(femflex()("simulate truck.json --end 0.05 -o few.h5").exit_code, 0);
  const auto code = [&](const std::string& words) {
    const CommandResult result = femflex()("transform " + words + " --json");
    EXPECT_EQ(result.exit_code, 2) << result.out;
    return tools::parse_json(result.out, words).find("error")->find("code")->text();
  };
  EXPECT_EQ(code("chassis.fbm --run few.h5 --keep 5 -o x.fbm"), "no-such-channel");
  EXPECT_EQ(code("chassis_5.fbm --run few.h5 --keep 5 -o x.fbm"), "another-body");
  EXPECT_EQ(code("chassis_rich.fbm --run training.h5 --keep 500 -o x.fbm"), "mode-count");
  EXPECT_EQ(code("chassis.fbm --keep 5 -o x.fbm"), "usage");
  EXPECT_EQ(code("chassis_rich.fbm --run training.h5 --keep 2.7 -o x.fbm"), "usage");
  EXPECT_EQ(code("chassis_rich.fbm --run training.h5 --keep 5 --below -60 -o x.fbm"), "usage");
  EXPECT_FALSE(femflex().has("x.fbm"));
}

// Truth: the bytes of the first run, made in another folder and at another time.
TEST_F(Truck, WithReproducibleTwoRunsLeaveIdenticalFiles) {
  const std::vector<std::string> calls = {
      "reduce chassis.fe.h5 --method craig-chang --normal 20 --orthogonalise --scale --drop-rigid "
      "--damping 0.02 -o chassis.fbm chassis.flex chassis.fem chassis.SID_FEM chassis.npz --report "
      "reduce.html --reproducible --json > reduce.json",
      "simulate truck.json --end 0.1 -o r.h5 --csv r.csv --report simulate.html --reproducible "
      "--json > simulate.json",
      "compare r.h5 r.h5 --report compare.html --reproducible --json > compare.json",
      "validate chassis.fbm --against chassis.fe.h5 --report validate.html --reproducible --json > "
      "validate.json",
      "view chassis.fbm -o body.html --reproducible > view.txt",
      "view r.h5 -o run.html --reproducible > view_run.txt",
      "study truck.json --reference r.h5 --variants rigid,shapes20 --end 0.1 --below 50Hz "
      "--channels chassis --folder runs --report study.html --reproducible --json > study.json"};
  const Program one, two;
  for (const Program* program : {&one, &two}) {
    for (const char* name : {"truck.json", "chassis.fe.h5"})
      std::filesystem::copy_file(femflex().file(name), program->file(name));
    for (const std::string& call : calls) {
      const CommandResult result = (*program)(call);
      EXPECT_LE(result.exit_code, 1) << call << "\n" << result.out << result.err;
    }
  }
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(one.file(""))) {
    if (!entry.is_regular_file()) continue;
    const std::string name = std::filesystem::relative(entry.path(), one.file("")).string();
    const std::string text = read_text(entry.path());
    EXPECT_TRUE(text == read_text(two.file(name))) << name << " differs";
    EXPECT_EQ(text.find(one.file("").string()), std::string::npos) << name << " holds its folder";
    ++count;
  }
  EXPECT_GE(count, 20);
}

// Truth: the rows of a run without interruption.
TEST_F(Truck, CtrlCEndsWith130AndLeavesTheRowsSoFar) {
  const CommandResult result =
      run("'" + femflex_program().string() +
              "' simulate truck.json --variant rigid --end 2000 -o stopped.h5 --quiet & pid=$!; "
              "sleep 1.5; kill -INT $pid; wait $pid; echo $?",
          femflex().file(""));
  EXPECT_EQ(result.out.substr(result.out.size() - std::min<std::size_t>(4, result.out.size())),
            "130\n")
      << result.out << result.err;
  const tools::ResultSeries stopped = tools::read_results(femflex().file("stopped.h5"));
  EXPECT_FALSE(stopped.is_complete);
  ASSERT_GT(stopped.time.size(), 10);
  const Eigen::Index rows = std::min<Eigen::Index>(stopped.time.size(), 100);
  ASSERT_EQ(femflex()("simulate truck.json --variant rigid --end 0.2 -o whole.h5").exit_code, 0);
  const tools::ResultSeries whole = tools::read_results(femflex().file("whole.h5"));
  EXPECT_EQ(stopped.values.topRows(rows), whole.values.topRows(rows));
  EXPECT_NEAR(stopped.time(stopped.time.size() - 1),
              1e-3 * static_cast<double>(stopped.time.size() - 1),
              1e-9);
}

}  // namespace
}  // namespace femflex::testing
