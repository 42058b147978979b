// Tests points on faces and the strain there. Truth: points that are lifted off a face along its
// normal, and linear displacement fields.
#include "femflex/elements/surface.h"

#include <gtest/gtest.h>

#include "samples.h"
#include "support/support.h"

namespace femflex::elements {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using testing::tolerance;

/// An element with flat faces: the parametric one, stretched and sheared.
Element flat_sided(ElementShape shape, Integration integration, Random& random) {
  Element out = solid_sample(shape, integration, random);
  const Matrix3d A = random.rotation() * (Matrix3d::Identity() + 0.3 * random.matrix(3, 3));
  const std::vector<Vector3d> nodes = parametric_nodes(shape);
  for (std::size_t k = 0; k < nodes.size(); ++k)
    out.positions.row(static_cast<Eigen::Index>(k)) = (A * nodes[k]).transpose();
  return out;
}

/// A point inside a face, near its middle.
Vector3d inside_face(const Element& element, const ElementFace& face, Random& random) {
  Eigen::VectorXd weights =
      Eigen::VectorXd::Constant(face.count, 1.0) + 0.5 * random.vector(face.count);
  weights /= weights.sum();
  Vector3d out = Vector3d::Zero();
  for (Eigen::Index c = 0; c < face.count; ++c)
    out +=
        weights(c) * element.positions.row(face.corners[static_cast<std::size_t>(c)]).transpose();
  return out;
}

// Truth: d' E d in a linear field, along every direction in the face; the foot of the
// perpendicular.
TEST(Surface, OfSolidsHasTheStrainOfALinearField) {
  Random random(7);
  for (const ElementShape shape : kSolids)
    for (const Integration integration : {Integration::full, Integration::reduced}) {
      const Element element = flat_sided(shape, integration, random);
      const Vector3d middle = element.positions.colwise().mean().transpose();
      const Matrix3d H = random.matrix(3, 3);
      const Matrix3d E = 0.5 * (H + H.transpose());
      Eigen::VectorXd u(3 * element.positions.rows());
      for (Eigen::Index k = 0; k < element.positions.rows(); ++k)
        u.segment<3>(3 * k) = H * element.positions.row(k).transpose();
      const ElementTopology& topology = topology_of(shape);
      for (std::size_t f = 0; f < topology.faces.size(); ++f) {
        SCOPED_TRACE(::testing::Message() << topology.name << ", face " << f);
        const auto face = static_cast<int>(f);
        const Vector3d foot = inside_face(element, topology.faces[f], random);
        const Vector3d normal = nearest_on_face(shape, element.positions, face, foot).normal;
        EXPECT_GT(normal.dot(foot - middle), 0.0);
        const FacePoint at = nearest_on_face(shape, element.positions, face, foot + 0.05 * normal);
        EXPECT_LT((at.position - foot).norm(), tolerance(1e-12));
        const Eigen::Matrix<double, 6, 1> six = surface_strain(element, at, Layer::none, false) * u;
        const Vector3d across = normal.unitOrthogonal();
        for (const double angle : {0.0, 0.7, 1.9}) {
          const Vector3d d = std::cos(angle) * across + std::sin(angle) * normal.cross(across);
          const double found = d.x() * d.x() * six(0) + d.y() * d.y() * six(1) +
                               d.z() * d.z() * six(2) + d.x() * d.y() * six(3) +
                               d.y() * d.z() * six(4) + d.z() * d.x() * six(5);
          EXPECT_NEAR(found, d.dot(E * d), tolerance(1e-12) * E.norm());
        }
      }
    }
}

// Truth: the foot of the perpendicular on a curved face, from both sides of it.
TEST(Surface, OfCurvedFacesHasTheFootOfThePerpendicular) {
  Random random(8);
  for (const ElementShape shape : kSolids) {
    if (without_mids(shape) == shape) continue;
    const Element element = solid_sample(shape, Integration::full, random);
    const ElementTopology& topology = topology_of(shape);
    for (std::size_t f = 0; f < topology.faces.size(); ++f) {
      const auto face = static_cast<int>(f);
      const FacePoint foot = nearest_on_face(
          shape, element.positions, face, inside_face(element, topology.faces[f], random));
      for (const double height : {-0.05, 0.05}) {
        const FacePoint at =
            nearest_on_face(shape, element.positions, face, foot.position + height * foot.normal);
        EXPECT_LT((at.position - foot.position).norm(), tolerance(1e-9)) << topology.name;
      }
    }
  }
}

// Truth: a face whose corners lie on a line has no area; one with two equal corners has.
TEST(Surface, OfCollapsedFacesHasNoArea) {
  Random random(9);
  Element element = flat_sided(ElementShape::hexahedron8, Integration::full, random);
  element.positions.row(4) = element.positions.row(0);
  EXPECT_TRUE(has_area(element.shape, element.positions, 2));
  element.positions.row(5) = element.positions.row(1);
  EXPECT_FALSE(has_area(element.shape, element.positions, 2));
}

}  // namespace
}  // namespace femflex::elements
