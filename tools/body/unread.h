// Explains what cards, keywords and tables that a reader skipped mean for the model.
#pragma once

#include <string>
#include <string_view>

#include "document/json.h"

namespace femflex::tools {

/// The kind of a card, keyword or table that was not read: "load" and "constraint" are missing in
/// the model, "property" (materials, sections, output requests) is contained in the matrices
/// already, "result" is output of the FE code, "other" is not known.
/// @param name  name of the card, keyword or table
std::string_view unread_kind(std::string_view name);

/// The `unread` list of a file as lines of `info`, one line per kind.
std::string unread_text(const Json& unread);

}  // namespace femflex::tools
