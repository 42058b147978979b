// Tests the plots of the HTML pages: which points are drawn, the texts of the ticks, and cells
// without a value. Truth: the curves, which are known in closed form.
#include "report/svg_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "report/svg_heat_map.h"

namespace femflex::report {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Plot plot_of(const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
  Plot plot;
  plot.x_label = "time [s]";
  plot.y_label = "y [m]";
  plot.curves.push_back({"y", x, y});
  return plot;
}

// A pulse of one sample, and an oscillation that any fixed stride of 11 points would miss.
TEST(SvgPlot, PeaksAndOscillationsOfLongCurvesAreDrawn) {
  constexpr Eigen::Index kCount = 120'001;
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(kCount, 0.0, 12.0);
  Eigen::VectorXd y(kCount);
  for (Eigen::Index i = 0; i < kCount; ++i)
    y(i) = 10.0 * std::sin(2.0 * M_PI * static_cast<double>(i) / 11.0);
  y(70'003) = 360.0;
  y(70'004) = -200.0;
  const std::vector<Eigen::Index> drawn = drawn_points(plot_of(x, y)).at(0);
  EXPECT_LE(drawn.size(), 2600U);
  EXPECT_EQ(drawn.front(), 0);
  EXPECT_EQ(drawn.back(), kCount - 1);
  EXPECT_TRUE(std::is_sorted(drawn.begin(), drawn.end()));
  EXPECT_TRUE(std::binary_search(drawn.begin(), drawn.end(), 70'003));
  EXPECT_TRUE(std::binary_search(drawn.begin(), drawn.end(), 70'004));
  double lowest_crest = kInfinity;  // of any stretch of 400 samples
  for (Eigen::Index from = 0; from + 400 < kCount; from += 400) {
    double crest = 0.0;
    for (const Eigen::Index i : drawn)
      if (i >= from && i < from + 400) crest = std::max(crest, y(i));
    lowest_crest = std::min(lowest_crest, crest);
  }
  EXPECT_GT(lowest_crest, 9.8);  // 10 sin of the nearest sample to the crest: 9.9
}

TEST(SvgPlot, PeaksStayOnLogarithmicAxesInLoopsAndBesideGaps) {
  constexpr Eigen::Index kCount = 20'000;
  Eigen::VectorXd x(kCount), y(kCount);
  for (Eigen::Index i = 0; i < kCount; ++i) {
    x(i) = std::pow(10.0, 4.0 * static_cast<double>(i) / kCount);
    y(i) = i % 7 == 0 ? kNaN : 1.0;
  }
  y(12'346) = 1e6;
  y(15) = -1.0;  // a logarithmic axis cannot show it
  Plot plot = plot_of(x, y);
  plot.is_log_x = plot.is_log_y = true;
  std::vector<Eigen::Index> drawn = drawn_points(plot).at(0);
  EXPECT_TRUE(std::binary_search(drawn.begin(), drawn.end(), 12'346));
  EXPECT_EQ(svg_of(plot).find("nan"), std::string::npos);
  // 100 turns around a circle with one outlier
  for (Eigen::Index i = 0; i < kCount; ++i) {
    const double angle = 200.0 * M_PI * static_cast<double>(i) / kCount;
    x(i) = std::cos(angle);
    y(i) = std::sin(angle);
  }
  y(4'321) = 3.0;
  drawn = drawn_points(plot_of(x, y)).at(0);
  EXPECT_LE(drawn.size(), 2600U);
  EXPECT_TRUE(std::binary_search(drawn.begin(), drawn.end(), 4'321));
  // a short curve keeps all its points
  EXPECT_EQ(drawn_points(plot_of(x.head(100), y.head(100))).at(0).size(), 100U);
}

TEST(SvgPlot, PointsWithoutBothCoordinatesAreNotDrawn) {
  Eigen::VectorXd x(4), y(3);
  x << 0.0, kNaN, 2.0, 1e9;
  y << 1.0, 5.0, 3.0;  // shorter than x
  const std::string svg = svg_of(plot_of(x, y));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_NE(svg.find("points=\"76.0,256.0 704.0,26.0 \""), std::string::npos) << svg;
  x << 0.0, kInfinity, 2.0, 3.0;
  EXPECT_EQ(svg_of(plot_of(x, y)).find("inf"), std::string::npos);
}

TEST(SvgPlot, TicksDiffer) {
  for (const double offset : {0.0, 1.0, -1.0, 1000.0, -1000.0, 20'000.0, 12'345.678, 1e9})
    for (const double range : {1e-4, 0.03, 0.7, 5.0, 1e4}) {
      if (range < 1e-10 * std::abs(offset)) continue;
      const std::vector<double> ticks = round_ticks(offset, offset + range, 5);
      ASSERT_GE(ticks.size(), 3U);
      const TickTexts texts = tick_texts(ticks, 4);
      const std::set<std::string> different(texts.texts.begin(), texts.texts.end());
      EXPECT_EQ(different.size(), ticks.size()) << offset << " " << range;
      const double subtracted = texts.offset.empty() ? 0.0 : std::stod(texts.offset);
      for (std::size_t k = 0; k < ticks.size(); ++k)
        EXPECT_NEAR(std::stod(texts.texts[k]) + subtracted, ticks[k], 1e-3 * range)
            << offset << " " << range;
    }
  EXPECT_EQ(tick_texts({0.0, 0.25, 0.5}, 4).texts[1], "0.25");
  // of a logarithmic axis
  const TickTexts decades = tick_texts({1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3}, 4);
  EXPECT_EQ(decades.offset, "");
  EXPECT_EQ(decades.texts.front(), "0.001");
  EXPECT_EQ(decades.texts.back(), "1000");
  Eigen::VectorXd x(2), y(2);
  x << 20'000.0, 20'000.5;
  y << 1000.0, 1000.0004;
  const std::string svg = svg_of(plot_of(x, y));
  EXPECT_NE(svg.find(">time [s], 20000 subtracted<"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">y [m], 1000 subtracted<"), std::string::npos) << svg;
}

TEST(SvgPlot, ACurveOfZerosHasAnAxisOfUnitLength) {
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(3, 0.0, 1.0);
  const std::string svg = svg_of(plot_of(x, Eigen::VectorXd::Zero(3)));
  EXPECT_NE(svg.find(">-1<"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">1<"), std::string::npos);
  EXPECT_EQ(svg.find("e-12"), std::string::npos);
}

TEST(SvgHeatMap, ACellWithoutAValueIsCrossedOut) {
  Eigen::MatrixXd values(2, 2);
  values << 1.0, 0.0, kNaN, 0.25;
  const std::string svg = svg_heat_map(values, "a", "b");
  EXPECT_NE(svg.find("<title>2, 1: no value</title>"), std::string::npos);
  EXPECT_NE(svg.find("<title>1, 2: 0.0000</title>"), std::string::npos);
  EXPECT_EQ(svg.find("<path"), svg.rfind("<path"));
  EXPECT_NE(svg.find("<path"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace femflex::report
