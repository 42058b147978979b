// Shape functions N_i of solids and surfaces and their derivatives by the parametric coordinates.
// r, s, t: -1..1 in quadrangles and hexahedra; area coordinates 0..1 in triangles (r, s: shares of
// corners 2, 3) and tetrahedra; t from -1 to 1 in wedges, 0 (base) to 1 (apex) in pyramids.
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "femflex/element_shape.h"
#include "femflex/elements/element.h"

namespace femflex::elements {

struct ShapeFunctions {
  Eigen::VectorXd N;                                     ///< one per node
  Eigen::Matrix<double, Eigen::Dynamic, 3> derivatives;  ///< by r, s, t
};

/// True for the shapes that have functions here: triangles and quadrangles of 3, 4, 6, 8 nodes and
/// all solids.
bool has_shape_functions(ElementShape shape);

/// @pre has_shape_functions(shape)
ShapeFunctions shape_functions(ElementShape shape, const Eigen::Vector3d& rst);

/// Parametric coordinates of the nodes; mid nodes lie halfway.
std::vector<Eigen::Vector3d> parametric_nodes(ElementShape shape);

/// The shape with the same corners and no mid nodes.
ElementShape without_mids(ElementShape shape);

/// Parametric coordinates of the centre.
Eigen::Vector3d parametric_centre(ElementShape shape);

/// Parametric coordinates of the integration points.
std::vector<Eigen::Vector3d> integration_points(ElementShape shape, Integration integration);

/// Corner values from values at the integration points, (corners × points): the (multi)linear
/// function over the corners with the least squared difference; if there are several, the one
/// nearest to the mean.
Eigen::MatrixXd corner_fit(ElementShape shape, Integration integration);

}  // namespace femflex::elements
