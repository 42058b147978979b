// Tests curves through points: values, slopes, integrals, ends, refused input.
#include "femflex/laws/curve.h"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "support/support.h"

namespace femflex::laws {
namespace {

using Beyond = Curve::Beyond;
using Kind = Curve::Kind;
using testing::tolerance;

const std::vector<double> kX = {0.0, 1.0, 2.0, 3.5, 4.0, 5.0};

std::vector<double> values_of(double (*f)(double)) {
  std::vector<double> y;
  for (const double x : kX)
    y.push_back(f(x));
  return y;
}

// Truth: interpolation passes through its points and reproduces straight lines. With evenly spaced
// points of a parabola, Akima's slopes are the derivatives.
TEST(Curve, PassesItsPointsAndGivesStraightLinesBack) {
  const std::vector<double> even = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0};
  std::vector<double> line, square;
  for (const double v : even) {
    line.push_back(3.0 - 2.0 * v);
    square.push_back(v * v);
  }
  const Curve straight(even, square, Kind::linear, Beyond::extrapolate, "t");
  EXPECT_NEAR(straight(2.5), 6.5, tolerance(1e-14));
  EXPECT_NEAR(straight.slope(2.5), 5.0, tolerance(1e-14));
  const Curve akima(even, square, Kind::akima, Beyond::extrapolate, "t");
  EXPECT_NEAR(akima(2.5), 6.25, tolerance(1e-13));
  EXPECT_NEAR(akima.slope(2.0), 4.0, tolerance(1e-13));
  const Curve akima_line(even, line, Kind::akima, Beyond::extrapolate, "t");
  EXPECT_NEAR(akima_line(0.37), 3.0 - 0.74, tolerance(1e-14));
  EXPECT_NEAR(akima_line(7.0), -11.0, tolerance(1e-13));  // straight beyond the end
}

// Truth: central differences beside corners; their errors are h^2 y''' / 6 and rounding errors.
TEST(Curve, DerivativeIsThatOfTheValueAndOfTheIntegralTheValue) {
  constexpr double kStep = 1e-5;
  const std::vector<double> y = values_of([](double x) { return std::sin(1.3 * x) + 0.2 * x; });
  for (const Kind kind : {Kind::linear, Kind::akima}) {
    for (const Beyond beyond : {Beyond::extrapolate, Beyond::hold}) {
      const Curve curve(kX, y, kind, beyond, "t");
      for (const double x : {-0.7, 0.3, 1.6, 2.9, 3.7, 4.4, 6.2}) {
        EXPECT_NEAR(
            curve.slope(x), (curve(x + kStep) - curve(x - kStep)) / (2.0 * kStep), tolerance(1e-9))
            << x;
        EXPECT_NEAR(curve(x),
                    (curve.integral(x + kStep) - curve.integral(x - kStep)) / (2.0 * kStep),
                    tolerance(1e-9))
            << x;
      }
    }
  }
}

// Truth: an integral is continuous; over a short interval at a corner it changes by at most |y|
// times the width.
TEST(Curve, IntegralStartsAtTheFirstPointAndIsContinuousOverCorners) {
  const std::vector<double> y = values_of([](double x) { return std::cos(2.0 * x); });
  for (const Kind kind : {Kind::linear, Kind::akima}) {
    const Curve curve(kX, y, kind, Beyond::hold, "t");
    EXPECT_EQ(curve.integral(0.0), 0.0);
    for (const double x : kX)
      EXPECT_NEAR(curve.integral(x + 1e-12), curve.integral(x - 1e-12), tolerance(1e-11)) << x;
  }
}

// Truth: the definition; the slope at a corner is the slope of the piece after it.
TEST(Curve, EndsAreHeldOrGoOn) {
  const Curve held({0.0, 1.0, 3.0}, {2.0, 4.0, 3.0}, Kind::linear, Beyond::hold, "t");
  EXPECT_EQ(held(-1.0), 2.0);
  EXPECT_EQ(held.slope(-1.0), 0.0);
  EXPECT_EQ(held.slope(0.0), 2.0);
  EXPECT_EQ(held.slope(1.0), -0.5);
  EXPECT_EQ(held(3.0), 3.0);
  EXPECT_EQ(held.slope(3.0), 0.0);
  const Curve on({0.0, 1.0, 3.0}, {2.0, 4.0, 3.0}, Kind::linear, Beyond::extrapolate, "t");
  EXPECT_EQ(on(-1.0), 0.0);
  EXPECT_EQ(on(5.0), 2.0);
}

// Truth: the line through the two neighbouring points, found by linear search.
TEST(Curve, EvenlySpacedPointsAreLookedUpInTheRightPiece) {
  std::vector<double> x, y;
  for (int k = 0; k <= 40; ++k) {
    x.push_back(0.1 * k - 1.0);
    y.push_back(std::sin(1.7 * k));
  }
  const Curve curve(x, y, Kind::linear, Beyond::extrapolate, "even");
  for (int step = -300; step <= 1300; ++step) {
    const double at = step / 300.0;
    std::size_t k = 0;
    while (k + 2 < x.size() && x[k + 1] <= at)
      ++k;
    const double slope = (y[k + 1] - y[k]) / (x[k + 1] - x[k]);
    EXPECT_EQ(curve.slope(at), slope) << at;
    EXPECT_EQ(curve(at), y[k] + slope * (at - x[k])) << at;
  }
}

// Truth: a table has finite numbers and ascending abscissae.
TEST(Curve, RefusesWhatIsNoFunction) {
  const auto make = [](std::vector<double> x, std::vector<double> y, Kind kind) {
    return Curve(std::move(x), std::move(y), kind, Beyond::hold, "t");
  };
  for (const Kind kind : {Kind::linear, Kind::akima}) {
    EXPECT_THROW(make({0.0, 1.0}, {0.0, std::nan("")}, kind), ModelError);
    EXPECT_THROW(make({0.0, std::nan("")}, {0.0, 1.0}, kind), ModelError);
    EXPECT_THROW(make({1.0, 1.0}, {0.0, 1.0}, kind), ModelError);
    EXPECT_THROW(make({0.0, 1.0, 2.0}, {0.0, 1.0}, kind), ModelError);
    EXPECT_THROW(make({0.0}, {0.0}, kind), ModelError);
  }
}

// Truth: central differences of the slope; the switches are the points of the table.
TEST(Curve, SecondDerivativeAndSwitches) {
  const std::vector<double> sines = values_of([](double x) { return std::sin(x); });
  const Curve akima(kX, sines, Kind::akima, Beyond::hold, "t");
  const double h = 1e-6;
  for (const double x : {-0.5, 0.2, 1.6, 2.9, 4.7, 5.5})
    EXPECT_NEAR(akima.second_derivative(x),
                (akima.slope(x + h) - akima.slope(x - h)) / (2.0 * h),
                tolerance(1e-8));
  const Curve linear(kX, sines, Kind::linear, Beyond::hold, "t");
  EXPECT_EQ(linear.second_derivative(1.5), 0.0);
  EXPECT_EQ(linear.switches(1.0, 4.0), (std::vector<double>{2.0, 3.5, 4.0}));
}

}  // namespace
}  // namespace femflex::laws
