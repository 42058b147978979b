// Jumps and kinks of a formula, for integrators that must stop at them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "formula/parser.h"

namespace femflex::laws::formula {

// largest number of switches that is returned; with more, stopping at each one is not worthwhile
inline constexpr std::size_t kTooManySwitches = 2000;

/// See Formula::switch_times and Formula::state_jump.
std::vector<double> switch_times(const Parsed& tree,
                                 std::size_t variables,
                                 double start,
                                 double end);
std::string state_jump(const Parsed& tree, const std::vector<std::string>& variables);

}  // namespace femflex::laws::formula
