// Finds flexible bodies whose modes contain rigid-body motion, which makes a system singular.
// run_system() uses it for messages.
#pragma once

#include <string>

#include "femflex/errors.h"
#include "femflex/mbd_solver/system.h"

namespace femflex::tools {

/// Names of the flexible bodies whose active modes contain rigid-body motion in addition to that of
/// their frame: "'arm', 'boom'"; empty if there is none.
std::string bodies_with_rigid_content(const mbd_solver::System& system);

/// The failure of a run or an equilibrium. If flexible bodies have modes with rigid-body motion in
/// addition to that of their frame, the message begins with their names: unless joints prevent it,
/// the accelerations of such bodies are not unique.
NumericalError with_rigid_content(const NumericalError& failure, const mbd_solver::System& system);

}  // namespace femflex::tools
