// Lets the search for equilibria of lattices solve its linear equations with the sparse matrix
// factorization of the modal stage.
#pragma once

#include <functional>
#include <memory>

#include "femflex/hamiltonian/lattice_statics.h"

namespace femflex::tools {

/// @return a function that makes factorizations which work on `threads` threads, for
/// EquilibriumOptions::make_factor
std::function<std::unique_ptr<hamiltonian::SymmetricFactor>()> static_factors(int threads);

}  // namespace femflex::tools
