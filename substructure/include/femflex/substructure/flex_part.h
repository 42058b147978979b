// Makes a part, described by its dynamic stiffness, from a reduced flexible body.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "femflex/flex_body.h"
#include "femflex/substructure/dynamic_stiffness.h"

namespace femflex::substructure {

/// A reduced flexible body as a part.  Ports are the DOFs `components` of the nodes, named
/// "2101/T1"; motions of the body beyond those of its ports become hidden coordinates. Only enabled
/// modes of the body act. If they lack the six rigid motions, these are added with the mass of the
/// inertia invariants (docs/theory/substructures.md eq. 8). Valid for small motion about the
/// reduced body's position.
/// @param nodes       node ids; empty: the body's interface nodes
/// @param components  "123" or "123456", or any of these digits
/// @throws ModelError  no such node, or fewer independent motions than ports
DynamicStiffness from_flex_body(const FlexBody& body,
                                std::vector<std::int64_t> nodes = {},
                                const std::string& components = "123456");

}  // namespace femflex::substructure
