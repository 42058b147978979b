// Distorted and rotated sample elements and linear displacement fields, for the tests of elements/.
// A field is u = u_0 + H x; its strain is the symmetric part of H.
#pragma once

#include <random>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "femflex/elements/stress_map.h"

#include "shape_functions.h"

namespace femflex::elements {

inline const std::vector<ElementShape> kSolids = {ElementShape::tetrahedron4,
                                                  ElementShape::tetrahedron10,
                                                  ElementShape::pyramid5,
                                                  ElementShape::pyramid13,
                                                  ElementShape::wedge6,
                                                  ElementShape::wedge15,
                                                  ElementShape::hexahedron8,
                                                  ElementShape::hexahedron20};
inline const std::vector<ElementShape> kShells = {
    ElementShape::triangle3, ElementShape::triangle6, ElementShape::quad4, ElementShape::quad8};

inline const Isotropic kSteel = {.E = 2.1e11, .nu = 0.3, .G = 2.1e11 / 2.6, .rho = 7850.0};
inline const Isotropic kUnit = {.E = 1.0, .nu = 0.25, .G = 0.4};

inline constexpr StressRequest kEverywhere = {.integration_points = true, .corners = true};

/// Whether the centre has the fit of the integration points, and not the field itself.
inline bool is_centre_fitted(const Element& element) {
  const std::vector<Eigen::Vector3d> points =
      integration_points(element.shape, element.integration);
  bool has_centre = false;
  for (const Eigen::Vector3d& p : points)
    has_centre = has_centre || (p - parametric_centre(element.shape)).norm() < 1e-9;
  return without_mids(element.shape) != element.shape && points.size() > 1 && !has_centre;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number() { return distribution_(engine_); }
  Eigen::MatrixXd matrix(Eigen::Index rows, Eigen::Index columns) {
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [this] { return number(); });
  }
  Eigen::VectorXd vector(Eigen::Index rows) { return matrix(rows, 1); }
  Eigen::Matrix3d rotation() {
    return Eigen::Quaterniond(number(), number(), number(), number())
        .normalized()
        .toRotationMatrix();
  }

 private:
  std::mt19937 engine_;
  std::uniform_real_distribution<double> distribution_{-1.0, 1.0};
};

/// Nodes of a shape: the parametric nodes, each displaced by up to `distortion`, then rotated and
/// translated.
/// @param flat  the nodes stay in one plane
inline Eigen::Matrix<double, Eigen::Dynamic, 3> distorted_nodes(
    ElementShape shape, Random& random, double distortion, bool flat, const Eigen::Matrix3d& R) {
  const std::vector<Eigen::Vector3d> reference = parametric_nodes(shape);
  Eigen::Matrix<double, Eigen::Dynamic, 3> out(static_cast<Eigen::Index>(reference.size()), 3);
  for (std::size_t i = 0; i < reference.size(); ++i) {
    Eigen::Vector3d x = reference[i] + distortion * random.vector(3);
    if (flat) x.z() = 0.0;
    out.row(static_cast<Eigen::Index>(i)) = (R * x + Eigen::Vector3d(3.0, -2.0, 1.0)).transpose();
  }
  return out;
}

inline Element solid_sample(ElementShape shape, Integration integration, Random& random) {
  return {.shape = shape,
          .integration = integration,
          .positions = distorted_nodes(shape, random, 0.08, false, random.rotation()),
          .material = kUnit,
          .section = SolidSection{}};
}

/// A distorted shell in one plane. The third column of R is the normal.
inline Element shell_sample(ElementShape shape,
                            Integration integration,
                            Random& random,
                            const Eigen::Matrix3d& R) {
  return {.shape = shape,
          .integration = integration,
          .positions = distorted_nodes(shape, random, 0.08, true, R),
          .material = kUnit,
          .section = ShellSection{.thickness = 0.1, .offset = 0.07}};
}

/// u + θ × x at the nodes; 3 or 6 DOFs per node.
inline Eigen::VectorXd rigid_motion(const Element& element,
                                    const Eigen::Vector3d& u,
                                    const Eigen::Vector3d& theta) {
  const int per_node = dofs_per_node(element);
  Eigen::VectorXd out(per_node * element.positions.rows());
  for (Eigen::Index i = 0; i < element.positions.rows(); ++i) {
    const Eigen::Vector3d x = element.positions.row(i).transpose();
    out.segment<3>(per_node * i) = u + theta.cross(x);
    if (per_node == 6) out.segment<3>(per_node * i + 3) = theta;
  }
  return out;
}

/// The components xx, yy, zz, xy, yz, zx of a tensor. Shear components are multiplied by `shear` (2
/// for engineering strain).
inline Eigen::Matrix<double, 6, 1> six_of(const Eigen::Matrix3d& t, double shear) {
  Eigen::Matrix<double, 6, 1> out;
  out << t(0, 0), t(1, 1), t(2, 2), shear * t(0, 1), shear * t(1, 2), shear * t(2, 0);
  return out;
}

/// Hooke's law of an isotropic solid, by Lamé's constants.
inline Eigen::Matrix3d hooke(const Isotropic& m, const Eigen::Matrix3d& strain) {
  const double mu = m.E / (2.0 * (1.0 + m.nu));
  const double lambda = m.E * m.nu / ((1.0 + m.nu) * (1.0 - 2.0 * m.nu));
  return 2.0 * mu * strain + lambda * strain.trace() * Eigen::Matrix3d::Identity();
}

}  // namespace femflex::elements
