// Virtual strain gauges: strain along given directions at a point of the skin of a body.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/durability/stress_mesh.h"

namespace femflex::durability {

/// A gauge as the user places it, in the axes of the nodes.
struct Gauge {
  std::string name;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< on the skin [m]
  std::vector<Eigen::Vector3d> directions;          ///< of its grids; projected on the skin
};

/// A gauge on its element.
struct PlacedGauge {
  std::size_t element = 0;  ///< in the mesh
  std::string face;         ///< "bottom", "top" of a shell; "outside" of a solid
  double distance = 0.0;    ///< from the point to the skin [m]
  Eigen::MatrixXd strain;   ///< (directions x shapes), per unit of the shape
};

/// Puts a gauge on the nearest face: strains of the corners, weighted linearly over the face. On a
/// shell the side of the point decides on the face; a point on the middle surface gets the top.
/// @throws UsageError  the point is off the skin, or a direction is normal to it; there are no
///                     solids and shells
PlacedGauge place_gauge(const StressMesh& mesh, const Gauge& gauge);

}  // namespace femflex::durability
