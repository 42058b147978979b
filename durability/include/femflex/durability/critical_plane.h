// Critical-plane search: finds the plane through a point whose normal stress does the most damage.
// Called by run_stress.cpp if the criterion is "critical-plane".
#pragma once

#include <Eigen/Core>

#include "femflex/durability/invariants.h"
#include "femflex/durability/rainflow.h"
#include "femflex/durability/woehler.h"

namespace femflex::durability {

/// A plane and the damage that the stress normal to it does.
struct CriticalPlane {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();  ///< unit vector in the axes of the components
  double damage = 0.0;
};

/// Stress normal to a plane over the run: n' sigma n.
Eigen::ArrayXd normal_stress(const SixHistories& stress,
                             Eigen::Index count,
                             const Eigen::Vector3d& normal);

/// Counts cycles on a grid of planes, then on finer grids around the worst one. For a plane stress
/// state the grid has steps of 10 degrees and normals in the plane; for a spatial state it has
/// steps of 15 degrees over half a sphere.
CriticalPlane critical_plane(const SixHistories& stress,
                             Eigen::Index count,
                             const WoehlerCurve& curve,
                             Residue residue);

}  // namespace femflex::durability
