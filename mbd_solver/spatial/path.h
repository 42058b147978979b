// Position of a point relative to a path in the plane, for PathBlock.
#pragma once

#include "femflex/mbd_solver/blocks.h"

namespace femflex::mbd_solver {

/// Computes the four outputs of a PathBlock.
/// @param u  x, y [m], heading [rad], preview [m]
void path_outputs(const PathBlock& path, const double* u, double* y);

}  // namespace femflex::mbd_solver
