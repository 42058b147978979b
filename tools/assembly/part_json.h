// part_to_json(), part_from_json(): dynamic stiffnesses as JSON, the form in which agents exchange
// them.
#pragma once

#include <string>
#include <string_view>

#include "femflex/substructure/dynamic_stiffness.h"

namespace femflex::tools {

/// A part as one JSON document on one line, exact to the last bit:
/// { "part", "units": "kg/s^2", "ports": [names], "size": n,
/// "coefficients": [ { "power", "rows": [from 0], "columns": [...], "values": [...] } ] }
/// Coordinates after the ports are hidden.
std::string part_to_json(const substructure::DynamicStiffness& part);

/// Reads a document from an untrusted sender. Every size is compared with the amount of data.
/// @param source  name of the sender for messages
/// @throws ParseError, ModelError  the document is invalid
substructure::DynamicStiffness part_from_json(std::string_view text, const std::string& source);

}  // namespace femflex::tools
