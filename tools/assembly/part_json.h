// Dynamic stiffnesses as JSON, the form in which agents send them to each other.
#pragma once

#include <string>
#include <string_view>

#include "femflex/substructure/dynamic_stiffness.h"

namespace femflex::tools {

/// A part as one JSON document on one line, exact to the bit:
/// { "part", "units": "kg/s^2", "ports": [names], "size": n,
///   "coefficients": [ { "power", "rows": [from 0], "columns": [...], "values": [...] } ] }
/// Coordinates after the ports are hidden ones.
std::string part_to_json(const substructure::DynamicStiffness& part);

/// Reads a document of an untrusted sender: every size is checked against the data present.
/// @param source  for messages
/// @throws ParseError, ModelError
substructure::DynamicStiffness part_from_json(std::string_view text, const std::string& source);

}  // namespace femflex::tools
