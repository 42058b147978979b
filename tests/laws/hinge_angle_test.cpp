// Tests the angle between two lines u and v, and its derivatives.
#include "femflex/laws/hinge_angle.h"

#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex::laws {
namespace {

using Eigen::Vector3d;
using testing::tolerance;

/// Compares gradient and Hessian of W = 3 phi^2 / 2 + phi^3 with central differences.
template <typename Angle>
void expect_derivatives(const Angle& angle, const HingeGradient& lines) {
  constexpr double kStep = 1e-6;
  const auto at = [&](const HingeGradient& x) { return angle.angle(x.head<3>(), x.tail<3>()); };
  const auto slope = [&](const HingeGradient& x) -> HingeGradient {  // derivative of W
    const double phi = at(x);
    return (3.0 * phi + 3.0 * phi * phi) * angle.gradient(x.head<3>(), x.tail<3>());
  };
  const double phi = at(lines);
  const HingeGradient g = angle.gradient(lines.head<3>(), lines.tail<3>());
  const HingeHessian h =
      angle.hessian(lines.head<3>(), lines.tail<3>(), 3.0 * phi + 3.0 * phi * phi, 3.0 + 6.0 * phi);
  for (Eigen::Index c = 0; c < 6; ++c) {
    HingeGradient low = lines;
    HingeGradient high = lines;
    low(c) -= kStep;
    high(c) += kStep;
    EXPECT_NEAR(g(c), (at(high) - at(low)) / (2.0 * kStep), tolerance(1e-8));
    EXPECT_LT((h.col(c) - (slope(high) - slope(low)) / (2.0 * kStep)).norm(), tolerance(1e-6));
  }
}

HingeGradient random_lines(std::mt19937& random) {
  std::uniform_real_distribution<double> shake(-1.0, 1.0);
  HingeGradient out;
  for (double& x : out)
    x = shake(random);
  out.head<3>() += Vector3d(1.5, 0.0, 0.0);
  out.tail<3>() += Vector3d(0.0, 1.5, 0.0);
  return out;
}

// Truth: central differences; their error is h^2 / 6 times the third derivative.
TEST(HingeAngles, HaveTheirGradientAndHessianAboutAnAxisAndInSpace) {
  std::mt19937 random(3);
  for (int i = 0; i < 10; ++i) {
    expect_derivatives(AngleAboutAxis{Vector3d(Vector3d(1.0, 2.0, 2.0) / 3.0)},
                       random_lines(random));
    expect_derivatives(AngleInSpace(), random_lines(random));
  }
}

// Truth: two algorithms for the same angle. They agree for lines perpendicular to the axis and
// angles from 0 to pi.
TEST(HingeAngles, AgreeAboutAnAxisAndInSpaceForLinesAcrossTheAxis) {
  const Vector3d u(1.2, 0.3, 0.0);
  const Vector3d v(-0.2, 0.9, 0.0);
  const AngleAboutAxis about{Vector3d::UnitZ()};
  const AngleInSpace space;
  EXPECT_NEAR(about.angle(u, v), space.angle(u, v), tolerance(1e-15));
  EXPECT_LT((about.gradient(u, v) - space.gradient(u, v)).norm(), tolerance(1e-14));
  EXPECT_EQ(about.angle(u, v), AngleAboutZ().angle(u, v));
  EXPECT_EQ(about.gradient(u, v), AngleAboutZ().gradient(u, v));
  EXPECT_EQ(about.hessian(u, v, 0.7, 2.0), AngleAboutZ().hessian(u, v, 0.7, 2.0));
  HingeHessian difference = about.hessian(u, v, 0.7, 2.0) - space.hessian(u, v, 0.7, 2.0);
  for (const Eigen::Index z : {2, 5}) {  // the angle in space also changes with motions out of the
                                         // plane
    difference.row(z).setZero();
    difference.col(z).setZero();
  }
  EXPECT_LT(difference.norm(), tolerance(1e-13));
}

// Truth: for unit lines near one direction, W = k phi^2 / 2 is k |u - v|^2 / 2 in the components
// perpendicular to that direction.
TEST(HingeAngles, AreSmoothAboutAStraightLineInSpace) {
  const Vector3d u = Vector3d::UnitX();
  const HingeHessian h = AngleInSpace().hessian(u, u, 0.0, 5.0);
  HingeHessian exact = HingeHessian::Zero();
  for (const Eigen::Index axis : {1, 2}) {
    exact(axis, axis) = exact(axis + 3, axis + 3) = 5.0;
    exact(axis, axis + 3) = exact(axis + 3, axis) = -5.0;
  }
  EXPECT_LT((h - exact).norm(), tolerance(1e-14));
}

// Truth: zero, because a line without length has no direction.
TEST(HingeAngles, HaveNoDerivativesWithoutLength) {
  EXPECT_TRUE(AngleInSpace().gradient(Vector3d::Zero(), Vector3d::UnitX()).isZero(0.0));
  EXPECT_TRUE(AngleAboutZ().hessian(Vector3d::Zero(), Vector3d::UnitX(), 1.0, 1.0).isZero(0.0));
}

// Truth: the angle plus the multiple of 2 pi that makes it closest to the given angle.
// Truth: the angle has a maximum with a point there. Round-off of sin(pi) gave entries of 1e16.
TEST(HingeAngles, HaveNoDerivativesBetweenOppositeLinesInSpace) {
  for (const Vector3d& u : {Vector3d(1, 0, 0), Vector3d(0.25, -2, 0.5), Vector3d(0, 0, 1e-3)}) {
    const Vector3d v = -4.0 * u;
    EXPECT_TRUE(AngleInSpace().gradient(u, v).isZero(0.0));
    EXPECT_TRUE(AngleInSpace().hessian(u, v, 3.0, 5.0).isZero(0.0));
    EXPECT_TRUE(AngleInSpace().hessian(u, v, 0.0, 5.0).isZero(0.0));
  }
}

TEST(HingeAngles, AreCountedOnThroughWholeTurns) {
  EXPECT_NEAR(nearest_turn(-3.0, 3.2), 2.0 * std::numbers::pi - 3.0, tolerance(1e-15));
  EXPECT_EQ(nearest_turn(0.5, 0.4), 0.5);
  EXPECT_NEAR(nearest_turn(0.1, 4.0 * std::numbers::pi), 4.0 * std::numbers::pi + 0.1, 1e-14);
}

}  // namespace
}  // namespace femflex::laws
