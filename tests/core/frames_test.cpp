// Tests coordinate systems. Truth: local directions are central differences of the position.
#include "femflex/frames.h"

#include <gtest/gtest.h>

namespace femflex {
namespace {

// Truth: a central difference of to_basic() points along the local directions.
TEST(CoordinateSystem, LocalDirectionsAreTheDerivativesOfThePosition) {
  for (const auto kind : {CoordinateSystem::Kind::cylindrical, CoordinateSystem::Kind::spherical}) {
    CoordinateSystem system;
    system.kind = kind;
    system.origin << 1.0, -2.0, 0.5;
    system.axes = Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, -1).normalized()).toRotationMatrix();
    const Eigen::Vector3d local(2.0, 35.0, 50.0);
    const Eigen::Matrix3d axes = system.axes_at(system.to_basic(local));
    const double h = 1e-3;
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d step = h * Eigen::Vector3d::Unit(k);
      const Eigen::Vector3d tangent =
          (system.to_basic(local + step) - system.to_basic(local - step)).normalized();
      EXPECT_NEAR((tangent - axes.col(k)).norm(), 0.0, 1e-9);
    }
    EXPECT_NEAR(axes.determinant(), 1.0, 1e-14);  // right-handed
  }
}

TEST(CoordinateSystem, OnTheAxisOfACylinderTheAngleCountsAsZero) {
  CoordinateSystem system;
  system.kind = CoordinateSystem::Kind::cylindrical;
  EXPECT_TRUE(system.axes_at({0.0, 0.0, 3.0}).isApprox(Eigen::Matrix3d::Identity()));
}

}  // namespace
}  // namespace femflex
