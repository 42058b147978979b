#pragma once

#include <string>

#include "femflex/errors.h"
#include "femflex/mbd_solver/system.h"

namespace femflex::tools {

/// The flexible bodies of the system whose acting modes hold rigid-body motion beside that of their
/// frame: "'arm', 'boom'", or empty.
std::string bodies_with_rigid_content(const mbd_solver::System& system);

/// The same failure of a run or an equilibrium, led by the flexible bodies of the system whose
/// modes hold rigid-body motion beside that of their frame, where there are any: their
/// accelerations are not unique unless joints make them so.
NumericalError with_rigid_content(const NumericalError& failure, const mbd_solver::System& system);

}  // namespace femflex::tools
