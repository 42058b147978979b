#pragma once

#include <string>

#include "femflex/hamiltonian/lattice.h"

namespace femflex::tools {

// What a lattice states by tables and numbers, as formulas that a system's forces and motions take.

/// A function of time t: tables are linear between their points and held beyond them.
std::string formula_of(const hamiltonian::Function& function);

/// The history of a load, 0 before `from` and from `until` on.
std::string history_of(const hamiltonian::Load& load);

}  // namespace femflex::tools
