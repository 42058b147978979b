// Recovery matrices of rods and springs. Rods: strain and twist from the difference of the end
// displacements along the axis. Springs: stiffness times the displacement of end B relative to end
// A at one point, in spring axes.
#include "line.h"

#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::elements {
namespace {

/// Axes with x in the direction of the argument; y and z are arbitrary.
Eigen::Matrix3d axes_along(const Eigen::Vector3d& x) {
  Eigen::Matrix3d R;
  const Eigen::Vector3d y = x.unitOrthogonal();
  R << x, y, x.cross(y);
  return R;
}

}  // namespace

StressMap rod_map(const Element& element, const StressRequest& request) {
  const auto& section = std::get<RodSection>(element.section);
  const Isotropic m = bar_material(element.material);
  const Eigen::Vector3d along = (element.positions.row(1) - element.positions.row(0)).transpose();
  const double length = along.norm();
  if (!(length > 0.0) || !std::isfinite(length) || !(section.area >= 0.0 && section.J >= 0.0))
    throw ModelError(
        "bad-section",
        fmt::format("rod: length {} m, area {} m^2, J {} m^4", length, section.area, section.J),
        {},
        "check nodes and section of the element");
  const Eigen::RowVector3d x = along.transpose() / length;
  Eigen::Matrix<double, 1, 12> extension = Eigen::Matrix<double, 1, 12>::Zero();
  extension.segment<3>(0) = -x / length;
  extension.segment<3>(6) = x / length;
  Eigen::Matrix<double, 1, 12> twist = Eigen::Matrix<double, 1, 12>::Zero();
  twist.segment<3>(3) = -x / length;
  twist.segment<3>(9) = x / length;

  StressMap map{.quantity = request.quantity, .axes = request.axes};
  StressPoint centre;
  centre.position = element.positions.colwise().mean().transpose();
  centre.axes = axes_along(x.transpose());
  map.points = {centre};
  map.matrix.resize(2, 12);
  if (request.quantity == Quantity::force) {
    map.rows = {{0, Component::axial}, {0, Component::torque}};
    map.matrix << m.E * section.area * extension, m.G * section.J * twist;
    return map;
  }
  const bool is_strain = request.quantity == Quantity::strain;
  map.rows = {{0, Component::xx}, {0, Component::torsion}};
  map.matrix << (is_strain ? 1.0 : m.E) * extension,
      (is_strain ? 1.0 : m.G) * section.torsion_radius * twist;
  return map;
}

StressMap spring_map(const Element& element, const StressRequest& request) {
  const auto& section = std::get<SpringSection>(element.section);
  if (request.quantity != Quantity::force)
    throw UsageError(
        "no-such-quantity", "a spring has no stress and no strain", {}, "ask for its force");
  if (!section.stiffness.allFinite() || !element.positions.allFinite())
    throw ModelError("bad-section",
                     "spring: stiffness or positions are not numbers",
                     {},
                     "check the section of the element");
  StressMap map{.quantity = request.quantity, .axes = request.axes};
  const Eigen::Vector3d A = element.positions.row(0).transpose();
  const Eigen::Vector3d B = element.positions.row(1).transpose();
  StressPoint point;
  point.position = A + section.location.value_or(0.5) * (B - A);
  point.axes = section.axes;
  map.points = {point};
  map.rows = {{0, Component::axial},
              {0, Component::shear_1},
              {0, Component::shear_2},
              {0, Component::torque},
              {0, Component::moment_y},
              {0, Component::moment_z}};
  Eigen::Matrix<double, 6, 12> difference = Eigen::Matrix<double, 6, 12>::Zero();
  for (const int end : {0, 1}) {
    const double sign = end == 0 ? -1.0 : 1.0;
    const Eigen::Vector3d arm = section.location
                                    ? Eigen::Vector3d(point.position - (end == 0 ? A : B))
                                    : Eigen::Vector3d(Eigen::Vector3d::Zero());
    Eigen::Matrix3d turn;  // θ × arm = turn θ
    turn << 0, arm.z(), -arm.y(), -arm.z(), 0, arm.x(), arm.y(), -arm.x(), 0;
    difference.block<3, 3>(0, 6 * end) = sign * section.axes.transpose();
    difference.block<3, 3>(0, 6 * end + 3) = sign * section.axes.transpose() * turn;
    difference.block<3, 3>(3, 6 * end + 3) = sign * section.axes.transpose();
  }
  map.matrix = section.stiffness.asDiagonal() * difference;
  return map;
}

}  // namespace femflex::elements
