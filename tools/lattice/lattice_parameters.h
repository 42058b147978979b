// Replaces the parameters of a lattice in JSON ("=formula") by their numbers.
#pragma once

#include "document/json.h"

namespace femflex::tools {

/// True if the document has "parameters" or "variants".
bool has_parameters(const Json& lattice);

/// The document with the values of its "parameters": every text "=formula" becomes a number.
/// "parameters" and "variants" are left out. A parameter may use those before it.
/// @throws ParseError  an unknown parameter or a malformed formula, with its place
Json with_parameters_put_in(const Json& lattice);

}  // namespace femflex::tools
