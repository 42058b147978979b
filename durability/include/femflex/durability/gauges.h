// Virtual strain gauges: strain along given directions at a point of the skin of a body.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/durability/stress_mesh.h"

namespace femflex::durability {

/// A gauge as the user places it, in the axes of the nodes.
struct Gauge {
  std::string name;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< on the skin [m]
  /// direction out of the skin; selects the face of a shell, and the face of a solid near its
  /// edges. Absent: the side on which the point is selects the face of a shell
  std::optional<Eigen::Vector3d> normal;
  std::vector<Eigen::Vector3d> directions;  ///< measured strain directions; projected on the skin
};

/// A gauge on its element.
struct PlacedGauge {
  std::size_t element = 0;  ///< in the mesh
  std::string face;         ///< "bottom", "top" of a shell; "outside" of a solid
  double distance = 0.0;    ///< distance of the point from the skin [m]
  Eigen::MatrixXd strain;   ///< (directions x shapes), per unit of the shape
};

/// A triangle of the skin; quadrangles are two of them.
struct SkinTriangle {
  std::uint32_t element = 0;             ///< in the mesh
  std::array<std::int8_t, 3> corners{};  ///< in the element's node list
  bool is_shell = false;
  Eigen::Matrix3d positions;        ///< of the corners, columns [m]
  double lower = 0.0, upper = 0.0;  ///< faces of a shell above its nodes, along its normal [m]
};

/// Both faces of all shells, and the faces of solids that no other solid of the model shares.
class Skin {
 public:
  /// @param mesh  must outlive the skin
  /// @throws UsageError  the mesh has no solids and shells
  explicit Skin(const StressMesh& mesh);
  const StressMesh& mesh() const { return mesh_; }
  const std::vector<SkinTriangle>& triangles() const { return triangles_; }

 private:
  const StressMesh& mesh_;
  std::vector<SkinTriangle> triangles_;
};

/// Places a gauge on the nearest face; its strain is interpolated linearly between the corners of
/// the face. On a shell, the side on which the point is selects the face unless the gauge has a
/// normal; a point on the middle surface gets the top.
/// @throws UsageError  the point is too far from the skin, or from the faces that look along the
///   normal; a direction is normal to the skin
PlacedGauge place_gauge(const Skin& skin, const Gauge& gauge);

}  // namespace femflex::durability
