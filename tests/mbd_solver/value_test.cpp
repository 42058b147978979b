// Tests values over time given as numbers, formulas and curves, and the drag of a point.
#include "femflex/mbd_solver/value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/mbd_solver/linearise.h"

#include "benchmarks.h"
#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using testing::point;
using testing::run;
using testing::tolerance;

const std::vector<double> kTimes = {0.1, 0.25, 0.6, 1.1};
const std::vector<double> kHeights = {2.0, -1.0, 0.5, 0.75};

laws::Curve table() {
  return {kTimes, kHeights, laws::Curve::Kind::linear, laws::Curve::Beyond::hold, "a table"};
}

// Truth: the same function written as a formula.
TEST(Value, ACurveInAWindowIsTheFormulaWithItsConditions) {
  Value curve = table();
  curve.factor = 3.0;
  curve.offset = 0.5;
  curve.from = 0.2;
  curve.until = 0.8;
  const Value formula(
      "0.5 + 3*if(t < 0.2, 0, if(t < 0.8, if(t < 0.25, 2 - 20*(t - 0.1),"
      " if(t < 0.6, -1 + 1.5/0.35*(t - 0.25), 0.5 + 0.5*(t - 0.6))), 0))");
  for (double t = 0.0; t < 1.5; t += 0.03125) {
    const std::array<double, 3> is = curve.time_derivatives(t);
    const std::array<double, 3> truth = formula.time_derivatives(t);
    for (std::size_t order = 0; order < 3; ++order)
      EXPECT_NEAR(is[order], truth[order], tolerance(1e-12))
          << "derivative " << order << " at " << t;
    EXPECT_EQ(curve.at(std::array{t}), is[0]);
    EXPECT_EQ(curve.with_rate(t).derivative, is[1]);
  }
  std::vector<double> times = curve.switch_times(0.1, 1.1);
  std::sort(times.begin(), times.end());
  EXPECT_EQ(times, (std::vector<double>{0.2, 0.25, 0.6, 0.8, 1.1}));
}

// Truth: a formula with the numbers in place of the names.
TEST(Value, AFactorAndConstantsGiveTheBitsOfAFormulaWithTheirNumbers) {
  const laws::Formula named =
      laws::Formula::of_time("k*sin(w*t) - k^2*[arm/x]", {{"k", -2.5}, {"w", 3.0}, {"idle", 1.0}});
  EXPECT_EQ(named.variables(), (std::vector<std::string>{"t", "arm/x"}));
  EXPECT_EQ(named.constants(), (laws::Formula::Constants{{"k", -2.5}, {"w", 3.0}}));
  Value value = named;
  value.factor = 0.001;
  const Value plain("((-2.5)*sin(3*t) - (-2.5)^2*[arm/x])*0.001");
  for (const double t : {0.0, 0.3, 1.7})
    EXPECT_EQ(value.at(std::array{t, 0.4}), plain.at(std::array{t, 0.4}));
  EXPECT_NE(value.text(), Value(named).text());
}

// Truth: a number is constant; a window makes it a function of time.
TEST(Value, ANumberIsANumberUnlessItHasAWindow) {
  Value number = 2.0;
  number.factor = 3.0;
  number.offset = 1.0;
  EXPECT_TRUE(number.is_number());
  EXPECT_EQ(number.number(), 7.0);
  number.until = 0.5;
  EXPECT_FALSE(number.is_number());
  EXPECT_EQ(number.at(std::array{0.4}), 7.0);
  EXPECT_EQ(number.at(std::array{0.5}), 1.0);
  EXPECT_EQ(number.switch_times(0.0, 1.0), std::vector<double>{0.5});
}

System dragged(const DampingGrowth& growth, const Vector3d& velocity) {
  System s;
  s.bodies = {point("a", 0.5, Vector3d::Zero(), velocity)};
  s.forces = {{"drag", Drag{"a", 0.4, growth}}};
  s.outputs = {"a/velocity", "energy"};
  return s;
}

// Truth: m v' = -c v (1 + c2 v) has v = v0 e / (1 + c2 v0 (1 - e)), e = exp(-c t / m).
TEST(Drag, SlowsAPointAsTheClosedFormOfQuadraticDrag) {
  const Vector3d direction = Vector3d(2.0, -1.0, 2.0) / 3.0;
  const double v0 = 3.0, c2 = 0.8, end = 1.5;
  const double e = std::exp(-0.4 * end / 0.5);
  const double truth = v0 * e / (1.0 + c2 * v0 * (1.0 - e));
  for (const Integrator integrator : testing::methods()) {
    DynamicOptions o;
    o.end = o.output_step = end;
    o.integrator = integrator;
    o.step = 1e-4;
    o.relative_tolerance = 1e-11;
    o.absolute_tolerance = 1e-12;
    Results r;
    run(dragged({c2, 0.0}, v0 * direction), o, r);
    for (Eigen::Index axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(r.value(1, axis), truth * direction(axis), tolerance(1e-8));
  }
}

// Truth: along the velocity the derivative of c v (1 + c2 v + c3 v^2), perpendicular to it the
// force divided by the speed.
TEST(Drag, LinearisesAboutAMovingPoint) {
  const double c = 0.4, c2 = 0.8, c3 = 0.3, v = 2.0;
  const System s = dragged({c2, c3}, {v, 0.0, 0.0});
  Diagnostics diagnostics;
  AssemblyReport report;
  const Linearisation linear = linearise(s, assemble(s, report, diagnostics), diagnostics);
  const Eigen::Matrix3d damping =
      linear.free_directions * linear.damping * linear.free_directions.transpose();
  const Vector3d truth(c * (1.0 + 2.0 * c2 * v + 3.0 * c3 * v * v),
                       c * (1.0 + c2 * v + c3 * v * v),
                       c * (1.0 + c2 * v + c3 * v * v));
  EXPECT_LT((damping - Eigen::Matrix3d(truth.asDiagonal())).norm(), tolerance(1e-6) * truth.norm());
}

}  // namespace
}  // namespace femflex::mbd_solver
