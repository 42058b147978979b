// Lists of DOFs as users write them on the command line.
#pragma once

#include <string_view>
#include <vector>

#include "femflex/dof_map.h"

namespace femflex::tools {

/// Parses a list of DOFs "3/T3, 12/R1, 501/S, 7"; a node number alone means the six DOFs of the
/// node.
/// @throws UsageError  an item is not a DOF
std::vector<Dof> parse_dofs(std::string_view text);

}  // namespace femflex::tools
