// Tests the step response of two masses on two springs, with damping and with a reduced set of
// modes.
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/mbd_solver/simulate.h"

#include "flex_bodies.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

std::vector<std::vector<double>> read_csv(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::vector<double>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    rows.emplace_back();
    std::stringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');)
      rows.back().push_back(std::stod(field));
  }
  return rows;
}

System held_body(const Eigen::MatrixXd& columns) {
  System system;
  Flexible flexible;
  flexible.body = std::make_shared<FlexBody>(testing::double_mass_spring(columns));
  Body body;
  body.name = "dms";
  body.kind = flexible;
  system.bodies.push_back(body);
  Joint joint;
  joint.name = "bracket";
  joint.type = JointType::fixed;
  joint.a = "ground";
  joint.b = "dms";
  system.joints.push_back(joint);
  PointForce push;
  push.on = "dms/3";
  push.value = {Value(0.0), Value(0.0), Value(1.0)};
  system.forces.push_back({"push", push});
  system.outputs = {
      "dms/eta", "dms/eta_dot", "dms/zeta", "dms/2/displacement/z", "dms/3/displacement/z"};
  return system;
}

Eigen::Matrix2d static_and_constraint() {
  Eigen::Matrix2d U;
  U << 0.05, 0.0, 0.15, -0.1;
  return U;
}

// Truth: reference/meeuwse/damping_step_response.csv, exact to 15 digits (matrix exponential).
TEST(DoubleMassSpring, StepResponseWithDiagonalDampingOnANonOrthogonalSet) {
  const auto shared = testing::shared_folder();
  if (shared.empty()) GTEST_SKIP() << "the shared reference folder is not here";
  const auto table = read_csv(shared / "reference/meeuwse/damping_step_response.csv");
  System system = held_body(static_and_constraint());
  auto& flexible = std::get<Flexible>(system.bodies[0].kind);
  flexible.damping.kind = Damping::Kind::ratios;
  flexible.damping.ratios = {0.35, 0.25};
  DynamicOptions options;
  options.end = 15.0;
  options.output_step = 0.05;
  options.integrator = Integrator::runge_kutta;
  options.relative_tolerance = 1e-11;
  options.absolute_tolerance = 1e-12;
  Results results;
  Diagnostics diagnostics;
  const SimulationSummary summary = simulate(system, options, results, diagnostics, no_progress());
  EXPECT_EQ(summary.status, RunStatus::complete) << summary.reason;
  ASSERT_EQ(results.rows(), static_cast<Eigen::Index>(table.size()));
  double worst = 0.0;
  for (Eigen::Index r = 0; r < results.rows(); ++r) {
    const auto& want = table[static_cast<std::size_t>(r)];
    EXPECT_NEAR(results.time()[static_cast<std::size_t>(r)], want[0], 1e-12);
    for (Eigen::Index c = 0; c < 4; ++c)
      worst =
          std::max(worst, std::abs(results.value(r, c) - want[static_cast<std::size_t>(c + 1)]));
    for (Eigen::Index c = 0; c < 2; ++c)
      worst = std::max(worst,
                       std::abs(results.value(r, 6 + c) - want[static_cast<std::size_t>(c + 5)]));
  }
  EXPECT_LT(worst, testing::tolerance(1e-8));
}

// Truth: reference/meeuwse/reduction_example.csv, 13 digits.
TEST(DoubleMassSpring, ReductionToOneModeFollowsThePublishedExample) {
  const auto shared = testing::shared_folder();
  if (shared.empty()) GTEST_SKIP() << "the shared reference folder is not here";
  const auto table = read_csv(shared / "reference/meeuwse/reduction_example.csv");
  DynamicOptions options;
  options.end = table.back()[0];
  options.output_step = 0.05;
  options.integrator = Integrator::runge_kutta;
  options.relative_tolerance = 1e-11;
  options.absolute_tolerance = 1e-12;
  for (const bool full : {true, false}) {
    Results results;
    Diagnostics diagnostics;
    const System system = held_body(full ? Eigen::MatrixXd(static_and_constraint())
                                         : Eigen::MatrixXd(static_and_constraint().col(1)));
    simulate(system, options, results, diagnostics, no_progress());
    ASSERT_EQ(results.rows(), static_cast<Eigen::Index>(table.size()));
    const Eigen::VectorXd q1 = results.series("dms/2/displacement/z");
    const Eigen::VectorXd q2 = results.series("dms/3/displacement/z");
    for (std::size_t r = 0; r < table.size(); ++r) {
      EXPECT_NEAR(
          q1(static_cast<Eigen::Index>(r)), table[r][full ? 1 : 3], testing::tolerance(1e-8));
      EXPECT_NEAR(
          q2(static_cast<Eigen::Index>(r)), table[r][full ? 2 : 4], testing::tolerance(1e-8));
    }
  }
}

// Truth: a Runge-Kutta run. With half the step the error of a second-order method is a quarter.
TEST(DoubleMassSpring, GeneralisedAlphaConvergesWithOrderTwo) {
  System system = held_body(static_and_constraint());
  auto& flexible = std::get<Flexible>(system.bodies[0].kind);
  flexible.damping.kind = Damping::Kind::ratios;
  flexible.damping.ratios = {0.35, 0.25};
  const auto end_value = [&](Integrator integrator, double step) {
    DynamicOptions options;
    options.end = 5.0;
    options.output_step = 5.0;
    options.integrator = integrator;
    options.step = step;
    options.relative_tolerance = 1e-12;
    options.absolute_tolerance = 1e-13;
    Results results;
    Diagnostics diagnostics;
    simulate(system, options, results, diagnostics, no_progress());
    return results.at(5.0, "dms/eta/2");
  };
  const double exact = end_value(Integrator::runge_kutta, 1e-3);
  const double coarse = end_value(Integrator::generalised_alpha, 0.02) - exact;
  const double fine = end_value(Integrator::generalised_alpha, 0.01) - exact;
  EXPECT_NEAR(coarse / fine, 4.0, 0.6);
}

}  // namespace
}  // namespace femflex::mbd_solver
