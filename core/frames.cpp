// Converts points of rectangular, cylindrical (r, theta, z) and spherical (r, theta, phi)
// coordinate systems to the basic system, and gives the local axes at a point.
#include "femflex/frames.h"

#include <cmath>

#include "femflex/unit_constants.h"

namespace femflex {

Eigen::Vector3d CoordinateSystem::to_basic(const Eigen::Vector3d& local) const {
  Eigen::Vector3d cartesian = local;
  if (kind == Kind::cylindrical) {
    const double theta = local.y() * kDegree;
    cartesian << local.x() * std::cos(theta), local.x() * std::sin(theta), local.z();
  } else if (kind == Kind::spherical) {
    // spherical coordinates: r, theta from the z axis, phi about the z axis
    const double theta = local.y() * kDegree;
    const double phi = local.z() * kDegree;
    cartesian << local.x() * std::sin(theta) * std::cos(phi),
        local.x() * std::sin(theta) * std::sin(phi), local.x() * std::cos(theta);
  }
  return origin + axes * cartesian;
}

Eigen::Matrix3d CoordinateSystem::axes_at(const Eigen::Vector3d& basic) const {
  if (kind == Kind::rectangular) return axes;
  const Eigen::Vector3d local = axes.transpose() * (basic - origin);
  const double rho = std::hypot(local.x(), local.y());
  const double distance = local.norm();
  // closer to the axis than the round-off of the position: the angle is taken as zero
  constexpr double kRoundOff = 1e-12;
  const bool on_axis = rho <= kRoundOff * (distance + basic.norm() + origin.norm());
  const double c = on_axis ? 1.0 : local.x() / rho;
  const double s = on_axis ? 0.0 : local.y() / rho;
  Eigen::Matrix3d local_axes;
  if (kind == Kind::cylindrical) {
    local_axes << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
  } else {
    const double st = distance > 0.0 ? rho / distance : 0.0;
    const double ct = distance > 0.0 ? local.z() / distance : 1.0;
    local_axes << st * c, ct * c, -s, st * s, ct * s, c, ct, -st, 0.0;
  }
  return axes * local_axes;
}

}  // namespace femflex
