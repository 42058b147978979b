// RoadPoint: height, slopes and friction of a road at one place. RoadCursor: what a contact stores
// between two evaluations. Frame: x, y horizontal, z upwards [m].
#pragma once

#include <cstdint>

#include <Eigen/Core>

namespace femflex::roads {

/// Height and gradient at a place. All are NaN if the road has no values there.
struct Elevation {
  double height = 0.0;   ///< z [m]
  double slope_x = 0.0;  ///< dz/dx
  double slope_y = 0.0;  ///< dz/dy
};

/// All data of the road that a tyre needs at one point.
struct RoadPoint {
  Elevation elevation;
  double friction = 1.0;  ///< factor on the tyre's coefficient of friction

  /// Unit normal of the surface, upwards: (-dz/dx, -dz/dy, 1) / length.
  Eigen::Vector3d normal() const {
    return Eigen::Vector3d(-elevation.slope_x, -elevation.slope_y, 1.0).normalized();
  }
};

/// The last place of a contact on a curved reference line. Each contact has its own cursor, so that
/// threads can share a road. With a new cursor, the first search covers the whole line.
struct RoadCursor {
  static constexpr std::uint32_t kUnset = 0xFFFFFFFFU;

  std::uint32_t segment = kUnset;
  double x = 0.0, y = 0.0;  ///< [m] place of the last evaluation
};

}  // namespace femflex::roads
