// Tests random roads: spectrum and coherency of the generated tracks.
#include "femflex/roads/iso8608.h"

#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::roads {
namespace {

using testing::code_of;
using Complex = std::complex<double>;

/// Harmonic k of one period, computed by definition.
Complex harmonic(const std::vector<double>& z, std::size_t k) {
  const double angle =
      -2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(z.size());
  const Complex step = std::polar(1.0, angle);
  Complex turn = 1.0, sum = 0.0;
  for (const double value : z) {
    sum += value * turn;
    turn *= step;
  }
  return sum / static_cast<double>(z.size());
}

/// Means over the harmonics [first, last): spectra of both tracks divided by G(n), and coherency.
struct Estimate {
  double left = 0.0, right = 0.0, coherency = 0.0;
};

Estimate estimate(const TwoTracks& tracks, double roughness, std::size_t first, std::size_t last) {
  const double length = static_cast<double>(tracks.left.size()) * tracks.spacing;
  double left = 0.0, right = 0.0, cross = 0.0;
  for (std::size_t k = first; k < last; ++k) {
    const double n = static_cast<double>(k) / length;
    // one-sided spectral density of a harmonic c: 2 |c|^2 L
    const double unit = 2.0 * length / (roughness * std::pow(n / 0.1, -2.0));
    const Complex a = harmonic(tracks.left, k), b = harmonic(tracks.right, k);
    left += unit * std::norm(a);
    right += unit * std::norm(b);
    cross += unit * (a * std::conj(b)).real();
  }
  const auto count = static_cast<double>(last - first);
  return {left / count, right / count, cross / std::sqrt(left * right)};
}

// Truth: ISO 8608, table of geometric means.
TEST(Iso8608, ClassesHaveTheirRoughness) {
  EXPECT_DOUBLE_EQ(iso8608_roughness('A'), 16e-6);
  EXPECT_DOUBLE_EQ(iso8608_roughness('C'), 256e-6);
  EXPECT_DOUBLE_EQ(iso8608_roughness('H'), 262144e-6);
  EXPECT_EQ(code_of([] { iso8608_roughness('I'); }), "road-class");
}

// Truth: the given G(n) and coherency. The mean of m independent chi-square values with 2 DOFs has
// the relative deviation 1/sqrt(m); a coherency estimate has (1 - c^2)/sqrt(2 m). The test allows 4
// deviations.
TEST(Iso8608, TracksHaveTheSpectrumAndTheCoherencyGiven) {
  for (const char road_class : {'A', 'D', 'H'}) {
    RandomRoad road;
    road.roughness = iso8608_roughness(road_class);
    road.length = 400.0;
    road.spacing = 0.05;
    road.seed = 7;
    road.coherency = exponential_coherency(1.5, road.track);
    const TwoTracks tracks = generate_tracks(road);
    const double length = static_cast<double>(tracks.left.size()) * tracks.spacing;
    for (const auto& [first, last] :
         {std::pair<std::size_t, std::size_t>{10, 40}, {40, 140}, {140, 440}}) {
      const Estimate found = estimate(tracks, road.roughness, first, last);
      const auto m = static_cast<double>(last - first);
      EXPECT_NEAR(found.left, 1.0, 4.0 / std::sqrt(m)) << road_class;
      EXPECT_NEAR(found.right, 1.0, 4.0 / std::sqrt(m)) << road_class;
      double mean = 0.0;
      for (std::size_t k = first; k < last; ++k)
        mean += road.coherency(static_cast<double>(k) / length) / m;
      EXPECT_NEAR(found.coherency, mean, 4.0 * (1.0 - mean * mean) / std::sqrt(2.0 * m) + 0.02);
    }
  }
}

// Truth: outside the given band, harmonics are rounding errors.
TEST(Iso8608, NothingIsOutsideOfTheBand) {
  RandomRoad road;
  road.length = 100.0;
  road.spacing = 0.05;
  road.lowest = 0.1;
  road.highest = 1.0;
  const TwoTracks tracks = generate_tracks(road);
  const double length = static_cast<double>(tracks.left.size()) * tracks.spacing;
  EXPECT_LT(std::abs(harmonic(tracks.left, static_cast<std::size_t>(0.05 * length))), 1e-15);
  EXPECT_LT(std::abs(harmonic(tracks.left, static_cast<std::size_t>(2.0 * length))), 1e-15);
  EXPECT_GT(std::abs(harmonic(tracks.left, static_cast<std::size_t>(0.5 * length))), 1e-6);
}

TEST(Iso8608, SeedsDecideAndFullCoherencyMakesTracksEqual) {
  RandomRoad road;
  road.length = 50.0;
  road.spacing = 0.05;
  const TwoTracks first = generate_tracks(road);
  EXPECT_EQ(first.left, generate_tracks(road).left);
  EXPECT_EQ(first.left, first.right);
  road.seed = 2;
  EXPECT_NE(first.left, generate_tracks(road).left);
  EXPECT_EQ(random_road(road, 10.0).at(12.5, 0.3).height,
            random_road(road, 0.0).at(2.5, 0.3).height);
}

TEST(Iso8608, WrongNumbersAreRefused) {
  RandomRoad road;
  road.spacing = 0.1;
  EXPECT_EQ(code_of([&] { generate_tracks(road); }), "random-road");
  road = {};
  road.length = 1e9;
  EXPECT_EQ(code_of([&] { generate_tracks(road); }), "random-road");
  road = {};
  road.coherency = [](double) { return 1.5; };
  EXPECT_EQ(code_of([&] { generate_tracks(road); }), "random-road");
}

}  // namespace
}  // namespace femflex::roads
