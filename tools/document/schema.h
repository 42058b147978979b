// check_against(): checks JSON documents against the JSON schemas in tools/schemas. read_system()
// calls it.
#pragma once

#include <string>

#include "document/json.h"

namespace femflex::tools {

/// Checks a document against a JSON schema before any file to which it refers is opened: types of
/// values, choices, required members, lengths of lists. Members that are not in the schema are not
/// checked; the reader reports unknown keys. Supports the part of JSON Schema used in
/// tools/schemas: type, enum, required, properties, additionalProperties, items, minItems,
/// maxItems.
/// @param what  name of the document or part for messages, such as "system"
/// @throws ParseError  with line and column, and the most similar name for a misspelled one
void check_against(const Json& schema, const Json& value, const std::string& what);

/// The schema of system files, made from tools/schemas/system.schema.json.in.
const Json& system_schema();

}  // namespace femflex::tools
