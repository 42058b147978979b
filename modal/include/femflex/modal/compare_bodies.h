// Compares the modes and mass properties of two flexible bodies, for example of one component that
// was reduced by two methods.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "femflex/flex_body.h"

namespace femflex::modal {

/// Nodes that two bodies share, as indices into FlexBody::nodes of each body.
struct NodePairs {
  std::vector<Eigen::Index> a, b;
};

/// How well the modes and masses of two bodies agree.
struct ModeComparison {
  struct Mode {
    double a_hz = 0.0;
    double b_hz = 0.0;           ///< NaN: no mode of B is left for this one
    double error_percent = 0.0;  ///< relative error of b_hz [%]; infinite if a_hz alone is 0
    double mac = 0.0;            ///< MAC of A's mode with the span of B's modes of this frequency
  };
  /// Each eigenmode of A with its best partner in B; modes of equal frequency are treated as one
  /// group.
  std::vector<Mode> modes;
  Eigen::MatrixXd mac;         ///< MAC of the eigenmodes of A (rows) and B (columns)
  double mass_error = 0.0;     ///< relative to A's mass; 1 if only B has mass
  double centre_error = 0.0;   ///< [m]
  double inertia_error = 0.0;  ///< relative to the largest entry of A's
  bool passes = false;
};

/// Compares the eigenmodes of (k, m) of both bodies on their common nodes, and their mass
/// properties.
/// @param tolerance  largest relative difference of frequencies, mass and inertia, and of 1 - MAC
/// @throws NumericalError  a modal mass matrix is not positive definite
ModeComparison compare_bodies(const FlexBody& a,
                              const FlexBody& b,
                              const NodePairs& nodes,
                              double tolerance);

}  // namespace femflex::modal
