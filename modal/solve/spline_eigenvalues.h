// Bounds the lowest eigenvalues of a bulky part from above by smooth motions, without a factor of
// its matrices.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include "femflex/sparse.h"

namespace femflex::modal {

/// Where each unknown is and how it moves.
struct UnknownPlaces {
  Eigen::Matrix3Xd positions;           ///< of its node, basic frame, unit of the model
  std::vector<std::int8_t> components;  ///< 1 to 3 translations, 4 to 6 rotations, 0 a scalar point
};
/// Gives the places when they are needed; empty: they are unknown.
using FindPlaces = std::function<UnknownPlaces()>;

/// Upper bounds of the lowest eigenvalues by the Rayleigh-Ritz method, for motions that are
/// quadratic B-splines on a grid of cubes: close where the modes are smooth over a part about as
/// thick as wide. docs/theory/modal.md eq. (49).
/// @param K, M  lower triangles
/// @return      at most `count` values in ascending order; nullopt if more than some unknowns are
///              not translations of nodes, or if the splines are too few
std::optional<Eigen::VectorXd> spline_eigenvalues(const SparseMatrix& K,
                                                  const SparseMatrix& M,
                                                  const UnknownPlaces& places,
                                                  std::int64_t count,
                                                  int threads);

}  // namespace femflex::modal
