// Tests published mechanisms of rigid bodies. Truth: the files of the shared benchmarks, whose
// values are exact or much more accurate than their tolerances.
#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "femflex/mbd_solver/linearise.h"
#include "femflex/mbd_solver/statics.h"

#include "benchmarks.h"
#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using testing::bushed_block;
using testing::expect_entry;
using testing::expect_series;
using testing::expected_of;
using testing::half_car;
using testing::run;
using testing::simple_pendulum;
using testing::slider_crank;
using testing::spatial_slider_crank;
using testing::squeezer;

#define NEEDS_SHARED(expected) \
  if ((expected).empty()) GTEST_SKIP() << "the shared benchmarks are not here"

DynamicOptions accurate_runge_kutta(double end, double output_step) {
  DynamicOptions options;
  options.end = end;
  options.output_step = output_step;
  options.integrator = Integrator::runge_kutta;
  options.relative_tolerance = 1e-10;
  options.absolute_tolerance = 1e-11;
  return options;
}

DynamicOptions alpha(double end, double output_step, double step) {
  DynamicOptions options;
  options.end = end;
  options.output_step = output_step;
  options.step = step;
  return options;
}

std::function<double(double)> channel(const Results& results, const std::string& name) {
  return [&results, name](double t) { return results.at(t, name); };
}

TEST(SimplePendulum, KeepsItsPathPeriodTensionAndEnergy) {
  const auto expected = expected_of("A01_simple_pendulum");
  NEEDS_SHARED(expected);
  Results r;
  const auto summary = run(simple_pendulum(), accurate_runge_kutta(10.0, 0.001), r);
  EXPECT_EQ(expect_series(expected,
                          {{"x", channel(r, "m/position/x")},
                           {"y", channel(r, "m/position/y")},
                           {"vx", channel(r, "m/velocity/x")},
                           {"vy", channel(r, "m/velocity/y")}},
                          10.0),
            28);
  const Eigen::VectorXd fx = r.series("rod/reaction/x"), fy = r.series("rod/reaction/y"),
                        e = r.series("energy/total");
  expect_entry(
      expected, "max_rod_tension", (fx.cwiseAbs2() + fy.cwiseAbs2()).cwiseSqrt().maxCoeff());
  expect_entry(expected, "max_energy_error_J_over_10s", (e.array() - e(0)).abs().maxCoeff());
  expect_entry(expected, "max_constraint_violation_m", summary.constraint_violation);
  const Eigen::VectorXd vy = r.series("m/velocity/y");
  for (Eigen::Index k = 2000; k < 2600; ++k)  // a period ends where vy falls through zero
    if (vy(k) > 0.0 && vy(k + 1) <= 0.0)
      expect_entry(
          expected, "period", 1e-3 * (static_cast<double>(k) + vy(k) / (vy(k) - vy(k + 1))));
}

TEST(SimplePendulum, KeepsItsPhaseOver845Periods) {
  const auto expected = expected_of("A01_simple_pendulum");
  NEEDS_SHARED(expected);
  DynamicOptions options = accurate_runge_kutta(2000.0, 2000.0);
  options.relative_tolerance = 1e-11;
  Results r;
  run(simple_pendulum(), options, r);
  expect_entry(expected, "x@t=2000 (long run, started at x=-1)", r.at(2000.0, "m/position/x"));
  expect_entry(expected, "y@t=2000 (long run)", r.at(2000.0, "m/position/y"));
}

void check_squeezer(const DynamicOptions& options, bool rates) {
  const auto expected = expected_of("A03_andrews_squeezer");
  NEEDS_SHARED(expected);
  Results r;
  run(squeezer(), options, r);
  std::map<std::string, std::function<double(double)>> q;
  for (const std::string name : {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"}) {
    q[name] = channel(r, name + "/angle");
    if (rates) q[name + "_dot"] = channel(r, name + "/angle_rate");
  }
  q["F_x"] = channel(r, "k1/F/position/x");
  q["F_y"] = channel(r, "k1/F/position/y");
  if (rates) {
    const auto spin = [&](const std::string& one, const std::string& less) {
      return [&r, one, less](double t) {
        return r.at(t, one + "/angular_acceleration/z") -
               (less.empty() ? 0.0 : r.at(t, less + "/angular_acceleration/z"));
      };
    };
    q["beta_ddot"] = spin("k1", "");
    q["Theta_ddot"] = spin("k2", "k1");
    q["gamma_ddot"] = spin("k3", "");
    q["Phi_ddot"] = spin("k4", "k5");
    q["delta_ddot"] = spin("k5", "");
    q["Omega_ddot"] = spin("k6", "k7");
    q["epsilon_ddot"] = spin("k7", "");
    const double turned = r.at(0.05, "beta/angle") - r.at(0.0, "beta/angle");
    expect_entry(expected,
                 "energy_balance_T+V-E0-mom*(beta-beta0)",
                 r.at(0.05, "energy/total") - r.at(0.0, "energy/total") - 0.033 * turned);
  }
  EXPECT_GE(expect_series(expected, q), rates ? 59 : 43);
}

TEST(AndrewsSqueezer, RungeKuttaMeetsThePublishedState) {
  check_squeezer(accurate_runge_kutta(0.05, 0.005), true);
}
TEST(SpatialSliderCrank, FollowsThePublishedMotion) {
  const auto expected = expected_of("spatial_slider_crank");
  NEEDS_SHARED(expected);
  for (const bool explicit_one : {true, false}) {
    Results r;
    const auto summary =
        run(spatial_slider_crank(),
            explicit_one ? accurate_runge_kutta(5.0, 0.25) : alpha(5.0, 0.25, 1e-4),
            r);
    const auto wrapped = [&](double t) {
      return std::remainder(r.at(t, "hinge/angle"), 2.0 * M_PI);
    };
    EXPECT_EQ(expect_series(expected,
                            {{"crank_angle", wrapped},
                             {"slider_x", channel(r, "slider/position/x")},
                             {"crank_omega", channel(r, "hinge/angle_rate")}}),
              24);
    EXPECT_EQ(summary.assembly.degrees_of_freedom, 1);
    EXPECT_TRUE(summary.assembly.redundant.empty());
    EXPECT_LT(summary.assembly.velocity_change, 1e-12);
    const Eigen::VectorXd e = r.series("energy/total");
    expect_entry(expected, "max_energy_error_J", (e.array() - e(0)).abs().maxCoeff());
  }
}

TEST(SliderCrank, GivesKinematicsAndDrivingTorqueOfAMotion) {
  const auto expected = expected_of("driven_slider_crank");
  NEEDS_SHARED(expected);
  Results r;
  const double tick = 15.0 * M_PI / 180.0 / 150.0;
  run(slider_crank(true), accurate_runge_kutta(22 * tick, tick), r);
  for (const int degrees : {0, 15, 30, 45, 60, 90, 120, 135, 150, 180, 270, 330}) {
    const Eigen::Index row = degrees / 15;
    const std::string at_angle = "@phi=" + std::to_string(degrees) + "deg";
    expect_entry(expected, "slider_x" + at_angle, r.value(row, 0));
    expect_entry(expected, "slider_v" + at_angle, r.value(row, 1));
    expect_entry(expected, "slider_a" + at_angle, r.value(row, 2));
    expect_entry(expected, "driver_torque" + at_angle, r.value(row, 5));
  }
}

TEST(BushedBlock, HasItsEigenvaluesAndItsStaticPosition) {
  const auto expected = expected_of("bushed_block");
  NEEDS_SHARED(expected);
  Diagnostics diagnostics;
  AssemblyReport report;
  for (const bool damped : {false, true}) {
    const System system = bushed_block(false, damped);
    const Linearisation lin = linearise(system, assemble(system, report, diagnostics), diagnostics);
    ASSERT_EQ(lin.modes.size(), 6U);
    for (std::size_t m = 0; m < 6; ++m) {
      const std::string number = std::to_string(m + 1);
      if (!damped) expect_entry(expected, "undamped_hz " + number, lin.modes[m].frequency_hz);
      if (!damped) continue;
      expect_entry(expected, "eig " + number + " real", lin.modes[m].eigenvalue.real());
      expect_entry(expected, "eig " + number + " imag", lin.modes[m].eigenvalue.imag());
    }
  }
  Results r;
  const StaticSummary rest =
      solve_statics(bushed_block(true, true), {}, r, diagnostics, no_progress());
  EXPECT_TRUE(rest.converged) << rest.reason;
  EXPECT_TRUE(rest.stable);
  expect_entry(expected, "static_x (linear theory)", r.value(0, 0));
  expect_entry(expected, "static_y (linear theory)", r.value(0, 1));
  expect_entry(expected, "static_z (linear theory)", r.value(0, 2));
  expect_entry(expected, "static_rx (linear theory)", 2.0 * r.value(0, 4));
  expect_entry(expected, "static_ry (linear theory)", 2.0 * r.value(0, 5));
  expect_entry(expected, "static_rz (linear theory)", 2.0 * r.value(0, 6));
}

TEST(HalfCar, HasItsEigenvaluesFrequencyResponseAndStepResponse) {
  const auto expected = expected_of("half_car_ride");
  NEEDS_SHARED(expected);
  Diagnostics diagnostics;
  AssemblyReport report;
  const System system = half_car(0.0);
  const Linearisation lin = linearise(system, assemble(system, report, diagnostics), diagnostics);
  ASSERT_EQ(lin.modes.size(), 4U);
  for (std::size_t m = 0; m < 4; ++m) {
    const std::string number = std::to_string(m + 1);
    expect_entry(expected, "halfcar4 eig" + number + " real", lin.modes[m].eigenvalue.real());
    expect_entry(expected, "halfcar4 eig" + number + " imag(abs)", lin.modes[m].eigenvalue.imag());
  }
  Eigen::VectorXd load = Eigen::VectorXd::Zero(9);
  load(4) = 190000.0;  // front wheel, y
  const Eigen::VectorXd hz = (Eigen::VectorXd(5) << 0.5, 1.0, 1.5, 5.0, 11.0).finished();
  const char* printed[5] = {"0.5", "1.0", "1.5", "5.0", "11.0"};
  const std::pair<const char*, int> outputs[4] = {
      {"heave m/m", 1}, {"pitch rad/m", 2}, {"front wheel m/m", 4}, {"rear wheel m/m", 7}};
  for (const auto& [name, index] : outputs) {
    const Eigen::VectorXcd response =
        frequency_response(lin, load, Eigen::VectorXd::Unit(9, index), hz);
    for (Eigen::Index k = 0; k < 5; ++k)
      expect_entry(expected,
                   std::string("halfcar4 |FRF| front road, ") + name + " @" + printed[k] + " Hz",
                   std::abs(response(k)));
  }
  Results r;
  DynamicOptions options = accurate_runge_kutta(1.0, 0.05);
  run(half_car(0.05), options, r);
  EXPECT_EQ(
      expect_series(
          expected,
          {{"halfcar4 step heave", channel(r, "car/position/y")},
           {"halfcar4 step pitch",
            [&](double t) { return -2.0 * std::asin(r.at(t, "car/orientation/z")); }},
           {"halfcar4 step front wheel", [&](double t) { return r.at(t, "wf/position/y") + 0.5; }},
           {"halfcar4 step rear wheel", [&](double t) { return r.at(t, "wr/position/y") + 0.5; }}}),
      20);
}

}  // namespace
}  // namespace femflex::mbd_solver
