// The cross-product matrix, rigid-body motion of a point, and the coordinate systems of FE models.
#pragma once

#include <cstdint>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace femflex {

/// a~ : the matrix with a~ b = a x b.
inline Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& a) {
  Eigen::Matrix3d tilde;
  tilde << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return tilde;
}

/// Displacements and rotations (rows) of a point at `p` by unit translations of a frame and unit
/// rotations about its axes (columns).
inline Eigen::Matrix<double, 6, 6> rigid_rows(const Eigen::Vector3d& p) {
  Eigen::Matrix<double, 6, 6> out = Eigen::Matrix<double, 6, 6>::Identity();
  out.topRightCorner<3, 3>() = -cross_matrix(p);  // theta x p = -p~ theta
  return out;
}

/// A coordinate system of an FE model, expressed in the basic system.
struct CoordinateSystem {
  enum class Kind : std::uint8_t { rectangular = 1, cylindrical = 2, spherical = 3 };

  std::int64_t id = 0;
  Kind kind = Kind::rectangular;
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();    ///< in basic [length unit of the model]
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< R_0C: columns are the axes in basic

  /// Basic position of a point whose coordinates are given in this system (angles in degrees).
  Eigen::Vector3d to_basic(const Eigen::Vector3d& local) const;

  /// R_0L at a point: columns are the local displacement directions in basic: (x, y, z), (r, theta,
  /// z) or (r, theta, phi). On the axis of a cylindrical or spherical system the angle about that
  /// axis is taken as zero.
  Eigen::Matrix3d axes_at(const Eigen::Vector3d& basic) const;
};

}  // namespace femflex
