// Reads single springs and rotational springs (hinges) of a lattice in JSON; lattice_json.cpp calls
// it.
#pragma once

#include <cstdint>
#include <functional>

#include "femflex/hamiltonian/lattice.h"

#include "document/json.h"

namespace femflex::tools {

/// Converts the number of a node or spring in the file to its index; throws if there is no such
/// number.
using IndexOf = std::function<std::int32_t(const Json&)>;

/// @param functions  receives the force function of the spring, if it has one
/// @param id         receives the id of the spring; null if it has none
/// @throws ParseError  keys that are missing, unknown or contradict each other
hamiltonian::Spring read_spring(const Json& value,
                                const IndexOf& node,
                                std::vector<hamiltonian::Function>& functions,
                                const Json*& id);

/// @throws ParseError  as read_spring()
hamiltonian::RotationalSpring read_hinge(const Json& value, const IndexOf& spring);

}  // namespace femflex::tools
