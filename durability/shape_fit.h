// Shapes as combinations of other shapes and rigid motions.
#pragma once

#include <Eigen/Core>

#include "femflex/durability/stress_mesh.h"

namespace femflex::durability {

struct ShapeFit {
  Eigen::MatrixXd combination;  ///< (given shapes x wanted shapes)
  /// combinations of given shapes that move no node of the wanted ones, apart from a rigid motion
  Eigen::MatrixXd unseen;
  Eigen::VectorXd misfit;  ///< one per wanted shape: norm of the remainder over that of the shape
};

/// Least squares over all DOFs of the nodes of `wanted`, rotations times the size of the body.
/// @throws ModelError  a node of `wanted` is not one of `given`
ShapeFit fit_shapes(const ShapeSet& given, const ShapeSet& wanted);

}  // namespace femflex::durability
