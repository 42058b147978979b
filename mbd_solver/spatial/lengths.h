// find_lengths(): the two lengths of a system to which tolerances, steps of differences and
// round-off are relative. The compiler calls it.
#pragma once

#include "spatial/model.h"

namespace femflex::mbd_solver {

/// Sets Model::length_scale and ::local_length. Call it after all markers are compiled.
///
/// Steps of differences and tolerances must not depend on where a system stands: with steps
/// relative to the distance from the origin of W, a mechanism of 1 m at map coordinates of 10 km
/// would be linearised over 0.1 m. The origin counts as part of the system unless it is farther
/// away than several times the extent of the bodies.
void find_lengths(Model& model);

}  // namespace femflex::mbd_solver
