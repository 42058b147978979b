#pragma once

#include <string>

#include "document/json.h"

namespace femflex::tools {

/// Holds a document to a JSON schema before anything it names is opened: kinds of values, choices,
/// needed members, lengths of lists. Members that no schema knows are left to the reader, which
/// knows what it asked for.
/// Knows the part of JSON Schema that our schemas use: type, enum, required, properties,
/// additionalProperties, items, minItems, maxItems.
/// @param what  for messages: "system"
/// @throws ParseError  with line and column, and the nearest name where one is misspelt
void check_against(const Json& schema, const Json& value, const std::string& what);

/// The schema of system files that is shipped (tools/schemas/system.schema.json).
const Json& system_schema();

}  // namespace femflex::tools
