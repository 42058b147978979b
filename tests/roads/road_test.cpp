// Tests shapes, tables, sums of layers and friction of roads against closed forms.
#include "femflex/roads/road.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "support/support.h"

namespace femflex::roads {
namespace {

using testing::code_of;
using testing::tolerance;

/// Compares slopes with central differences at a point that is not on a kink.
template <typename Surface>
void expect_gradient(const Surface& surface, double x, double y) {
  constexpr double kStep = 1e-6;
  const Elevation at = surface.at(x, y);
  EXPECT_NEAR(at.slope_x,
              (surface.at(x + kStep, y).height - surface.at(x - kStep, y).height) / (2.0 * kStep),
              1e-8);
  EXPECT_NEAR(at.slope_y,
              (surface.at(x, y + kStep).height - surface.at(x, y - kStep).height) / (2.0 * kStep),
              1e-8);
}

TEST(Road, PlaneHasItsNormal) {
  const Road road({Plane{0.5, 0.3, -0.4}}, 1.0, {});
  EXPECT_NEAR(road.height(2.0, 1.0), 0.7, 1e-15);
  const Eigen::Vector3d normal = Eigen::Vector3d(-0.3, 0.4, 1.0) / std::sqrt(1.25);
  EXPECT_LT((road.normal(7.0, 8.0) - normal).norm(), 1e-15);
  EXPECT_EQ(Road().height(1.0, 2.0), 0.0);
}

// Closed form: height 20 mm, full height from 1.0 to 1.1 m along 30 degrees, ramps of 10 mm.
TEST(Road, CleatRisesOverItsRamps) {
  const double heading = std::numbers::pi / 6.0;
  const Bump bump({0.0, 0.0, heading}, {.height = 0.02, .length = 0.1, .ramp = 0.01});
  const auto height = [&](double a, double c) {
    return bump
        .at(a * std::cos(heading) - c * std::sin(heading),
            a * std::sin(heading) + c * std::cos(heading))
        .height;
  };
  EXPECT_NEAR(height(0.05, 30.0), 0.02, tolerance(1e-15));
  EXPECT_NEAR(height(-0.005, -4.0), 0.01, tolerance(1e-14));
  EXPECT_NEAR(height(0.1025, 0.0), 0.015, tolerance(1e-14));
  EXPECT_EQ(height(-0.0101, 0.0), 0.0);
  EXPECT_EQ(height(0.1101, 0.0), 0.0);
  expect_gradient(bump, -0.004 * std::cos(heading), -0.004 * std::sin(heading));
}

TEST(Road, PotholeHasFourSidesAndAKerbNoEnd) {
  const Bump hole({1.0, 2.0, 0.0}, {.height = -0.05, .length = 0.6, .width = 0.4, .ramp = 0.02});
  EXPECT_NEAR(hole.at(1.3, 2.0).height, -0.05, 1e-15);
  EXPECT_NEAR(hole.at(1.3, 2.21).height, -0.025, 1e-14);
  EXPECT_EQ(hole.at(1.3, 2.23).height, 0.0);
  expect_gradient(hole, 1.61, 1.793);
  constexpr double kEndless = std::numeric_limits<double>::infinity();
  const Bump step({5.0, 0.0, 0.0}, {.height = 0.12, .length = kEndless, .ramp = 0.03});
  EXPECT_EQ(step.at(4.9, 0.0).height, 0.0);
  EXPECT_NEAR(step.at(4.985, 0.0).height, 0.06, 1e-14);
  EXPECT_NEAR(step.at(1e6, -3.0).height, 0.12, 1e-15);
}

TEST(Road, SineSweepAndTwistAreTheirFormulas) {
  Wave::Shape shape;
  shape.amplitude = 0.03;
  shape.first_wavelength = 10.0;
  shape.last_wavelength = 1.0;
  shape.length = 40.0;
  const Wave sweep({0.0, 0.0, 0.0}, shape);
  const auto phase = [](double a) {
    return 2.0 * std::numbers::pi * (0.1 * a + 0.9 * a * a / 80.0);
  };
  for (const double a : {0.3, 7.7, 31.0, 39.9}) {
    EXPECT_NEAR(sweep.at(a, 1.0).height, 0.03 * std::sin(phase(a)), tolerance(1e-14));
    expect_gradient(sweep, a, 0.2);
  }
  EXPECT_EQ(sweep.at(-0.1, 0.0).height, 0.0);
  EXPECT_EQ(sweep.at(40.1, 0.0).height, 0.0);
  EXPECT_LT(sweep.jump(), 1e-14);  // 22 whole waves

  shape.first_wavelength = shape.last_wavelength = 4.0;
  Wave::Shape opposite = shape;
  opposite.shift = std::numbers::pi;
  const Wave twist({0.0, 0.0, 0.0}, opposite);
  EXPECT_NEAR(twist.at(1.0, 1.0).height, 0.03, 1e-15);
  EXPECT_NEAR(twist.at(1.0, -1.0).height, -0.03, 1e-15);
  EXPECT_NEAR(twist.at(1.0, 0.0).height, 0.0, 1e-15);
  expect_gradient(twist, 1.3, 0.4);
  shape.length = 1.0;
  EXPECT_NEAR(Wave({}, shape).jump(), 0.03, 1e-15);
}

TEST(Road, TracksComeFromCsv) {
  const Tracks one = read_tracks("x, z\n0, 0\n# a remark\n2; 0.1\r\n3, 0.4\n", "p.csv", 0.0);
  EXPECT_NEAR(one.at(1.0, 5.0).height, 0.05, 1e-15);
  EXPECT_NEAR(one.at(9.0, 0.0).height, 0.4, 1e-15);
  EXPECT_TRUE(one.covers(0.0) && one.covers(3.0));
  EXPECT_FALSE(one.covers(-0.1) || one.covers(3.1));
  const Tracks tabs = read_tracks("x\tz\n0\t0\n2\t0.1\n", "p.csv", 0.0);
  EXPECT_NEAR(tabs.at(1.0, 0.0).height, 0.05, tolerance(1e-15));
  const Tracks two = read_tracks("0,0,0.2\n1,0.1,0.4\n", "p.csv", 2.0);
  EXPECT_NEAR(two.at(0.5, 1.0).height, 0.05, 1e-15);
  EXPECT_NEAR(two.at(0.5, -3.0).height, 0.3, 1e-15);
  EXPECT_NEAR(two.at(0.5, 0.0).height, 0.175, 1e-15);
  expect_gradient(two, 0.3, 0.2);
  EXPECT_EQ(code_of([] { read_tracks("0,0\n1,x\n", "p.csv", 1.0); }), "not-a-number");
  EXPECT_EQ(code_of([] { read_tracks("0,0\n1,1,1\n", "p.csv", 1.0); }), "row-size");
  EXPECT_EQ(code_of([] { read_tracks("0\n1\n", "p.csv", 1.0); }), "csv");
  EXPECT_EQ(code_of([] { read_tracks("x,z\n", "p.csv", 1.0); }), "csv");
  EXPECT_EQ(code_of([] { read_tracks("0,0\n0,1\n", "p.csv", 1.0); }), "table-order");
  EXPECT_EQ(code_of([] { read_tracks("0,0,0\n1,1,1\n", "p.csv", 0.0); }), "road-size");
}

// Closed form: z = x y is bilinear.
TEST(Road, GridIsBilinearAndHeldBeyondItsEdges) {
  const Grid grid = read_grid("x\\y,-1,0.5,2\n0,0,0,0\n1,-1,0.5,2\n4,-4,2,8\n", "g.csv");
  for (const double x : {0.2, 0.9, 3.3})
    for (const double y : {-0.7, 0.1, 1.9}) {
      EXPECT_NEAR(grid.at(x, y).height, x * y, tolerance(1e-14));
      expect_gradient(grid, x, y);
    }
  EXPECT_NEAR(grid.at(9.0, 1.0).height, 4.0, 1e-14);
  EXPECT_NEAR(grid.at(2.0, -7.0).height, -2.0, 1e-14);
  EXPECT_EQ(grid.at(9.0, 1.0).slope_x, 0.0);
  EXPECT_EQ(code_of([] { read_grid(",0,1\n0,1\n1,1,1\n", "g.csv"); }), "row-size");
  EXPECT_EQ(code_of([] { read_grid(",0,1\n", "g.csv"); }), "csv");
  EXPECT_EQ(code_of([] { Grid({0, 1}, {0, 1}, {1, 2, 3}); }), "table-size");
  EXPECT_EQ(code_of([] { Grid({0, 1}, {1, 0}, {1, 2, 3, 4}); }), "table-order");
}

TEST(Road, LayersAddAndPatchesDecideTheFriction) {
  const Road road({Plane{0.1, 0.0, 0.0}, Bump({}, {.height = 0.02, .length = 1.0, .ramp = 0.01})},
                  0.9,
                  {{{2.0, 0.0, 0.0}, 4.0, 1.0, 0.3}, {{3.0, 0.0, 0.0}, 1.0, 9.0, 0.1}});
  EXPECT_NEAR(road.height(0.5, 0.0), 0.12, 1e-15);
  EXPECT_EQ(road.friction(1.0, 0.0), 0.9);
  EXPECT_EQ(road.friction(2.5, 0.4), 0.3);
  EXPECT_EQ(road.friction(2.5, 0.6), 0.9);
  EXPECT_EQ(road.friction(3.5, 0.4), 0.1);
  RoadCursor cursor;
  EXPECT_EQ(road.at(3.5, 4.0, cursor).friction, 0.1);
}

TEST(Road, WrongSizesAreRefused) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(code_of([] { Bump({}, {.height = 0.1, .length = -1.0}); }), "road-size");
  EXPECT_EQ(code_of([] { Bump({}, {.height = 0.1, .length = 1.0, .ramp = 0.0}); }), "road-size");
  EXPECT_EQ(code_of([] { Bump({kNaN, 0.0, 0.0}, {.height = 0.1, .length = 1.0}); }), "not-finite");
  EXPECT_EQ(code_of([] { Wave({}, {0.1, 0.0, 1.0, 1.0, 2.0, 0.0}); }), "road-size");
  EXPECT_EQ(code_of([] { Road({}, -1.0, {}); }), "road-friction");
  EXPECT_EQ(code_of([] { Road({}, 1.0, {{{}, 0.0, 1.0, 0.5}}); }), "road-size");
}

}  // namespace
}  // namespace femflex::roads
