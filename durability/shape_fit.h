// Fits shapes by combinations of other shapes and rigid motions. Called by stress_source.cpp.
#pragma once

#include <Eigen/Core>

#include "femflex/durability/stress_mesh.h"

namespace femflex::durability {

/// The wanted shapes as combinations of given shapes and of rigid motions.
struct ShapeFit {
  Eigen::MatrixXd combination;  ///< factors of the given shapes (given x wanted)
  /// columns: combinations of given shapes that move the nodes of the wanted shapes as a rigid
  /// body, or not at all
  Eigen::MatrixXd unseen;
  Eigen::VectorXd misfit;  ///< norm of the remainder relative to the norm of the shape, one value
                           ///< per wanted shape
};

/// Least-squares fit over all DOFs of the nodes of `wanted`. Rotations are multiplied by the size
/// of the body.
/// @throws ModelError  a node of `wanted` is missing in `given`, or `wanted` has no nodes
ShapeFit fit_shapes(const ShapeSet& given, const ShapeSet& wanted);

}  // namespace femflex::durability
