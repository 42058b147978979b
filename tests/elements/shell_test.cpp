// Tests stress recovery of shells: patch tests of membrane and bending with offset, rigid motions
// of curved and warped elements, orthotropic sheets, and finite differences of the degenerated
// solid.
#include <cmath>

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
