// Element: one finite element with shape, integration rule, node positions, material and section,
// as input of stress_map(). Node order is that of femflex/element_shape.h.
#pragma once

#include <cstdint>

#include <Eigen/Core>

#include "femflex/element_shape.h"
#include "femflex/elements/material.h"
#include "femflex/elements/section.h"

namespace femflex::elements {

/// Integration rule of a solid or shell: C3D20 is full, C3D20R reduced.
///
/// Number of points, full / reduced: tetrahedron4 1/1, tetrahedron10 4/4, pyramid5 8/1, pyramid13
/// 27/8, wedge6 2/2, wedge15 9/6, hexahedron8 8/1, hexahedron20 27/8; triangle3 1/1, triangle6 3/3,
/// quad4 4/1, quad8 9/4. They are Gauss points; the first parametric coordinate varies fastest. At
/// its single point, hexahedron8 has the mean strain of its volume (C3D8R). With internal modes,
/// hexahedron8 has the nine incompatible modes of CalculiX's C3D8I, in equilibrium with the
/// displacements of its nodes; quad4 has those of them that lie in its plane (S4), and a beam of
/// two nodes is such a solid (B31); other shapes have full integration.
enum class Integration : std::uint8_t { full, reduced, internal_modes };

struct Element {
  ElementShape shape = ElementShape::none;
  Integration integration = Integration::full;
  Eigen::Matrix<double, Eigen::Dynamic, 3> positions;  ///< node positions in basic axes [m]
  Material material;
  Section section;
};

/// DOFs per node in the displacement vector of StressMap, in basic axes: 3 for solids (x, y, z)
/// [m], otherwise 6 (x, y, z, rx, ry, rz) [m], [rad].
int dofs_per_node(const Element& element);

}  // namespace femflex::elements
