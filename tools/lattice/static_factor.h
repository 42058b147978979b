// The factor of the modal stage for the equilibria of lattices.
#pragma once

#include <functional>
#include <memory>

#include "femflex/hamiltonian/lattice_statics.h"

namespace femflex::tools {

/// Makes factors on this number of threads, for EquilibriumOptions::make_factor.
std::function<std::unique_ptr<hamiltonian::SymmetricFactor>()> static_factors(int threads);

}  // namespace femflex::tools
