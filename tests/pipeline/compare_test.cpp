// Tests the comparison of results and of bodies.
#include <cmath>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "body/compare_bodies.h"
#include "results/compare_results.h"
#include "support/support.h"

namespace femflex::tools {
namespace {

using testing::tolerance;

ResultSeries series_of(const std::string& name,
                       const Eigen::VectorXd& t,
                       const Eigen::VectorXd& y) {
  ResultSeries out;
  out.time = t;
  out.channels = {{name, "m"}};
  out.values = y;
  return out;
}

// Truth: the rms of a constant difference c is c; relative to the rms of (3, 4) it is c / (5 / sqrt
// 2).
TEST(Compare, NormsOfAConstantDifferenceAreThatDifference) {
  const Eigen::Vector2d t(0.0, 1.0);
  const ResultSeries a = series_of("x", t, Eigen::Vector2d(3.0, 4.0));
  const ResultSeries b = series_of("x", t, Eigen::Vector2d(3.5, 4.5));
  const ResultComparison comparison = compare_results(a, b, {}, 0.1);
  ASSERT_EQ(comparison.channels.size(), 1U);
  EXPECT_NEAR(comparison.channels[0].rms, 0.5, tolerance(1e-15));
  EXPECT_NEAR(comparison.channels[0].max, 0.5, tolerance(1e-15));
  EXPECT_NEAR(comparison.channels[0].relative_rms, 0.5 / (5.0 / std::sqrt(2.0)), tolerance(1e-15));
  EXPECT_NEAR(comparison.channels[0].correlation, 1.0, tolerance(1e-14));
  EXPECT_FALSE(comparison.passes);
  EXPECT_TRUE(compare_results(a, b, {}, 0.2).passes);
}

// Truth: linear interpolation reproduces a straight line.
TEST(Compare, OtherTimesAreInterpolatedInsideTheCommonSpan) {
  const Eigen::VectorXd ta = Eigen::VectorXd::LinSpaced(11, 0.0, 1.0);
  const Eigen::VectorXd tb = Eigen::VectorXd::LinSpaced(4, 0.0, 0.75);
  const ResultComparison comparison =
      compare_results(series_of("x", ta, 2.0 * ta), series_of("y", tb, 2.0 * tb), {"x=y"}, 1e-12);
  EXPECT_EQ(comparison.time.size(), 8);
  EXPECT_LE(comparison.channels[0].max, tolerance(1e-15));
  EXPECT_TRUE(comparison.passes);
}

TEST(Compare, ResultsWithoutACommonChannelAreRefused) {
  const Eigen::Vector2d t(0.0, 1.0);
  EXPECT_THROW(
      static_cast<void>(compare_results(series_of("x", t, t), series_of("y", t, t), {}, 1.0)),
      UsageError);
}

// The same space in other coordinates: two zero modes and two double modes are mixed differently.
TEST(Compare, ABodyInOtherCoordinatesIsTheSame) {
  FlexBody a;
  a.name = "a";
  for (int k = 0; k < 3; ++k)
    a.nodes.push_back({k + 1, Eigen::Vector3d(k, 0.0, 0.0)});
  a.shapes.resize(18, 5);
  for (Eigen::Index i = 0; i < 18; ++i)
    for (Eigen::Index j = 0; j < 5; ++j)
      a.shapes(i, j) = std::sin(1.0 + 3.7 * static_cast<double>(5 * i + j));
  a.mass = Eigen::MatrixXd::Identity(5, 5);
  a.stiffness = Eigen::VectorXd{{0.0, 0.0, 900.0, 900.0, 4e4}}.asDiagonal();
  a.modes.resize(5);
  Eigen::MatrixXd T(5, 5);
  for (Eigen::Index i = 0; i < 5; ++i)
    for (Eigen::Index j = 0; j < 5; ++j)
      T(i, j) = std::cos(2.0 + 1.3 * static_cast<double>(7 * i + 3 * j)) + (i == j ? 2.0 : 0.0);
  FlexBody b = a;
  b.shapes = a.shapes * T;
  b.mass = T.transpose() * T;
  b.stiffness = T.transpose() * a.stiffness * T;
  const BodyComparison same = compare_bodies(a, b, 1e-6);
  EXPECT_TRUE(same.passes);
  for (const BodyComparison::Mode& mode : same.modes)
    EXPECT_NEAR(mode.mac, 1.0, tolerance(1e-9));
  b.stiffness *= 1.01;
  EXPECT_FALSE(compare_bodies(a, b, 1e-3).passes);
}

}  // namespace
}  // namespace femflex::tools
