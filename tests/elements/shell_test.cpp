// Tests stress recovery of shells: patch tests of membrane and bending with offset, rigid motions
// of curved and warped elements, orthotropic sheets, and finite differences of the degenerated
// solid.
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/dense.h"

#include "samples.h"
#include "support/support.h"

namespace femflex::elements {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using testing::tolerance;

template <typename Test>
void for_each_shell(const Test& test) {
  Random random(11);
  for (const ElementShape shape : kShells)
    for (const Integration integration : {Integration::full, Integration::reduced}) {
      SCOPED_TRACE(topology_of(shape).name);
      test(shape, integration, random);
    }
}

/// Membrane strain and curvature of a flat patch, in axes with z along the normal.
struct Patch {
  Matrix3d membrane = Matrix3d::Zero();   ///< gradient of u in the plane
  Matrix3d curvature = Matrix3d::Zero();  ///< second derivatives of w [1/m]

  /// Strain at height z above the nodes.
  Matrix3d strain(double z) const {
    return 0.5 * (membrane + membrane.transpose()) - z * curvature;
  }
  /// Displacements and rotations of the nodes for w = x·curvature·x / 2.
  Eigen::VectorXd displacements(const Element& element, const Matrix3d& R) const {
    Eigen::VectorXd u(6 * element.positions.rows());
    for (Eigen::Index i = 0; i < element.positions.rows(); ++i) {
      const Vector3d x = R.transpose() * element.positions.row(i).transpose();
      const Vector3d flat(x.x(), x.y(), 0.0);
      const Vector3d slope = curvature * flat;
      u.segment<3>(6 * i) =
          R * (membrane * flat + Vector3d(0.0, 0.0, 0.5 * flat.dot(curvature * flat)));
      u.segment<3>(6 * i + 3) = R * Vector3d(slope.y(), -slope.x(), 0.37);  // 0.37 is an arbitrary
                                                                            // drilling rotation
    }
    return u;
  }
};

Patch random_patch(Random& random) {
  Patch out;
  out.membrane.topLeftCorner<2, 2>() = random.matrix(2, 2);
  const Eigen::Matrix2d k = random.matrix(2, 2);
  out.curvature.topLeftCorner<2, 2>() = k + k.transpose();
  return out;
}

/// Plane stress of an isotropic sheet.
Matrix3d plane_hooke(const Isotropic& m, Matrix3d strain) {
  strain(2, 2) = -m.nu / (1.0 - m.nu) * (strain(0, 0) + strain(1, 1));
  return hooke(m, strain);
}

// Truth: for linear membrane displacements and constant curvature the strain is linear over the
// thickness. The stress follows from Hooke's law without stress along the normal.
TEST(Shell, PassesThePatchTestOfMembraneAndBendingWithOffset) {
  for_each_shell([](ElementShape shape, Integration integration, Random& random) {
    const Matrix3d R = random.rotation();
    const Element element = shell_sample(shape, integration, random, R);
    const Patch patch = random_patch(random);
    const Eigen::VectorXd u = patch.displacements(element, R);
    for (const Quantity quantity : {Quantity::stress, Quantity::strain}) {
      for (const Axes axes : {Axes::basic, Axes::element, Axes::material}) {
        if (quantity == Quantity::strain && axes == Axes::basic) continue;
        StressRequest request = kEverywhere;
        request.quantity = quantity;
        request.axes = axes;
        const StressMap map = stress_map(element, request);
        const Eigen::VectorXd ours = map.matrix * u;
        Eigen::VectorXd expected(ours.size());
        for (Eigen::Index r = 0; r < ours.size(); ++r) {
          const StressRow& row = map.rows[static_cast<std::size_t>(r)];
          const StressPoint& point = map.points[static_cast<std::size_t>(row.point)];
          const Matrix3d strain = patch.strain(0.07 + (point.layer == Layer::top ? 0.05 : -0.05));
          Matrix3d tensor = quantity == Quantity::stress ? plane_hooke(kUnit, strain) : strain;
          tensor = R * tensor * R.transpose();
          tensor = point.axes.transpose() * tensor * point.axes;
          expected(r) = six_of(tensor, quantity == Quantity::stress ? 1.0 : 2.0)(
              static_cast<Eigen::Index>(row.component));
        }
        EXPECT_LT(testing::relative_difference(ours, expected), tolerance(1e-11));
      }
    }
  });
}

// Truth: a rigid motion causes no strain, even in curved and warped elements.
TEST(Shell, HasNoStressInRigidMotionWhereItIsCurved) {
  for_each_shell([](ElementShape shape, Integration integration, Random& random) {
    Element element = shell_sample(shape, integration, random, Matrix3d::Identity());
    element.positions += 0.1 * random.matrix(element.positions.rows(), 3);
    const StressMap map = stress_map(element, kEverywhere);
    const Eigen::VectorXd u = rigid_motion(element, random.vector(3), random.vector(3));
    EXPECT_LT((map.matrix * u).norm(), tolerance(1e-12) * map.matrix.norm() * u.norm());
  });
}

// Truth: stiffness of a ply from textbooks, for example Q11 = E1 / (1 - nu12 nu21).
TEST(Shell, OrthotropicSheetHasThePlysStiffnessAtItsAngle) {
  const OrthotropicSheet ply = {.E1 = 140.0, .E2 = 10.0, .nu12 = 0.3, .G12 = 5.0};
  for_each_shell([&](ElementShape shape, Integration integration, Random& random) {
    const Matrix3d R = random.rotation();
    Element element = shell_sample(shape, integration, random, R);
    element.material = ply;
    const double angle = 0.6;
    const Vector3d side = (element.positions.row(1) - element.positions.row(0)).transpose();
    Matrix3d turned;  // material axes: side 1-2 rotated by the angle about the normal
    turned.col(2) = R.col(2);
    turned.col(0) = Eigen::AngleAxisd(angle, R.col(2)) * side.normalized();
    turned.col(1) = turned.col(2).cross(turned.col(0));
    const Patch patch = random_patch(random);
    const Eigen::VectorXd u = patch.displacements(element, R);
    const double nu21 = 0.3 * 10.0 / 140.0;
    const double share = 1.0 / (1.0 - 0.3 * nu21);
    for (const bool by_direction : {false, true}) {
      ShellSection section{.thickness = 0.1, .offset = 0.07, .angle = angle};
      if (by_direction) section.direction = turned.col(0) + 0.8 * R.col(2);
      element.section = section;
      const StressMap map = stress_map(element, {.axes = Axes::material});
      const Eigen::VectorXd ours = map.matrix * u;
      for (const int face : {0, 1}) {
        const Matrix3d strain = turned.transpose() * R *
                                patch.strain(0.07 + (face == 1 ? 0.05 : -0.05)) * R.transpose() *
                                turned;
        const Vector3d expected(share * (140.0 * strain(0, 0) + nu21 * 140.0 * strain(1, 1)),
                                share * (nu21 * 140.0 * strain(0, 0) + 10.0 * strain(1, 1)),
                                5.0 * 2.0 * strain(0, 1));
        EXPECT_LT((ours.segment<3>(3 * face) - expected).norm(),
                  tolerance(1e-12) * expected.norm());
      }
    }
  });
}

// Truth: finite differences of the degenerated solid x(r, s, z), u(r, s, z), which the test builds
// from shape functions and normals.
TEST(Shell, CurvedStrainIsThatOfFiniteDifferences) {
  Random random(17);
  for (const ElementShape shape : kShells) {
    SCOPED_TRACE(topology_of(shape).name);
    Element element = shell_sample(shape, Integration::full, random, random.rotation());
    if (shape != ElementShape::quad4)
      element.positions += 0.1 * random.matrix(element.positions.rows(), 3);
    const auto surface = [&](const Vector3d& p) -> Vector3d {
      return element.positions.transpose() * shape_functions(shape, p).N;
    };
    constexpr double kStep = 1e-3;
    const auto slope = [&](const auto& f, const Vector3d& p, int k) -> Vector3d {
      const Vector3d h = kStep * Vector3d::Unit(k);
      return (8.0 * (f(p + h) - f(p - h)) - f(p + 2.0 * h) + f(p - 2.0 * h)) / (12.0 * kStep);
    };
    Eigen::Matrix3Xd normals(3, element.positions.rows());
    for (Eigen::Index i = 0; i < normals.cols(); ++i) {
      const Vector3d p = parametric_nodes(shape)[static_cast<std::size_t>(i)];
      normals.col(i) = slope(surface, p, 0).cross(slope(surface, p, 1)).normalized();
    }
    const Eigen::MatrixXd u = random.matrix(6, element.positions.rows());
    const auto solid = [&](const Vector3d& p) -> Vector3d {
      return (element.positions.transpose() + p.z() * normals) * shape_functions(shape, p).N;
    };
    const auto field = [&](const Vector3d& p) -> Vector3d {
      Eigen::Matrix3Xd at = u.topRows<3>();
      for (Eigen::Index i = 0; i < normals.cols(); ++i)
        at.col(i) += p.z() * Vector3d(u.col(i).tail<3>()).cross(Vector3d(normals.col(i)));
      return at * shape_functions(shape, p).N;
    };
    StressRequest request = kEverywhere;
    request.quantity = Quantity::strain;
    request.corners = false;
    const StressMap map = stress_map(element, request);
    const Eigen::VectorXd ours = map.matrix * u.reshaped();
    std::vector<Vector3d> places = {parametric_centre(shape)};
    for (const Vector3d& p : integration_points(shape, Integration::full))
      places.push_back(p);
    ASSERT_EQ(map.points.size(), 2 * places.size());
    for (std::size_t p = 0; p < map.points.size(); ++p) {
      if (map.points[p].place == Place::centre && is_centre_fitted(element)) continue;
      Vector3d at = places[p % places.size()];
      at.z() = map.points[p].layer == Layer::top ? 0.12 : 0.02;
      Matrix3d J;
      Matrix3d G;
      for (int k = 0; k < 3; ++k) {
        J.col(k) = slope(solid, at, k);
        G.col(k) = slope(field, at, k);
      }
      EXPECT_LT((solid(at) - map.points[p].position).norm(), tolerance(1e-9));
      const Matrix3d R = map.points[p].axes;
      const Matrix3d H = R.transpose() * G * J.inverse() * R;
      const Eigen::Matrix<double, 6, 1> six = six_of(0.5 * (H + H.transpose()), 2.0);
      const Vector3d expected(six(0), six(1), six(3));
      EXPECT_LT((ours.segment<3>(3 * static_cast<Eigen::Index>(p)) - expected).norm(),
                tolerance(1e-8) * ours.norm());
    }
  }
}

/// Positions and displacements of a strip of a cylinder about z whose middle line bends without
/// stretching: with the change of curvature k the arc s moves by w = -k R^2 along the radius n and
/// v = k R s along the tangent t, and turns by k s from n to t.
struct BentStrip {
  static constexpr double kRadius = 1.0;
  static constexpr double kAngle = 0.15;  // of the element
  static constexpr double kCurvature = 0.3;

  /// Unit vectors along the radius and the tangent.
  static std::array<Vector3d, 2> frame(double angle) {
    return {Vector3d(std::cos(angle), std::sin(angle), 0.0),
            Vector3d(-std::sin(angle), std::cos(angle), 0.0)};
  }
  /// @param rst  parametric coordinates from -1 to 1, the first along the arc
  static Vector3d position(const Vector3d& rst) {
    return kRadius * frame(0.5 * kAngle * rst.x())[0] - 0.05 * rst.y() * Vector3d::UnitZ();
  }
  static Eigen::Matrix<double, 6, 1> displacement(const Vector3d& rst) {
    const double angle = 0.5 * kAngle * rst.x();
    const auto [n, t] = frame(angle);
    const double turn = kCurvature * kRadius * angle;
    Eigen::Matrix<double, 6, 1> out;
    out << -kCurvature * kRadius * kRadius * n + turn * kRadius * t, turn * n.cross(t);
    return out;
  }
  /// Strain along the arc at the height z above the middle line.
  static double strain(double z) { return z * kCurvature / (1.0 + z / kRadius); }
};

// Truth: the closed form of a curved strip in pure bending. Its middle line has no strain, which
// elements with mid nodes know at their integration points alone.
TEST(Shell, CentreOfABentCurvedElementHasNoStrainOfItsMiddleSurface) {
  for (const auto& [shape, integration] : {std::pair(ElementShape::quad8, Integration::reduced),
                                           std::pair(ElementShape::triangle6, Integration::full)}) {
    SCOPED_TRACE(topology_of(shape).name);
    Element element{.shape = shape,
                    .integration = integration,
                    .positions = {},
                    .material = kUnit,
                    .section = ShellSection{.thickness = 0.02}};
    std::vector<Vector3d> nodes = parametric_nodes(shape);
    if (shape == ElementShape::triangle6)
      for (Vector3d& p : nodes)
        p = 2.0 * p - Vector3d(1.0, 1.0, 0.0);
    element.positions.resize(static_cast<Eigen::Index>(nodes.size()), 3);
    Eigen::VectorXd u(6 * element.positions.rows());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      element.positions.row(k) = BentStrip::position(nodes[i]).transpose();
      u.segment<6>(6 * k) = BentStrip::displacement(nodes[i]);
    }
    const StressMap map = stress_map(element, {.quantity = Quantity::strain});
    const Eigen::VectorXd strain = map.matrix * u;
    ASSERT_EQ(map.points.size(), 2U);
    for (std::size_t face = 0; face < 2; ++face) {
      const auto row = static_cast<Eigen::Index>(3 * face);
      const Vector3d& x = map.points[face].position;
      const Vector3d along =
          map.points[face].axes.transpose() * BentStrip::frame(std::atan2(x.y(), x.x()))[1];
      const double found = along.x() * along.x() * strain(row) +
                           along.y() * along.y() * strain(row + 1) +
                           along.x() * along.y() * strain(row + 2);
      const double z = x.head<2>().norm() > BentStrip::kRadius ? 0.01 : -0.01;
      EXPECT_NEAR(found / BentStrip::strain(z), 1.0, tolerance(5e-3));
    }
  }
}

// Truth: a ring that grows. At the height z above nodes at the radius R, strain is w / (R + z) if
// the normals at the nodes are those of the ring.
TEST(Shell, GivenNormalsMakeAnOffsetShellAsLongAsItsHeight) {
  constexpr double kRadius = 0.1;
  constexpr double kGrowth = 1e-4;
  constexpr double kHalfAngle = 0.05;
  Element element{.shape = ElementShape::quad4,
                  .positions = Eigen::MatrixXd(4, 3),
                  .material = kUnit,
                  .section = ShellSection{.thickness = 0.004, .offset = 0.002}};
  auto& section = std::get<ShellSection>(element.section);
  section.normals.resize(4, 3);
  Eigen::VectorXd u = Eigen::VectorXd::Zero(24);
  for (Eigen::Index k = 0; k < 4; ++k) {
    const double angle = k == 0 || k == 3 ? -kHalfAngle : kHalfAngle;
    const Vector3d n = BentStrip::frame(angle)[0];
    element.positions.row(k) =
        (kRadius * n + (k < 2 ? -0.01 : 0.01) * Vector3d::UnitZ()).transpose();
    section.normals.row(k) = n.transpose();
    u.segment<3>(6 * k) = kGrowth * n;
  }
  const StressMap map = stress_map(element, {.quantity = Quantity::strain});
  const Eigen::VectorXd strain = map.matrix * u;
  ASSERT_EQ(map.points.size(), 2U);
  for (std::size_t face = 0; face < 2; ++face) {
    const double z = map.points[face].layer == Layer::top ? 0.004 : 0.0;
    EXPECT_NEAR(
        strain(static_cast<Eigen::Index>(3 * face)), kGrowth / (kRadius + z), tolerance(1e-10));
  }
}

// Truth: the closed form of a wall that bends in its plane, u = k x y, v = -k (x^2 + nu y^2) / 2:
// stress xx = E k y, and no other one. A rectangle with internal modes has it everywhere.
TEST(Shell, InternalModesBendAWallInItsPlane) {
  Element element{.shape = ElementShape::quad4,
                  .integration = Integration::internal_modes,
                  .positions = Eigen::MatrixXd(4, 3),
                  .material = kUnit,
                  .section = ShellSection{.thickness = 0.01, .offset = 0.003}};
  Eigen::VectorXd u = Eigen::VectorXd::Zero(24);
  for (Eigen::Index k = 0; k < 4; ++k) {
    const double x = k == 0 || k == 3 ? -0.6 : 0.6;
    const double y = k < 2 ? -0.2 : 0.2;
    element.positions.row(k) << x, y, 0.0;
    u.segment<2>(6 * k) << x * y, -0.5 * (x * x + kUnit.nu * y * y);
  }
  const StressMap map = stress_map(element, kEverywhere);
  const Eigen::VectorXd stress = map.matrix * u;
  for (std::size_t p = 0; p < map.points.size(); ++p)
    EXPECT_LT((stress.segment<3>(3 * static_cast<Eigen::Index>(p)) -
               Vector3d(kUnit.E * map.points[p].position.y(), 0.0, 0.0))
                  .norm(),
              tolerance(1e-12));
}

// Truth: NASTRAN's element axes of CQUAD4. The x axis bisects the angle between the diagonals; in a
// rectangle x is parallel to side 1-2.
TEST(Shell, ElementAxesAreThoseOfNastran) {
  Element quad{.shape = ElementShape::quad4,
               .positions = {},
               .material = kUnit,
               .section = ShellSection{.thickness = 0.1}};
  quad.positions.resize(4, 3);
  quad.positions << 0, 0, 0, 2, 0, 0, 2.5, 1, 0, 0, 1.5, 0;
  const double beta = std::atan2(1.0, 2.5);   // angle of diagonal 1-3
  const double gamma = std::atan2(1.5, 2.0);  // angle between diagonal 2-4 and side 2-1
  const double alpha = 0.5 * (beta + gamma);
  const double side = beta - alpha;  // of x against side 1-2
  EXPECT_LT((stress_map(quad).points[0].axes.col(0) - Vector3d(std::cos(side), std::sin(side), 0.0))
                .norm(),
            tolerance(1e-14));
  quad.positions << 0, 0, 0, 0, 2, 0, 0, 2, 1, 0, 0, 1;
  EXPECT_LT((stress_map(quad).points[0].axes.col(0) - Vector3d::UnitY()).norm(), tolerance(1e-14));
  EXPECT_LT((stress_map(quad).points[0].axes.col(2) - Vector3d::UnitX()).norm(), tolerance(1e-14));
}

// Truth: the documented error codes.
TEST(Shell, RefusesWhatItCannotRecover) {
  Random random(2);
  const Element element =
      shell_sample(ElementShape::quad4, Integration::full, random, Matrix3d::Identity());
  const auto code = [](const Element& e, const StressRequest& request = {}) {
    return testing::code_of([&] { (void)stress_map(e, request); });
  };
  EXPECT_EQ(code(element), "no error");
  EXPECT_EQ(code(element, {.quantity = Quantity::strain, .axes = Axes::basic}), "no-such-quantity");
  Element other = element;
  other.section = ShellSection{};
  EXPECT_EQ(code(other), "degenerate-element");
  other.section = ShellSection{.thickness = 0.1, .direction = Vector3d::UnitZ()};
  EXPECT_EQ(code(other), "degenerate-element");
  other = element;
  other.positions.row(2).swap(other.positions.row(3));
  EXPECT_EQ(code(other, {.integration_points = true}), "degenerate-element");
  other = element;
  other.positions.rowwise() = element.positions.row(0).eval();
  EXPECT_EQ(code(other), "degenerate-element");
}

}  // namespace
}  // namespace femflex::elements
