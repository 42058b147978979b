// Tests virtual strain gauges in fields of constant strain E. Truth: the strain along d is d' E d.
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
    return place(Gauge{"g", point, {}, directions});
  }
  PlacedGauge place(const Gauge& gauge) const {
    const StressMesh mesh(model_, shapes_, {});
    return place_gauge(Skin(mesh), gauge);
  }
  static double strain_along(const Vector3d& d, Eigen::Index mode) {
    const Vector3d unit = d.normalized();
    return unit.dot(gradients()[static_cast<std::size_t>(mode)] * unit);
  }
  FeModel model_ = small_model();
  ShapeSet shapes_ = shapes_of(model_);
};

// Truth: d' E d on a face of a solid and on both faces of a shell.
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

// Truth: the foot of the point on the face of the solid, and half a thickness above and below the
// nodes of the shell.
TEST_F(Gauges, SayWhereTheyAre) {
  const auto at = [&](const Vector3d& point) { return place(point, {{1, 0, 0}}).position; };
  EXPECT_TRUE(at({4e-3, 3e-3, 10.1e-3}).isApprox(Vector3d(4e-3, 3e-3, 10e-3), tolerance(1e-12)));
  const double half = 1e-3;  // of a thickness of 2 mm
  EXPECT_TRUE(at({25e-3, 3e-3, 1e-3}).isApprox(Vector3d(25e-3, 3e-3, half), tolerance(1e-12)));
  EXPECT_TRUE(at({25e-3, 3e-3, -1e-3}).isApprox(Vector3d(25e-3, 3e-3, -half), tolerance(1e-12)));
}

// Truth: the projection of a direction on the skin.
TEST_F(Gauges, DirectionsAreProjected) {
  const PlacedGauge placed = place({4e-3, 3e-3, 10e-3}, {{1, 0, 5}});
  EXPECT_TRUE(placed.directions.front().isApprox(Vector3d::UnitX(), tolerance(1e-12)));
  EXPECT_NEAR(placed.strain(0, 0), strain_along(Vector3d::UnitX(), 0), tolerance(1e-15));
}

// Truth: the normal selects the face of a shell, for a point on either side. In the middle of a
// vertical side of a box, no face has an upward normal.
TEST_F(Gauges, TheNormalChoosesTheFace) {
  const auto on = [&](const Vector3d& point, const Vector3d& normal) {
    return place(Gauge{"g", point, normal, {Vector3d::UnitX()}});
  };
  EXPECT_EQ(on({25e-3, 3e-3, 1e-3}, {0, 0, -1}).face, "bottom");
  EXPECT_EQ(on({25e-3, 3e-3, -1e-3}, {0, 0.3, 2}).face, "top");
  EXPECT_EQ(on({4e-3, 3e-3, 10e-3}, {0, 0, 1}).face, "outside");
  EXPECT_EQ(testing::code_of([&] { (void)on({4e-3, 0, 5e-3}, {0, 0, 1}); }), "gauge-off-skin");
  EXPECT_EQ(testing::code_of([&] { (void)on({4e-3, 0, 5e-3}, {0, 0, 0}); }), "gauge-normal");
}

// Truth: there is no skin between two stacked blocks. Without the upper block, the same point is on
// the skin.
TEST_F(Gauges, FacesBetweenSolidsAreNoSkin) {
  const Vector3d between(5e-3, 5e-3, 10e-3);
  EXPECT_EQ(place(between, {Vector3d::UnitX()}).face, "outside");
  for (int k = 0; k < 4; ++k) {
    Node node = model_.nodes[4 + static_cast<std::size_t>(k)];
    node.id = 21 + k;
    node.position.z() = 20.0;
    model_.nodes.push_back(node);
  }
  model_.elements.push_back(block_of("CHEXA", 9, {5, 6, 7, 8, 21, 22, 23, 24}));
  EXPECT_EQ(testing::code_of([&] { (void)place(between, {Vector3d::UnitX()}); }), "gauge-off-skin");
}

// Truth: the documented error codes.
TEST_F(Gauges, OffTheSkinIsRefused) {
  const auto code = [&](const Vector3d& point, const Vector3d& direction) {
    return testing::code_of([&] { (void)place(point, {direction}); });
  };
  EXPECT_EQ(code({0, 0, 0.05}, Vector3d::UnitX()), "gauge-off-skin");
  EXPECT_EQ(code({4e-3, 3e-3, 10e-3}, Vector3d::UnitZ()), "gauge-direction");
}

}  // namespace
}  // namespace femflex::durability
