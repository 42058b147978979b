#pragma once

#include <string>
#include <vector>

#include "femflex/hamiltonian/integrate.h"

namespace femflex::hamiltonian {

bool all_finite(const std::vector<double>& values);
double largest(const std::vector<double>& values);

/// Names what is not finite in a step from `last` that ended in `state`.
std::string trouble(const HamiltonianSystem& system, const State& last, const State& state);

/// @throws UsageError  an impossible step or end; a method that the system does not allow
void check_run(const HamiltonianSystem& system, const State& state, const RunOptions& options);

}  // namespace femflex::hamiltonian
