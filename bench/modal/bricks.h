// Finite-element models of bricks with eight or twenty nodes, for the modal benchmarks: boxes, a
// truck frame, a beam.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "femflex/fe_model.h"

namespace femflex::bench {

/// A box [low, high] filled with steel.
struct Box {
  Eigen::Vector3d low, high;
};

/// The union of axis-parallel boxes, divided into bricks. Brick edges are no longer than `edge` and
/// do not cross a face of any box. K and the consistent M are computed by full quadrature, with
/// three DOFs per node.
/// @param nodes_per_brick  8 (with 2 x 2 x 2 points of quadrature) or 20 (with 3 x 3 x 3)
FeModel brick_model(const std::vector<Box>& boxes,
                    const Eigen::Vector3d& edge,
                    int nodes_per_brick);

/// A truck ladder frame of 6 m with about `dofs` DOFs: two C-shaped rails, five C-shaped and two
/// box cross members of 6 and 8 mm sheet, and eight brackets with fixed outer edges. There is one
/// brick through the thickness. Twenty-node bricks represent bending well; their factor has the
/// most fill-in. Eight-node bricks are too stiff in bending, but the pattern of their matrices is
/// similar to that of shells with six DOFs per node.
FeModel chassis_model(std::int64_t dofs, int nodes_per_brick = 20);

/// A bulky part with about `dofs` DOFs: a block of 1 x 0.7 x 0.5 m whose face at x = 0 is fixed.
FeModel block_model(std::int64_t dofs, int nodes_per_brick = 20);

/// The beam of speed model F1 (docs/performance.md): 1 x 0.04 x 0.04 m, divided into nx x ny x ny
/// eight-node bricks. Both end faces are rigid. The face at x = 0 is fixed. The reference node of
/// the face at x = 1 is the interface node.
FeModel beam_model(int nx, int ny);

}  // namespace femflex::bench
