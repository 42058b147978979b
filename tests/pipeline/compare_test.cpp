#include "pipeline/compare.h"

#include <cmath>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "support/support.h"

namespace femflex::pipeline {
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

// rms of a constant difference c is c; relative to the rms of (3, 4): 5 / sqrt 2.
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

// A straight line is its own linear interpolation.
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

}  // namespace
}  // namespace femflex::pipeline
