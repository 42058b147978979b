// Tests control blocks and state spaces as a user runs them: the servo of examples/control, files
// of A, B, C, D, and one clear error for each mistake.
#include <cmath>
#include <complex>
#include <numbers>
#include <sstream>

#include <gtest/gtest.h>

#include "femflex/dense.h"
#include "femflex/io/mat5.h"

#include "program.h"

namespace femflex::testing {
namespace {

using tools::Json;

class Control : public ::testing::Test {
 protected:
  Control() {
    write_text(femflex_.file("servo.json"),
               read_text(data("../examples/control/servo.json").string()));
  }
  /// Reads a wrong block; returns the end of the message. There must be exactly one error, with
  /// exit code 2.
  std::string fault_of(const std::string& block) {
    write_text(femflex_.file("wrong.json"),
               R"({ "bodies": { "m": { "point": { "mass": 1 } } }, "blocks": { )" + block +
                   R"( }, "forces": { "f": { "type": "force", "on": "m", "value": ["[a]", 0, 0] } },
                   "analyses": [ { "type": "dynamic", "end": 0.1, "step": 0.01 } ] })");
    const CommandResult result = femflex_("simulate wrong.json -o wrong.h5");
    EXPECT_EQ(result.exit_code, 2) << block << result.err;
    return result.err;
  }
  Program femflex_;
};

// Truth: the template.
TEST_F(Control, TheExampleIsWhatNewWrites) {
  ASSERT_EQ(femflex_("new servo -o new.json").exit_code, 0);
  EXPECT_EQ(read_text(femflex_.file("new.json")), read_text(femflex_.file("servo.json")));
}

// Truth: the command, the limits, and the sampled controller compared with the continuous one.
TEST_F(Control, TheServoReachesItsAngleWithinItsLimits) {
  for (const std::string variant : {"", " --variant digital"}) {
    const Json run = femflex_.json("simulate servo.json -o servo.h5 --csv servo.csv" + variant);
    ASSERT_NE(run.find("warnings"), nullptr);
    EXPECT_TRUE(run.find("warnings")->items().empty()) << variant;
    std::istringstream rows(read_text(femflex_.file("servo.csv")));
    std::string line, last;
    std::getline(rows, line);
    EXPECT_NE(line.find("controller"), std::string::npos) << line;
    while (std::getline(rows, line))
      last = line;
    const double angle = std::stod(last.substr(last.find(',') + 1));
    EXPECT_NEAR(angle, 0.5 * std::numbers::pi, 2e-2) << variant;
  }
}

// Truth: the test closes the loop with the matrices of the open loop; the poles equal those of the
// closed loop.
TEST_F(Control, MatricesOfThePlantCloseTheSameLoop) {
  const CommandResult written = femflex_(
      "linearise servo.json --variant open --no-statics --state-space plant.mat "
      "--state-inputs controller --state-outputs pivot/angle");
  ASSERT_EQ(written.exit_code, 0) << written.err;
  const io::MatFile file = io::read_mat5(read_text(femflex_.file("plant.mat")), "plant.mat");
  const auto matrix = [&](const std::string& name) -> Eigen::MatrixXd {
    for (const io::MatArray& array : file.arrays)
      if (array.name == name)
        return Eigen::Map<const Eigen::MatrixXd>(array.values.data(),
                                                 static_cast<Eigen::Index>(array.rows),
                                                 static_cast<Eigen::Index>(array.columns));
    ADD_FAILURE() << name;
    return {};
  };
  const Eigen::MatrixXd A = matrix("A"), B = matrix("B"), C = matrix("C");
  const Eigen::Index n = A.rows();
  ASSERT_GT(n, 0);
  const double kp = 220.0, ki = 400.0, kd = 30.0, T = 0.003;
  Eigen::MatrixXd loop = Eigen::MatrixXd::Zero(n + 2, n + 2);
  loop.topRows(n) << A - (kp + kd / T) * B * C, B, -kd / T * B;
  loop.row(n).head(n) = -ki * C;
  loop.row(n + 1).head(n) = -C / T;
  loop(n + 1, n + 1) = -1.0 / T;
  const Eigen::VectorXcd poles = loop.eigenvalues();
  const Json closed = femflex_.json("linearise servo.json --no-statics --set gravity.2=0");
  ASSERT_NE(closed.find("modes"), nullptr);
  EXPECT_GE(closed.find("modes")->items().size(), 4U);
  for (const Json& mode : closed.find("modes")->items()) {
    const auto& pair = mode.find("eigenvalue")->items();
    const std::complex<double> root(pair[0].number(), pair[1].number());
    double nearest = 1e300;
    for (const std::complex<double> pole : poles)
      nearest = std::min(nearest, std::abs(pole - root));
    // the smoothed command has a double pole, whose accuracy is only the square root of rounding
    // errors
    EXPECT_LT(nearest, tolerance(1e-6) * std::abs(root)) << root.real();
  }
}

TEST_F(Control, StateSpacesAreWrittenAsAsked) {
  for (const std::string file : {"p.csv", "p.npz", "p.mat"}) {
    const Json done = femflex_.json(
        "linearise servo.json --no-statics --state-inputs motor,arm/tip/position/z --state-outputs "
        "pivot/angle,arm/tip/acceleration/z --order 3 --sample-time 0.001 "
        "--state-space " +
        file);
    ASSERT_NE(done.find("state_space"), nullptr);
    EXPECT_EQ(done.find("state_space")->find("states")->items().size(), 3U);
    EXPECT_TRUE(femflex_.has(file));
  }
  EXPECT_EQ(read_text(femflex_.file("p.csv")).find("step 0.001 s,balanced/1"), 0U);
  for (const std::string wrong : {"--state-space p.txt --state-inputs motor",
                                  "--state-space p.mat",
                                  "--state-inputs motor",
                                  "--state-space p.mat --state-inputs motor --order 0",
                                  "--state-space p.mat --state-inputs motor --order 99",
                                  "--state-space p.mat --state-inputs pivot/angle_rate",
                                  "--state-space p.mat --state-inputs nothing"})
    EXPECT_EQ(femflex_("linearise servo.json --no-statics " + wrong).exit_code, 2) << wrong;
}

TEST_F(Control, EachMistakeIsOneClearError) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("a": { "type": "expression", "input": "[b]" }, "b": { "type": "expression", "input": "[a]" })",
       "a <- b <- a"},
      {R"("a": { "type": "lag", "input": "1" })", "time"},
      {R"("a": { "type": "lag", "input": "1", "time": 0 })", "above 0"},
      {R"("a": { "type": "leg", "input": "1" })", "lag"},
      {R"("a": { "type": "transfer-function", "input": "1", "numerator": [1, 0], "denominator": [1] })",
       "differentiates"},
      {R"("a": { "type": "state-space", "input": "1", "A": [[1, 2]], "B": [[1]], "C": [[1]] })",
       "do not fit"},
      {R"("a": { "type": "pid", "input": "1", "derivative": 1 })", "filter"},
      {R"("a": { "type": "pid", "input": "1", "integral": 1, "max": 2 })", "tracking_time"},
      {R"("a": { "type": "table", "input": "t", "x": [1, 0], "y": [1, 2] })", "block a"},
      {R"("a": { "type": "hysteresis", "input": "t", "on": 0, "off": 1 })", "not below"},
      {R"("a": { "type": "sample-and-hold", "input": "t", "period": 0 })", "period"},
      {R"("a": { "type": "expression", "input": "[m/acceleration/x]" })", "accelerations"},
      {R"("a": { "type": "expression", "input": "[n/position/x]" })", "n/position/x"},
      {R"("m": { "type": "expression", "input": "1" }, "a": { "type": "expression", "input": "1" })",
       "cannot name a block"},
      {R"("a": { "type": "expression", "input": "1", "inptu": 2 })", "inptu"}};
  for (const auto& [block, message] : cases) {
    const std::string fault = fault_of(block);
    EXPECT_NE(fault.find(message), std::string::npos) << block << "\n" << fault;
    EXPECT_LE(line_count(fault), 3U) << fault;
  }
}

}  // namespace
}  // namespace femflex::testing
