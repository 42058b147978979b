#pragma once

#include <string>

#include "femflex/hamiltonian/lattice.h"

namespace femflex::tools {

// Tables and numbers of a lattice as formulas for the forces and motions of a system.

/// A function of time t: tables are linear between their points and held beyond them.
std::string formula_of(const hamiltonian::Function& function);

/// The history of a load, 0 before `from` and from `until` on.
std::string history_of(const hamiltonian::Load& load);

}  // namespace femflex::tools
