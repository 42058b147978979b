// Tests the search for the plane on which the normal stress does the most damage.
#include "femflex/durability/critical_plane.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::durability {
namespace {

using testing::tolerance;

WoehlerCurve line_of(double slope) {
  WoehlerCurve out;
  out.slope = slope;
  out.knee = 1.0;
  out.knee_cycles = 1000.0;
  out.below = BelowKnee::elementary;
  return out;
}

std::vector<double> wave(double amplitude, double turns) {
  std::vector<double> out;
  for (int k = 0; k <= 400; ++k)
    out.push_back(amplitude * std::sin(2.0 * std::numbers::pi * turns * k / 400.0));
  return out;
}

double damage_of_wave(double amplitude, double turns, const WoehlerCurve& curve) {
  return damage_of(rainflow(wave(amplitude, turns), Residue::half_cycles), curve);
}

// Truth: the critical plane of uniaxial stress is perpendicular to the stress, in any axes.
TEST(CriticalPlane, OfUniaxialStressIsNormalToIt) {
  const WoehlerCurve curve = line_of(5.0);
  for (const double angle : {0.0, 0.3, 1.9}) {
    const Eigen::Vector3d n(std::cos(angle), std::sin(angle), 0.0);
    const std::vector<double> xx = wave(n.x() * n.x(), 20), yy = wave(n.y() * n.y(), 20),
                              xy = wave(n.x() * n.y(), 20);
    const CriticalPlane found =
        critical_plane({xx.data(), yy.data(), nullptr, xy.data(), nullptr, nullptr},
                       401,
                       curve,
                       Residue::half_cycles);
    EXPECT_GT(std::abs(found.normal.dot(n)), std::cos(0.7 * std::numbers::pi / 180.0));
    const double expected = damage_of_wave(1.0, 20, curve);
    EXPECT_NEAR(found.damage, expected, tolerance(2e-3) * expected);
  }
  const Eigen::Vector3d n = Eigen::Vector3d(0.5, -0.3, 0.7).normalized();
  std::vector<std::vector<double>> s;
  for (const auto& [a, b] : {std::pair{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}})
    s.push_back(wave(n(a) * n(b), 20));
  const CriticalPlane found =
      critical_plane({s[0].data(), s[1].data(), s[2].data(), s[3].data(), s[4].data(), s[5].data()},
                     401,
                     curve,
                     Residue::half_cycles);
  const double expected = damage_of_wave(1.0, 20, curve);
  EXPECT_GT(std::abs(found.normal.dot(n)), std::cos(2.0 * std::numbers::pi / 180.0));
  EXPECT_NEAR(found.damage, expected, tolerance(1e-2) * expected);
}

// Truth: pure shear tau causes the normal stress tau on planes at 45 degrees.
TEST(CriticalPlane, OfPureShearLiesAt45Degrees) {
  const WoehlerCurve curve = line_of(4.0);
  const std::vector<double> xy = wave(0.8, 10);
  const CriticalPlane found = critical_plane(
      {nullptr, nullptr, nullptr, xy.data(), nullptr, nullptr}, 401, curve, Residue::half_cycles);
  EXPECT_NEAR(std::abs(found.normal.x() * found.normal.y()), 0.5, tolerance(1e-3));
  const double expected = damage_of_wave(0.8, 10, curve);
  EXPECT_NEAR(found.damage, expected, tolerance(2e-3) * expected);
}

// Stresses along x and y alternate. No single plane carries both in full, although the principal
// stress would.
TEST(CriticalPlane, StressesInTurnAlongTwoAxesDoTheDamageOfOne) {
  const WoehlerCurve curve = line_of(5.0);
  std::vector<double> xx = wave(1.0, 10), yy = wave(1.0, 10);
  std::fill(xx.begin() + 200, xx.end(), 0.0);
  std::fill(yy.begin(), yy.begin() + 200, 0.0);
  const CriticalPlane found = critical_plane(
      {xx.data(), yy.data(), nullptr, nullptr, nullptr, nullptr}, 401, curve, Residue::half_cycles);
  const double one = damage_of(rainflow(xx, Residue::half_cycles), curve);
  EXPECT_NEAR(found.damage, one, tolerance(1e-2) * one);
}

// Truth: uniaxial stress of 102 MPa is above a knee of 100 MPa in any direction, also if the stress
// normal to every plane of the first grid is below it.
TEST(CriticalPlane, OfStressJustAboveTheKneeIsFoundBetweenTheGridPlanes) {
  WoehlerCurve curve = line_of(5.0);
  curve.knee = 100e6;
  curve.below = BelowKnee::original;
  const double expected = damage_of_wave(102e6, 20, curve);
  ASSERT_GT(expected, 0.0);
  for (const auto& [polar, azimuth] : {std::pair{82.5, 7.5}, {37.0, 140.0}, {52.5, 61.0}}) {
    const double t = polar * std::numbers::pi / 180.0, a = azimuth * std::numbers::pi / 180.0;
    const Eigen::Vector3d n(std::sin(t) * std::cos(a), std::sin(t) * std::sin(a), std::cos(t));
    std::vector<std::vector<double>> s;
    for (const auto& [i, j] : {std::pair{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}})
      s.push_back(wave(102e6 * n(i) * n(j), 20));
    const CriticalPlane found = critical_plane(
        {s[0].data(), s[1].data(), s[2].data(), s[3].data(), s[4].data(), s[5].data()},
        401,
        curve,
        Residue::half_cycles);
    EXPECT_NEAR(found.damage, expected, tolerance(2e-2) * expected) << polar << ' ' << azimuth;
  }
}

}  // namespace
}  // namespace femflex::durability
