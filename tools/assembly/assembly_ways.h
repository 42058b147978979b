// Ports of a part by number or name, and ways: pairs of one input port and one output port between
// which a response is computed.
#pragma once

#include <string>
#include <vector>

#include "femflex/substructure/solve.h"

#include "document/json_text.h"

namespace femflex::tools {

/// The number of the port that `value` gives by number (from 1) or by name.
/// @throws ParseError  the part has no such port
int port_of(const Json& value, const substructure::DynamicStiffness& part);
/// One port or a list of them; none if `value` is null.
std::vector<int> ports_of(const Json* value, const substructure::DynamicStiffness& part);

/// One input and output of the part: from "in" (a force) or "motion" to "out" or "reaction".
struct Way {
  std::string name;
  substructure::Input input;
  substructure::Output output;
};

/// @throws UsageError  not exactly one input and one output, or an unknown port
Way read_way(ObjectReader& reader, const substructure::DynamicStiffness& part);

}  // namespace femflex::tools
