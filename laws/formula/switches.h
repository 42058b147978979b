#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "formula/parser.h"

namespace femflex::laws::formula {

/// See Formula::switch_times and Formula::state_jump.
std::vector<double> switch_times(const Parsed& tree,
                                 std::size_t variables,
                                 double start,
                                 double end);
std::string state_jump(const Parsed& tree, const std::vector<std::string>& variables);

}  // namespace femflex::laws::formula
