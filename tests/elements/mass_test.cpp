// Tests the mass of single elements against closed forms: affine maps, a map with curved sides, and
// lengths and areas of shells and beams.
#include "femflex/elements/mass.h"

#include <cmath>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "samples.h"
#include "support/support.h"

namespace femflex::elements {
namespace {

/// Volume of a shape in its parametric coordinates.
double parametric_volume(ElementShape shape) {
  switch (without_mids(shape)) {
    case ElementShape::tetrahedron4:
      return 1.0 / 6.0;
    case ElementShape::pyramid5:
      return 4.0 / 3.0;
    case ElementShape::wedge6:
      return 1.0;
    default:
      return 8.0;
  }
}

Element solid_of(ElementShape shape, Eigen::Matrix<double, Eigen::Dynamic, 3> positions) {
  return {.shape = shape,
          .positions = std::move(positions),
          .material = kSteel,
          .section = SolidSection{}};
}

// Truth: an affine map multiplies volumes by the size of its determinant.
TEST(Mass, OfSolidsIsThatOfTheirAffineImage) {
  Random random(11);
  for (const ElementShape shape : kSolids) {
    const Eigen::Matrix3d map = Eigen::Matrix3d::Identity() + 0.4 * random.matrix(3, 3);
    const std::vector<Eigen::Vector3d> nodes = parametric_nodes(shape);
    Eigen::Matrix<double, Eigen::Dynamic, 3> x(static_cast<Eigen::Index>(nodes.size()), 3);
    for (std::size_t k = 0; k < nodes.size(); ++k)
      x.row(static_cast<Eigen::Index>(k)) =
          (map * nodes[k] + Eigen::Vector3d(50.0, -20.0, 7.0)).transpose();
    const double expected = 7850.0 * std::abs(map.determinant()) * parametric_volume(shape);
    EXPECT_NEAR(mass_of(solid_of(shape, x)), expected, testing::tolerance(1e-12) * expected)
        << topology_of(shape).name;
  }
}

// Truth: the map x + a y², y + a z², z + a x², which elements with mid nodes hold exactly, has the
// determinant 1 + 8 a³ x y z. The mean of x y z is 1/120 in the tetrahedron and 0 in the others.
TEST(Mass, OfSolidsWithCurvedSidesIsTheIntegral) {
  constexpr double kBend = 0.3;
  for (const ElementShape shape :
       {ElementShape::tetrahedron10, ElementShape::wedge15, ElementShape::hexahedron20}) {
    const std::vector<Eigen::Vector3d> nodes = parametric_nodes(shape);
    Eigen::Matrix<double, Eigen::Dynamic, 3> x(static_cast<Eigen::Index>(nodes.size()), 3);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const Eigen::Vector3d& p = nodes[k];
      x.row(static_cast<Eigen::Index>(k)) =
          (p + kBend * Eigen::Vector3d(p.y() * p.y(), p.z() * p.z(), p.x() * p.x())).transpose();
    }
    const double mean = shape == ElementShape::tetrahedron10 ? 1.0 / 120.0 : 0.0;
    const double expected =
        7850.0 * parametric_volume(shape) * (1.0 + 8.0 * std::pow(kBend, 3) * mean);
    EXPECT_NEAR(mass_of(solid_of(shape, x)), expected, testing::tolerance(1e-12) * expected)
        << topology_of(shape).name;
  }
}

// Truth: area times thickness, area times length between the ends (with offsets).
TEST(Mass, OfShellsAndBeamsIsThatOfTheirSize) {
  Element shell{
      .shape = ElementShape::quad4,
      .positions = Eigen::Matrix<double, 4, 3>{{0, 0, 0}, {2, 0, 0}, {2, 0, 1.5}, {0, 0, 1.5}},
      .material = kSteel,
      .section = ShellSection{.thickness = 0.01}};
  EXPECT_NEAR(mass_of(shell), 7850.0 * 0.03, testing::tolerance(1e-12) * 235.5);
  shell.shape = ElementShape::triangle3;
  shell.positions = Eigen::Matrix<double, 3, 3>{{0, 0, 0}, {2, 0, 0}, {2, 0, 1.5}};
  EXPECT_NEAR(mass_of(shell), 7850.0 * 0.015, testing::tolerance(1e-12) * 117.75);

  Element line{.shape = ElementShape::bar2,
               .positions = Eigen::Matrix<double, 2, 3>{{0, 0, 0}, {3, 0, 0}},
               .material = kSteel,
               .section = RodSection{.area = 2e-4}};
  EXPECT_NEAR(mass_of(line), 7850.0 * 6e-4, testing::tolerance(1e-12) * 4.71);
  BeamSection beam{.area = 2e-4};
  beam.offsets[1] = Eigen::Vector3d(0.0, 4.0, 0.0);
  line.section = beam;
  EXPECT_NEAR(mass_of(line), 7850.0 * 1e-3, testing::tolerance(1e-12) * 7.85);
  line.section = SpringSection{};
  EXPECT_EQ(mass_of(line), 0.0);
}

}  // namespace
}  // namespace femflex::elements
