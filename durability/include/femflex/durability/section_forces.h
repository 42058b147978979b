// Forces and moments in the sections of bars, beams and rods for each shape, such as the resultants
// of bolts that are modelled as beams. The stress commands write their histories.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "femflex/durability/stress_mesh.h"

namespace femflex::durability {

/// A component at an end of a bar or beam: axial, shear_1, shear_2, torque, moment_1 or moment_2.
/// Rods have axial and torque at their centre.
struct SectionForce {
  std::size_t element = 0;  ///< index in the mesh
  elements::Place place = elements::Place::end;
  int index = 0;  ///< of the end: 0 is A, 1 is B
  elements::Component component = elements::Component::axial;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of the end, in the axes of the nodes [m]
};

/// Section forces of some elements, per unit of each shape.
struct ModalForces {
  std::vector<SectionForce> forces;
  Eigen::MatrixXd S;  ///< (one row per force x shapes) [N], [N m]
};

/// Section forces of all elements of a mesh, in element axes; signs: elements::Component.
/// @throws UsageError  an element is not a bar, beam or rod
/// @throws ModelError  an element is degenerate
ModalForces section_forces(const StressMesh& mesh);

}  // namespace femflex::durability
