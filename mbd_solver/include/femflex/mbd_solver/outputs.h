// default_outputs(): the channels that a system records if it lists none.
#pragma once

#include <string>
#include <vector>

#include "femflex/mbd_solver/system.h"

namespace femflex::mbd_solver {

/// All channels of bodies, motions and blocks, the reactions of joints, and the energies.
std::vector<std::string> default_outputs(const System& system);

}  // namespace femflex::mbd_solver
