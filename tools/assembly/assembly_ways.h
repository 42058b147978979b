// Ports of a part by number or name. Way: a pair of an input port and an output port for which a
// response is computed. run_assembly() uses them.
#pragma once

#include <string>
#include <vector>

#include "femflex/substructure/solve.h"

#include "document/json_text.h"

namespace femflex::tools {

/// The number of the port given by `value`, a number (from 1) or a name.
/// @throws ParseError  the part has no such port
int port_of(const Json& value, const substructure::DynamicStiffness& part);
/// One port or a list of ports; empty if `value` is null.
std::vector<int> ports_of(const Json* value, const substructure::DynamicStiffness& part);

/// An input and an output of the part: the input is "in" (a force) or "motion", the output "out" or
/// "reaction".
struct Way {
  std::string name;
  substructure::Input input;
  substructure::Output output;
};

/// @throws UsageError  not exactly one input and one output, or an unknown port
Way read_way(ObjectReader& reader, const substructure::DynamicStiffness& part);

}  // namespace femflex::tools
