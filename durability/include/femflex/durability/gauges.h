// Virtual strain gauges: strain along given directions at a point on the surface (skin) of a body.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/durability/stress_mesh.h"

namespace femflex::durability {

/// A gauge as the user defines it, in the axes of the nodes.
struct Gauge {
  std::string name;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< on the skin [m]
  /// direction out of the skin; selects the face of a shell, and the face of a solid near an edge.
  /// Without it, the face of a shell is the one on whose side the point is
  std::optional<Eigen::Vector3d> normal;
  std::vector<Eigen::Vector3d> directions;  ///< directions in which strain is measured; they are
                                            ///< projected on the skin
};

/// A gauge and the element to which it is attached.
struct PlacedGauge {
  std::size_t element = 0;  ///< index in the mesh
  std::string face;         ///< "bottom" or "top" of a shell; "outside" of a solid
  double distance = 0.0;    ///< distance of the point from the skin [m]
  /// the place on the face, in the axes of the nodes [m]
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  std::vector<Eigen::Vector3d> directions;  ///< unit vectors along the skin, in the same axes
  Eigen::MatrixXd strain;  ///< (directions x shapes), strain per unit of each shape
};

/// A face of the skin, curved if the element has mid nodes.
struct SkinFace {
  std::uint32_t element = 0;  ///< index in the mesh
  int face = 0;               ///< index in ElementTopology::faces
  bool is_shell = false;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< of a ball around the element [m]
  double radius = 0.0;                               ///< of this ball [m]
  double lower = 0.0, upper = 0.0;  ///< height of the faces of a shell above its nodes, along its
                                    ///< normal [m]
};

/// The skin: both faces of all shells, and the faces of solids that no other solid of the model
/// shares.
class Skin {
 public:
  /// @param mesh  must outlive the skin
  /// @throws UsageError  the mesh has neither solids nor shells
  explicit Skin(const StressMesh& mesh);
  const StressMesh& mesh() const { return mesh_; }
  const std::vector<SkinFace>& faces() const { return faces_; }

 private:
  const StressMesh& mesh_;
  std::vector<SkinFace> faces_;
};

/// Places a gauge on the nearest face; at an edge or a corner, on the face that suits its normal or
/// its directions best. Its strain is that of elements::surface_strain(). On a shell, a gauge
/// without normal is on the face on whose side the point is, or on the top face if the point is on
/// the middle surface.
/// @throws UsageError  the point is too far from the skin, or from all faces whose normal is close
/// to the gauge's normal; a direction is perpendicular to the skin
PlacedGauge place_gauge(const Skin& skin, const Gauge& gauge);

}  // namespace femflex::durability
