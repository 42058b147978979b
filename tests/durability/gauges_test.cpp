// Virtual gauges in fields of constant strain: strain along d is d' E d.
#include "femflex/durability/gauges.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "small_models.h"
#include "support/support.h"

namespace femflex::durability {
namespace {

using Eigen::Vector3d;
using testing::tolerance;

class Gauges : public ::testing::Test {
 protected:
  PlacedGauge place(const Vector3d& point, const std::vector<Vector3d>& directions) const {
    return place_gauge(StressMesh(model_, shapes_, {}), {"g", point, directions});
  }
  static double strain_along(const Vector3d& d, Eigen::Index mode) {
    const Vector3d unit = d.normalized();
    return unit.dot(gradients()[static_cast<std::size_t>(mode)] * unit);
  }
  FeModel model_ = small_model();
  ShapeSet shapes_ = shapes_of(model_);
};

// Truth: d' E d on a solid's face and on both faces of a shell.
TEST_F(Gauges, ReadTheStrainAlongTheirDirections) {
  const std::vector<Vector3d> rosette = {{1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  for (const Vector3d& point :
       {Vector3d(4e-3, 3e-3, 10e-3), Vector3d(25e-3, 3e-3, 1e-3), Vector3d(25e-3, 3e-3, -1e-3)}) {
    const PlacedGauge placed = place(point, rosette);
    for (Eigen::Index g = 0; g < 3; ++g)
      for (Eigen::Index mode = 0; mode < 2; ++mode)
        EXPECT_NEAR(placed.strain(g, mode),
                    strain_along(rosette[static_cast<std::size_t>(g)], mode),
                    tolerance(1e-15));
  }
  EXPECT_EQ(place({4e-3, 3e-3, 10e-3}, rosette).face, "outside");
  EXPECT_EQ(place({25e-3, 3e-3, 1e-3}, rosette).face, "top");
  EXPECT_EQ(place({25e-3, 3e-3, -1e-3}, rosette).face, "bottom");
}

// Truth: the projection of a direction on the skin.
TEST_F(Gauges, DirectionsAreProjected) {
  const PlacedGauge placed = place({4e-3, 3e-3, 10e-3}, {{1, 0, 5}});
  EXPECT_NEAR(placed.strain(0, 0), strain_along(Vector3d::UnitX(), 0), tolerance(1e-15));
}

// Truth: the messages of the interface.
TEST_F(Gauges, OffTheSkinIsRefused) {
  const auto code = [&](const Vector3d& point, const Vector3d& direction) {
    return testing::code_of([&] { (void)place(point, {direction}); });
  };
  EXPECT_EQ(code({0, 0, 0.05}, Vector3d::UnitX()), "gauge-off-skin");
  EXPECT_EQ(code({4e-3, 3e-3, 10e-3}, Vector3d::UnitZ()), "gauge-direction");
}

}  // namespace
}  // namespace femflex::durability
