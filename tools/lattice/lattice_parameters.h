// with_parameters_put_in(): replaces parameters ("=formula") of a lattice in JSON by their values.
// read_lattice_json() calls it.
#pragma once

#include "document/json.h"

namespace femflex::tools {

/// True if the document has "parameters" or "variants".
bool has_parameters(const Json& lattice);

/// The document with every text "=formula" replaced by its value, and without "parameters" and
/// "variants". A parameter may use earlier parameters.
/// @throws ParseError  an unknown parameter or a malformed formula, with its place
Json with_parameters_put_in(const Json& lattice);

}  // namespace femflex::tools
