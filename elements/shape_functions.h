// Shape functions N_i of solids and surfaces, and their derivatives with respect to the parametric
// coordinates r, s, t. Quadrangles and hexahedra: -1 to 1. Triangles and tetrahedra: area or volume
// coordinates 0 to 1 (r, s are the shares of corners 2, 3). Wedges: t from -1 to 1. Pyramids: t
// from 0 (base) to 1 (apex).
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include "femflex/element_shape.h"
#include "femflex/elements/element.h"

namespace femflex::elements {

struct ShapeFunctions {
  Eigen::VectorXd N;                                     ///< one per node
  Eigen::Matrix<double, Eigen::Dynamic, 3> derivatives;  ///< with respect to r, s, t
};

/// True for the supported shapes: triangles and quadrangles with 3, 4, 6 or 8 nodes, and all
/// solids.
bool has_shape_functions(ElementShape shape);

/// @pre has_shape_functions(shape)
ShapeFunctions shape_functions(ElementShape shape, const Eigen::Vector3d& rst);

/// Parametric coordinates of the nodes; mid nodes are halfway between corners.
std::vector<Eigen::Vector3d> parametric_nodes(ElementShape shape);

/// The shape with the same corners and without mid nodes.
ElementShape without_mids(ElementShape shape);

/// The surface shape of a face, and the positions of its nodes in that order.
/// @param positions  of all nodes of the element
ElementShape shape_of_face(const ElementFace& face);
Eigen::Matrix<double, Eigen::Dynamic, 3> nodes_of_face(
    const ElementFace& face, const Eigen::Matrix<double, Eigen::Dynamic, 3>& positions);

/// Parametric coordinates of the centre.
Eigen::Vector3d parametric_centre(ElementShape shape);

/// Parametric coordinates of the integration points.
std::vector<Eigen::Vector3d> integration_points(ElementShape shape, Integration integration);

/// Matrix (corners × points) that gives corner values from values at the integration points: the
/// (multi)linear function over the corners with the smallest squared difference; if it is not
/// unique, the one closest to the mean.
Eigen::MatrixXd corner_fit(ElementShape shape, Integration integration);

}  // namespace femflex::elements
