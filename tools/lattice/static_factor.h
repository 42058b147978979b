// static_factors(): lets the search for equilibria of lattices use the sparse factorisation of the
// modal stage. run_lattice() calls it.
#pragma once

#include <functional>
#include <memory>

#include "femflex/hamiltonian/lattice_statics.h"

namespace femflex::tools {

/// @return a function that creates factorisations with `threads` threads, for
/// EquilibriumOptions::make_factor
std::function<std::unique_ptr<hamiltonian::SymmetricFactor>()> static_factors(int threads);

}  // namespace femflex::tools
