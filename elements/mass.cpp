// Mass of one element: density times volume. The volume of a solid follows from its faces x(r, s)
// by the theorem of Gauss, V = 1/3 ∫ x · (dx/dr × dx/ds) dr ds.
#include "femflex/elements/mass.h"

#include <array>
#include <cmath>
#include <functional>

#include <Eigen/Geometry>

#include "shape_functions.h"

namespace femflex::elements {
namespace {

using Points = Eigen::Matrix<double, Eigen::Dynamic, 3>;

/// Gauss points and weights of degree 5, that of the volume integral over a face of eight nodes.
constexpr std::array<double, 3> kGaussPoints = {-0.77459666924148338, 0.0, 0.77459666924148338};
constexpr std::array<double, 3> kGaussWeights = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};

/// A function of a point of a surface: of its position and dx/dr × dx/ds.
using Integrand = std::function<double(const Eigen::Vector3d&, const Eigen::Vector3d&)>;

/// Integral over the parametric domain of a triangle or quadrangle.
double integral(ElementShape shape, const Points& nodes, const Integrand& f) {
  const bool is_triangle = topology_of(shape).corner_count == 3;
  double sum = 0.0;
  for (std::size_t i = 0; i < kGaussPoints.size(); ++i)
    for (std::size_t k = 0; k < kGaussPoints.size(); ++k) {
      double r = kGaussPoints[i];
      double s = kGaussPoints[k];
      double weight = kGaussWeights[i] * kGaussWeights[k];
      if (is_triangle) {  // the square collapses to 0 <= r, 0 <= s <= 1 - r
        r = 0.5 * (1.0 + r);
        s = 0.5 * (1.0 + s) * (1.0 - r);
        weight *= 0.25 * (1.0 - r);
      }
      const ShapeFunctions N = shape_functions(shape, {r, s, 0.0});
      const Eigen::Vector3d x = nodes.transpose() * N.N;
      const Eigen::Matrix3d tangents = nodes.transpose() * N.derivatives;
      const Eigen::Vector3d along_r = tangents.col(0);
      const Eigen::Vector3d along_s = tangents.col(1);
      sum += weight * f(x, along_r.cross(along_s));
    }
  return sum;
}

/// Nodes of the face of a solid: corners, then mid nodes of its sides if the solid has them.
double volume_of_solid(const Element& element) {
  // about a node, so that far away from the origin no digits cancel
  const Points from_first = element.positions.rowwise() - element.positions.row(0);
  double volume = 0.0;
  for (const ElementFace& face : topology_of(element.shape).faces) {
    const Points nodes = nodes_of_face(face, from_first);
    volume += integral(
        shape_of_face(face), nodes, [](const Eigen::Vector3d& x, const Eigen::Vector3d& normal) {
          return x.dot(normal) / 3.0;
        });
  }
  return std::abs(volume);
}

double volume_of_shell(const Element& element, const ShellSection& section) {
  return section.thickness * integral(element.shape,
                                      element.positions,
                                      [](const Eigen::Vector3d&, const Eigen::Vector3d& normal) {
                                        return normal.norm();
                                      });
}

double length_of(const Element& element) {
  return (element.positions.row(1) - element.positions.row(0)).norm();
}

}  // namespace

double mass_of(const Element& element) {
  const double rho =
      std::visit([](const auto& material) { return material.rho; }, element.material);
  if (std::holds_alternative<SolidSection>(element.section)) return rho * volume_of_solid(element);
  if (const auto* shell = std::get_if<ShellSection>(&element.section))
    return rho * volume_of_shell(element, *shell);
  if (const auto* beam = std::get_if<BeamSection>(&element.section)) {
    const Eigen::Vector3d along =
        (element.positions.row(1) - element.positions.row(0)).transpose() + beam->offsets[1] -
        beam->offsets[0];
    return rho * beam->area * along.norm();
  }
  if (const auto* rod = std::get_if<RodSection>(&element.section))
    return rho * rod->area * length_of(element);
  return 0.0;
}

}  // namespace femflex::elements
