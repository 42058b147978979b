// Where a point is beside a path in the plane.
#pragma once

#include "femflex/mbd_solver/blocks.h"

namespace femflex::mbd_solver {

/// The four outputs of a PathBlock. @param u  x, y [m], heading [rad], preview [m]
void path_outputs(const PathBlock& path, const double* u, double* y);

}  // namespace femflex::mbd_solver
