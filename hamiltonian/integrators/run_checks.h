// Checks the options of a run before it begins, and finds out why a step failed.
#pragma once

#include <string>
#include <vector>

#include "femflex/hamiltonian/integrate.h"

namespace femflex::hamiltonian {

/// Whether every number is finite.
bool all_finite(const std::vector<double>& values);
/// Largest absolute value, 0 if there are no numbers.
double largest(const std::vector<double>& values);

/// Names the part of the system that is not finite in a step from `last` that ended in `state`;
/// empty if none is found.
std::string find_not_finite(const HamiltonianSystem& system, const State& last, const State& state);

/// @throws UsageError  an impossible step or end; a method that the system does not allow
void check_run(const HamiltonianSystem& system, const State& state, const RunOptions& options);

}  // namespace femflex::hamiltonian
