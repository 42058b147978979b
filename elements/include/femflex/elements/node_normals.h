// Normals of surface elements at their nodes, and the mean that codes with curved shells make of
// the directions which the elements of a node give it.
#pragma once

#include <optional>
#include <span>

#include <Eigen/Core>

#include "femflex/element_shape.h"

namespace femflex::elements {

/// Unit normals of a triangle or quadrangle at its nodes, one row per node. They follow the
/// right-hand rule over the corners; quad4 has different ones if it is warped.
/// @throws ModelError  the element has no area at a node
Eigen::Matrix<double, Eigen::Dynamic, 3> node_normals(
    ElementShape shape, const Eigen::Matrix<double, Eigen::Dynamic, 3>& positions);

/// Mean direction at a node by CalculiX's rule (manual, "Shell elements", "Beam elements"): empty
/// if one direction differs from the first by 20 degrees or more. Such a node is a knot.
/// @param directions  unit vectors, at least one, in ascending order of the elements' numbers
std::optional<Eigen::Vector3d> mean_direction(std::span<const Eigen::Vector3d> directions);

}  // namespace femflex::elements
