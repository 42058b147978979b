// Tests rainflow counts. Truth: the example of the standard, a second algorithm, and rules for all
// counts.
#include "femflex/durability/rainflow.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::durability {
namespace {

using Counts = std::map<double, double>;  // range to count

Counts counts_of(const std::vector<Cycle>& cycles) {
  Counts out;
  for (const Cycle& cycle : cycles)
    out[cycle.range] += cycle.count;
  return out;
}

std::vector<double> random_signal(unsigned seed, int size) {
  std::mt19937 engine(seed);
  std::uniform_int_distribution<int> level(-30, 30);  // integer levels, so that equal ranges occur
  std::vector<double> out;
  for (int k = 0; k < size; ++k)
    out.push_back(level(engine));
  return out;
}

/// The procedure of ASTM E1049, 5.4.4, step by step. X and Y are the two ranges between three
/// points.
Counts astm_counts(const std::vector<double>& signal) {
  Counts out;
  std::vector<double> points;
  for (const double point : turning_points(signal)) {
    points.push_back(point);
    while (points.size() >= 3) {
      const std::size_t n = points.size();
      const double X = std::abs(points[n - 1] - points[n - 2]);
      const double Y = std::abs(points[n - 2] - points[n - 3]);
      if (X < Y) break;
      if (n == 3) {
        out[Y] += 0.5;
        points.erase(points.begin());
      } else {
        out[Y] += 1.0;
        points.erase(points.end() - 3, points.end() - 1);
      }
    }
  }
  for (std::size_t k = 0; k + 1 < points.size(); ++k)
    out[std::abs(points[k + 1] - points[k])] += 0.5;
  return out;
}

// Truth: ASTM E1049-85, figure 6, with a history and its counts.
TEST(Rainflow, CountsTheExampleOfTheStandard) {
  const std::vector<double> history = {-2, 1, -3, 5, -1, 3, -4, 4, -2};
  const Counts expected = {{3, 0.5}, {4, 1.5}, {6, 0.5}, {8, 1.0}, {9, 0.5}};
  EXPECT_EQ(counts_of(rainflow(history, Residue::half_cycles)), expected);
}

// Truth: the three-point procedure of the standard.
TEST(Rainflow, FourPointsCountWhatThreePointsCount) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const std::vector<double> signal = random_signal(seed, 5 + static_cast<int>(seed));
    EXPECT_EQ(counts_of(rainflow(signal, Residue::half_cycles)), astm_counts(signal)) << seed;
  }
}

// Truth: rules of the method. The largest range is maximum minus minimum. Every rise and every fall
// between turning points belongs to half a cycle. The counts do not change if the signal is
// reversed or has additional samples between the given ones.
TEST(Rainflow, ObeysItsRules) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    std::vector<double> signal = random_signal(seed, 60);
    const std::vector<Cycle> cycles = rainflow(signal, Residue::half_cycles);
    double sum = 0.0;
    double largest = 0.0;
    for (const Cycle& cycle : cycles) {
      sum += cycle.count;
      largest = std::max(largest, cycle.range);
    }
    const auto [low, high] = std::minmax_element(signal.begin(), signal.end());
    EXPECT_EQ(largest, *high - *low);
    EXPECT_EQ(2.0 * sum, static_cast<double>(turning_points(signal).size() - 1));
    std::vector<double> finer;
    for (std::size_t k = 0; k < signal.size(); ++k) {
      if (k > 0) finer.push_back(0.5 * (signal[k - 1] + signal[k]));
      finer.push_back(signal[k]);
    }
    EXPECT_EQ(counts_of(rainflow(finer, Residue::half_cycles)), counts_of(cycles));
    std::reverse(signal.begin(), signal.end());
    EXPECT_EQ(counts_of(rainflow(signal, Residue::half_cycles)), counts_of(cycles));
  }
}

// Truth: in a repeated history, every repetition after the first closes the same cycles. One more
// repetition therefore adds exactly these whole cycles.
TEST(Rainflow, ARepeatedResidueGivesTheCyclesOfOneRepetition) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<double> signal = random_signal(seed, 40);
    const auto repeated = [&](int times) {
      std::vector<double> all;
      for (int k = 0; k < times; ++k)
        all.insert(all.end(), signal.begin(), signal.end());
      return counts_of(rainflow(all, Residue::half_cycles));
    };
    Counts difference = repeated(4);
    for (const auto& [range, count] : repeated(3))
      difference[range] -= count;
    std::erase_if(difference, [](const auto& each) { return each.second == 0.0; });
    EXPECT_EQ(counts_of(rainflow(signal, Residue::repeated)), difference);
  }
}

// Truth: the definition of turning points.
TEST(Rainflow, TurningPointsOfEdgeCases) {
  using Points = std::vector<double>;
  EXPECT_EQ(turning_points(Points{}), Points{});
  EXPECT_EQ(turning_points(Points{2, 2, 2}), (Points{2}));
  EXPECT_EQ(turning_points(Points{0, 1, 1, 2, 2, 1, 1, 3}), (Points{0, 2, 1, 3}));
  EXPECT_TRUE(rainflow(Points{2, 2}, Residue::half_cycles).empty());
  EXPECT_TRUE(rainflow(Points{2, 2}, Residue::repeated).empty());
  EXPECT_EQ(testing::code_of([] { (void)parse_residue("full"); }), "residue");
}

// Truth: the counts of equal cycles add up.
TEST(Rainflow, CollectsEqualCycles) {
  const std::vector<Cycle> rows = collected({{2, 0, 1}, {1, 0, 0.5}, {2, 0, 0.5}, {2, 1, 1}});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1].range, 2.0);
  EXPECT_EQ(rows[1].count, 1.5);
}

}  // namespace
}  // namespace femflex::durability
