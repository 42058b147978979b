// Finite-element models of eight-node and twenty-node bricks for the modal benchmarks: boxes, a
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

/// The union of axis-parallel boxes, cut into bricks whose edges are no longer than `edge` and do
/// not cross a face of any box; K and the consistent M are computed by full quadrature, with three
/// DOFs per node.
/// @param nodes_per_brick  8 (2 x 2 x 2 points) or 20 (3 x 3 x 3 points)
FeModel brick_model(const std::vector<Box>& boxes,
                    const Eigen::Vector3d& edge,
                    int nodes_per_brick);

/// Truck ladder frame of 6 m: two C rails, five C and two box cross members of 6 and 8 mm sheet,
/// eight brackets whose outer edges are fixed. There is one brick through the sheet; the edge
/// length is chosen to give about `dofs` DOFs. Twenty-node bricks bend well and give the most
/// fill-in; eight-node ones are too stiff, but their graph is that of a mesh of shells with six
/// DOFs per node.
FeModel chassis_model(std::int64_t dofs, int nodes_per_brick = 20);

/// Bulky part: a block of 1 x 0.7 x 0.5 m whose face at x = 0 is fixed, cut so finely that it has
/// about `dofs` DOFs.
FeModel block_model(std::int64_t dofs, int nodes_per_brick = 20);

/// Beam of speed model F1, 1 x 0.04 x 0.04 m, nx x ny x ny eight-node bricks, both end faces rigid;
/// the face at x = 0 is fixed, the node of the face at x = 1 is the interface.
FeModel beam_model(int nx, int ny);

}  // namespace femflex::bench
