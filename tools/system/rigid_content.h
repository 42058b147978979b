// Finds flexible bodies whose modes contain rigid-body motion, which makes a system singular.
#pragma once

#include <string>

#include "femflex/errors.h"
#include "femflex/mbd_solver/system.h"

namespace femflex::tools {

/// The flexible bodies of the system whose active modes hold rigid-body motion in addition to that
/// of their frame: "'arm', 'boom'", or empty.
std::string bodies_with_rigid_content(const mbd_solver::System& system);

/// The failure of a run or an equilibrium. If flexible bodies have modes that hold rigid-body
/// motion in addition to that of their frame, the message begins with their names: accelerations of
/// such bodies are not unique unless joints make them so.
NumericalError with_rigid_content(const NumericalError& failure, const mbd_solver::System& system);

}  // namespace femflex::tools
