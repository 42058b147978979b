// Runs every multibody benchmark that gives a motion over time with every integrator. Truth: values
// and tolerances in the files of the shared benchmarks.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <ostream>
#include <tuple>
#include <vector>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "benchmarks.h"
#include "flexible_mechanisms.h"
#include "integrators/integrator.h"
#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using testing::Expected;
using Quantities = std::map<std::string, std::function<double(double)>>;

/// One benchmark: the system, the channel of each entry, and the settings with which each
/// integrator stays within the tolerances.
struct Case {
  const char* name;       // name of the test
  const char* benchmark;  // name of the file
  std::function<System()> system;
  std::function<Quantities(const Results&, const Expected&)> quantities;
  double end, output_step;
  int entries;                   // smallest number of entries to compare
  double alpha_step, alpha_rho;  // generalised-alpha
  double rk_tolerance;           // runge-kutta
  double bdf_tolerance;          // bdf
};
void PrintTo(const Case& c, std::ostream* out) {  // NOLINT: GoogleTest looks for this name
  *out << c.name;
}

Quantities channels(const Results& r,
                    std::initializer_list<std::pair<const char*, const char*>> names) {
  Quantities q;
  for (const auto& [entry, channel] : names)
    q[entry] = [&r, name = std::string(channel)](double t) { return r.at(t, name); };
  return q;
}

Quantities point_mass(const Results& r, const Expected& /*expected*/) {
  return channels(r,
                  {{"x", "m/position/x"},
                   {"y", "m/position/y"},
                   {"vx", "m/velocity/x"},
                   {"vy", "m/velocity/y"}});
}

Quantities first_link(const Results& r, const Expected& /*expected*/) {
  return channels(r,
                  {{"B0_x", "v0/tip/position/x"},
                   {"B0_y", "v0/tip/position/y"},
                   {"B0_vx", "v0/tip/velocity/x"},
                   {"B0_vy", "v0/tip/velocity/y"}});
}

Quantities squeezer_angles(const Results& r, const Expected& /*expected*/) {
  Quantities q = channels(r, {{"F_x", "k1/F/position/x"}, {"F_y", "k1/F/position/y"}});
  for (const std::string name : {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"}) {
    q[name] = [&r, name](double t) { return r.at(t, name + "/angle"); };
    q[name + "_dot"] = [&r, name](double t) { return r.at(t, name + "/angle_rate"); };
  }
  return q;
}

Quantities wheels(const Results& r, const Expected& /*expected*/) {
  Quantities q;
  for (const std::string side : {"l", "r"})
    for (const std::string c : {"x", "y"}) {
      q[c + side] = [&r, side, c](double t) { return r.at(t, side + "/position/" + c); };
      q["v" + c + side] = [&r, side, c](double t) { return r.at(t, side + "/velocity/" + c); };
    }
  return q;
}

Quantities crab(const Results& r, const Expected& /*expected*/) {
  Quantities q = channels(
      r, {{"s", "rail/displacement"}, {"v", "rail/displacement_rate"}, {"w", "pin/angle_rate"}});
  q["phi"] = [&r](double t) { return r.at(t, "pin/angle") + 2.6179938779915; };
  return q;
}

Quantities two_arms(const Results& r, const Expected& /*expected*/) {
  return channels(r,
                  {{"phi1", "phi1/angle"},
                   {"phi2", "phi2/angle"},
                   {"w1", "phi1/angle_rate"},
                   {"w2", "phi2/angle_rate"}});
}

Quantities crank_in_space(const Results& r, const Expected& /*expected*/) {
  Quantities q =
      channels(r, {{"slider_x", "slider/position/x"}, {"crank_omega", "hinge/angle_rate"}});
  q["crank_angle"] = [&r](double t) { return std::remainder(r.at(t, "hinge/angle"), 2.0 * M_PI); };
  return q;
}

Quantities tumbling(const Results& r, const Expected& expected) {
  Quantities q;
  for (int c = 0; c < 3; ++c)  // angular velocity in the body frame
    q["w" + std::to_string(c + 1)] = [&r, c](double t) {
      const Eigen::Quaterniond turn(r.at(t, "body/orientation/w"),
                                    r.at(t, "body/orientation/x"),
                                    r.at(t, "body/orientation/y"),
                                    r.at(t, "body/orientation/z"));
      const Eigen::Vector3d w(r.at(t, "body/angular_velocity/x"),
                              r.at(t, "body/angular_velocity/y"),
                              r.at(t, "body/angular_velocity/z"));
      return (turn.conjugate() * w)(c);
    };
  const char* parts[] = {"w", "x", "y", "z"};
  for (int k = 0; k < 4; ++k)  // quaternions may differ by a common sign
    q["q" + std::to_string(k)] =
        [&r, &expected, name = std::string("body/orientation/") + parts[k]](double t) {
          const double scalar =
              expected.entries.at("q0@t=" + std::to_string(static_cast<int>(t))).value;
          return (scalar < 0.0 ? -1.0 : 1.0) * r.at(t, name);
        };
  return q;
}

Quantities free_run(const Results& r, const Expected& /*expected*/) {
  Quantities q = channels(r, {{"free_run phidot", "main/angle_rate"}});
  q["free_run phi"] = [&r](double t) { return r.at(t, "main/angle") + M_PI / 4; };
  return q;
}

Quantities car_step(const Results& r, const Expected& /*expected*/) {
  Quantities q = channels(r, {{"halfcar4 step heave", "car/position/y"}});
  q["halfcar4 step pitch"] = [&r](double t) {
    return -2.0 * std::asin(r.at(t, "car/orientation/z"));
  };
  q["halfcar4 step front wheel"] = [&r](double t) { return r.at(t, "wf/position/y") + 0.5; };
  q["halfcar4 step rear wheel"] = [&r](double t) { return r.at(t, "wr/position/y") + 0.5; };
  return q;
}

Quantities flexible_rod(const Results& r, const Expected& /*expected*/) {
  Quantities q = channels(r,
                          {{"q1", "rod/zeta/1"},
                           {"q2", "rod/zeta/2"},
                           {"q3", "rod/zeta/3"},
                           {"q4", "rod/zeta/4"},
                           {"x3", "slider/position/x"}});
  q["phi2"] = [&r](double t) { return 2.0 * std::asin(r.at(t, "rod/orientation/z")); };
  return q;
}

const Case kCases[] = {
    {"SimplePendulum",
     "A01_simple_pendulum",
     testing::simple_pendulum,
     point_mass,
     10.0,
     0.5,
     28,
     2e-4,
     0.9,
     1e-10,
     1e-9},
    {"TwoFourBars",
     "A02_n_four_bar_N2",
     [] { return testing::four_bars(2); },
     first_link,
     10.0,
     0.5,
     32,
     5e-4,
     0.8,
     1e-9,
     1e-8},
    {"FortyFourBars",
     "A02_n_four_bar_N40",
     [] { return testing::four_bars(40); },
     first_link,
     20.0,
     0.5,
     40,
     6e-4,
     0.95,
     1e-8,
     1e-9},
    {"AndrewsSqueezer",
     "A03_andrews_squeezer",
     testing::squeezer,
     squeezer_angles,
     0.05,
     0.005,
     46,
     1.25e-6,
     0.8,
     1e-10,
     1e-9},
    {"CarAxis", "car_axis", testing::car_axis, wheels, 3.0, 0.5, 48, 2e-5, 0.8, 1e-10, 1e-9},
    {"CraneCrab",
     "planarmechanics_crane_crab",
     testing::crane_crab,
     crab,
     5.0,
     0.5,
     24,
     5e-5,
     0.8,
     1e-10,
     1e-9},
    {"PlanarDoublePendulum",
     "double_pendulum",
     [] { return testing::double_pendulum(true); },
     two_arms,
     10.0,
     0.5,
     24,
     1.25e-4,
     0.8,
     1e-10,
     1e-9},
    {"SpatialDoublePendulum",
     "double_pendulum",
     [] { return testing::double_pendulum(false); },
     two_arms,
     10.0,
     0.5,
     24,
     1.25e-4,
     0.8,
     1e-10,
     1e-9},
    {"SpatialSliderCrank",
     "spatial_slider_crank",
     testing::spatial_slider_crank,
     crank_in_space,
     5.0,
     0.25,
     24,
     1e-4,
     0.8,
     1e-10,
     1e-9},
    {"FreeAsymmetricBody",
     "free_asymmetric_body",
     testing::free_asymmetric_body,
     tumbling,
     30.0,
     5.0,
     24,
     2e-4,
     0.9,
     1e-12,
     1e-10},
    {"FreeSliderCrank",
     "driven_slider_crank",
     [] { return testing::slider_crank(false); },
     free_run,
     2.0,
     0.1,
     12,
     5e-5,
     0.8,
     1e-10,
     1e-9},
    {"HalfCarStep",
     "half_car_ride",
     [] { return testing::half_car(0.05); },
     car_step,
     1.0,
     0.05,
     20,
     5e-5,
     0.8,
     1e-10,
     1e-9},
    {"ElasticPendulum",
     "elastic_pendulum",
     testing::elastic_pendulum,
     point_mass,
     20.0,
     1.0,
     20,
     1e-4,
     0.9,
     1e-10,
     1e-9},
    {"FlexibleSliderCrank",
     "flexible_slider_crank",
     testing::flexible_slider_crank,
     flexible_rod,
     0.3,
     0.01,
     48,
     2e-6,
     0.9,
     1e-8,
     1e-8},
};

using Cell = std::tuple<Case, Integrator>;
class Benchmark : public ::testing::TestWithParam<Cell> {};

DynamicOptions options_of(const Case& c, Integrator integrator) {
  DynamicOptions o;
  o.end = c.end;
  o.output_step = c.output_step;
  o.integrator = integrator;
  if (integrator == Integrator::generalised_alpha) {
    o.step = c.alpha_step;
    o.rho = c.alpha_rho;
  } else {
    const bool bdf = integrator == Integrator::bdf;
    o.step = bdf ? std::min(1e-3, 2e-4 * c.end) : 1e-5;
    o.relative_tolerance = bdf ? c.bdf_tolerance : c.rk_tolerance;
    o.absolute_tolerance = 0.1 * o.relative_tolerance;
  }
  return o;
}

TEST_P(Benchmark, StaysWithinItsTolerances) {
  const auto& [c, integrator] = GetParam();
  const Expected expected = testing::expected_of(c.benchmark);
  if (expected.empty()) GTEST_SKIP() << "the shared benchmarks are not here";
  if (integrator == Integrator::bdf && !bdf_available())
    GTEST_SKIP() << "this build is without SUNDIALS";
  Results results;
  const SimulationSummary summary = testing::run(c.system(), options_of(c, integrator), results);
  EXPECT_GE(testing::expect_series(expected, c.quantities(results, expected), c.end), c.entries);
  EXPECT_LT(summary.constraint_violation, testing::tolerance(1e-8));
  EXPECT_LT(summary.energy_drift, testing::tolerance(1e-4));
}

std::vector<Cell> cells() {
  std::vector<Cell> all;
  for (const Case& c : kCases) {
    all.emplace_back(c, Integrator::generalised_alpha);
    all.emplace_back(c, Integrator::runge_kutta);
    all.emplace_back(c, Integrator::bdf);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All,
                         Benchmark,
                         ::testing::ValuesIn(cells()),
                         [](const ::testing::TestParamInfo<Cell>& cell) {
                           const Integrator method = std::get<1>(cell.param);
                           return std::string(std::get<0>(cell.param).name) +
                                  (method == Integrator::generalised_alpha ? "ByGeneralisedAlpha"
                                   : method == Integrator::runge_kutta     ? "ByRungeKutta"
                                                                           : "ByBdf");
                         });

// Truth: a build with SUNDIALS has the integrator bdf; any other build reports the missing package.
TEST(Bdf, IsThereOrSaysWhichPackageIsMissing) {
  DynamicOptions o;
  o.end = 0.01;
  o.integrator = Integrator::bdf;
  Results results;
  Diagnostics diagnostics;
  try {
    simulate(testing::simple_pendulum(), o, results, diagnostics, no_progress());
    EXPECT_TRUE(bdf_available());
  } catch (const UsageError& error) {
    EXPECT_FALSE(bdf_available());
    EXPECT_EQ(error.code(), "no-bdf");
    EXPECT_NE(error.fix().find("libsundials-dev"), std::string::npos);
  }
}

/// A system for the test of the order of generalised-alpha. End time and step are large enough for
/// the error of the method to exceed rounding errors. The end time is early enough for the motion
/// not to be chaotic yet.
struct OrderCase {
  const char* name;
  std::function<System()> system;
  double end, step, rho;
};
void PrintTo(const OrderCase& c, std::ostream* out) {  // NOLINT: GoogleTest looks for this name
  *out << c.name;
}
class Order : public ::testing::TestWithParam<OrderCase> {};

// Truth: order two. The reference is a Runge-Kutta run whose error is five orders of magnitude
// smaller than the smallest error tested.
TEST_P(Order, HalvingTheStepDividesTheErrorByFour) {
  const OrderCase& c = GetParam();
  DynamicOptions o;
  o.end = o.output_step = c.end;
  o.integrator = Integrator::runge_kutta;
  o.relative_tolerance = 1e-12;
  o.absolute_tolerance = 1e-13;
  Results results;
  const Eigen::VectorXd exact = testing::run(c.system(), o, results).final_state.position;
  o.integrator = Integrator::generalised_alpha;
  o.rho = c.rho;
  o.newton_tolerance = 1e-9;
  double errors[3] = {};
  for (int k = 0; k < 3; ++k) {
    o.step = c.step / (1 << k);
    errors[k] =
        (testing::run(c.system(), o, results).final_state.position - exact).cwiseAbs().maxCoeff();
  }
  EXPECT_NEAR(errors[0] / errors[1], 4.0, testing::tolerance(0.6)) << errors[0];
  EXPECT_NEAR(errors[1] / errors[2], 4.0, testing::tolerance(0.6)) << errors[1];
}

INSTANTIATE_TEST_SUITE_P(
    All,
    Order,
    ::testing::Values(
        OrderCase{"SimplePendulum", testing::simple_pendulum, 1.0, 4e-3, 0.8},
        OrderCase{"CarAxis", testing::car_axis, 1.0, 4e-4, 0.8},
        OrderCase{"CraneCrab", testing::crane_crab, 2.0, 4e-3, 0.8},
        OrderCase{"DoublePendulum", [] { return testing::double_pendulum(true); }, 2.0, 1e-2, 0.8},
        OrderCase{"SpatialDoublePendulum",
                  [] { return testing::double_pendulum(false); },
                  2.0,
                  4e-3,
                  0.5},
        OrderCase{"SpatialSliderCrank", testing::spatial_slider_crank, 1.0, 2e-3, 0.8},
        OrderCase{"SliderCrank", [] { return testing::slider_crank(false); }, 0.5, 1e-3, 0.8},
        OrderCase{"FreeAsymmetricBody", testing::free_asymmetric_body, 5.0, 1e-2, 0.8},
        OrderCase{"ElasticPendulum", testing::elastic_pendulum, 2.0, 4e-3, 0.8},
        OrderCase{"HalfCar", [] { return testing::half_car(0.05); }, 0.5, 1e-3, 0.8}),
    [](const ::testing::TestParamInfo<OrderCase>& cell) { return std::string(cell.param.name); });

}  // namespace
}  // namespace femflex::mbd_solver
