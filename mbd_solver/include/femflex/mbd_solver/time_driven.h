// time_driven(): what in a system changes with time by itself, which a linear model cannot contain.
#pragma once

#include <string>
#include <vector>

#include "femflex/mbd_solver/system.h"

namespace femflex::mbd_solver {

/// Something that changes with time whatever the system does.
struct TimeDriven {
  std::string name;  ///< "force push", "motion crank", "block command", "gravity"
  std::string how;   ///< its formula, or what happens: "20*sin(8*t)"
};

/// All of them, in the order of the system. The inputs of the system are not among them: their
/// values come from outside.
/// @throws ModelError  see simulate()
std::vector<TimeDriven> time_driven(const System& system);
/// The first of them: "force push (20*sin(8*t)), block command (t) and 2 more".
std::string text_of(const std::vector<TimeDriven>& driven);

}  // namespace femflex::mbd_solver
