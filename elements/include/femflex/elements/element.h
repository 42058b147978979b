// One finite element: shape, integration kind, node positions, material and section.
// Node order is that of femflex/element_shape.h.
#pragma once

#include <cstdint>

#include <Eigen/Core>

#include "femflex/element_shape.h"
#include "femflex/elements/material.h"
#include "femflex/elements/section.h"

namespace femflex::elements {

/// Where a solid or shell is integrated: C3D20 is full, C3D20R reduced.
///
/// Points, full / reduced: tetrahedron4 1/1, tetrahedron10 4/4, pyramid5 8/1, pyramid13 27/8,
/// wedge6 2/2, wedge15 9/6, hexahedron8 8/1, hexahedron20 27/8; triangle3 1/1, triangle6 3/3,
/// quad4 4/1, quad8 9/4. Gauss points, the first parametric coordinate runs fastest.
/// hexahedron8 with one point has the mean strain of its volume there (C3D8R).
enum class Integration : std::uint8_t { full, reduced };

struct Element {
  ElementShape shape = ElementShape::none;
  Integration integration = Integration::full;
  Eigen::Matrix<double, Eigen::Dynamic, 3> positions;  ///< of the nodes, basic axes [m]
  Material material;
  Section section;
};

/// DOFs per node in the displacement vector of StressMap: 3 for solids (x, y, z), otherwise 6
/// (x, y, z, rx, ry, rz), in basic axes; [m] and [rad].
int dofs_per_node(const Element& element);

}  // namespace femflex::elements
