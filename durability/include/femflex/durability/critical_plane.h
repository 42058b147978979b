// The plane whose normal stress does most damage.
#pragma once

#include <Eigen/Core>

#include "femflex/durability/invariants.h"
#include "femflex/durability/rainflow.h"
#include "femflex/durability/woehler.h"

namespace femflex::durability {

/// A plane and the damage of the stress across it.
struct CriticalPlane {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();  ///< in the axes of the components
  double damage = 0.0;
};

/// Stress normal to a plane over the run, n' sigma n.
Eigen::ArrayXd normal_stress(const SixHistories& stress,
                             Eigen::Index count,
                             const Eigen::Vector3d& normal);

/// Counts cycles on planes 10 degrees apart in a plane state of stress (normals in the plane), 15
/// degrees apart over half a sphere in a spatial one, and then ever closer around the worst.
CriticalPlane critical_plane(const SixHistories& stress,
                             Eigen::Index count,
                             const WoehlerCurve& curve,
                             Residue residue);

}  // namespace femflex::durability
