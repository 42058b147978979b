// node_normals(): the normals of one surface element at its nodes, of which codes with curved
// shells make the mean over the elements of a node.
#pragma once

#include <Eigen/Core>

#include "femflex/element_shape.h"

namespace femflex::elements {

/// Unit normals of a triangle or quadrangle at its nodes, one row per node. They follow the
/// right-hand rule over the corners; quad4 has different ones if it is warped.
/// @throws ModelError  the element has no area at a node
Eigen::Matrix<double, Eigen::Dynamic, 3> node_normals(
    ElementShape shape, const Eigen::Matrix<double, Eigen::Dynamic, 3>& positions);

}  // namespace femflex::elements
