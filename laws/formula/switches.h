// Jumps and kinks of a formula, at which integrators must stop. Called by formula.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "formula/parser.h"

namespace femflex::laws::formula {

// Largest number of switches that is returned. With more switches, an integrator should not stop at
// each of them.
inline constexpr std::size_t kTooManySwitches = 2000;

/// These functions do the work of Formula::switch_times and Formula::state_jump.
std::vector<double> switch_times(const Parsed& tree,
                                 std::size_t variables,
                                 double start,
                                 double end);
std::string state_jump(const Parsed& tree, const std::vector<std::string>& variables);

}  // namespace femflex::laws::formula
