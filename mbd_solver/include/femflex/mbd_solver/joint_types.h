// What joints of a type leave free and hold, for readers of systems and for pictures.
#pragma once

#include "femflex/mbd_solver/system.h"

namespace femflex::mbd_solver {

/// Whether b has an angle about the z axis of a, or a displacement along it, that may be shown,
/// loaded and chosen.
bool has_angle(JointType type);
bool has_displacement(JointType type);
/// Whether its one free coordinate is a displacement, by which a gear then counts it.
bool only_slides(JointType type);
/// Whether it holds a place of one body at a place of another, with reactions there; a gear couples
/// other joints instead.
bool has_places(JointType type);

}  // namespace femflex::mbd_solver
