// Checks JSON documents against the JSON schemas in tools/schemas.
#pragma once

#include <string>

#include "document/json.h"

namespace femflex::tools {

/// Checks a document against a JSON schema before any file named in it is opened: kinds of values,
/// choices, required members, lengths of lists. Members that are not in the schema are left to the
/// reader, which reports unknown keys. Supports the part of JSON Schema that our schemas use: type,
/// enum, required, properties, additionalProperties, items, minItems, maxItems.
/// @param what  name of the document or part for messages: "system"
/// @throws ParseError  with line and column, and the nearest name if one is misspelt
void check_against(const Json& schema, const Json& value, const std::string& what);

/// The schema of system files that is shipped (made from tools/schemas/system.schema.json.in).
const Json& system_schema();

}  // namespace femflex::tools
