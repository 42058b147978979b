// Explains the effect of cards, keywords and tables that a reader skipped. The verb info uses it.
#pragma once

#include <string>
#include <string_view>

#include "document/json.h"

namespace femflex::tools {

/// The kind of a card, keyword or table that was not read. "load" and "constraint" are missing in
/// the model. "property" (materials, sections, output requests) is already contained in the
/// matrices. "result" is output of the FE code. "other" is unknown.
/// @param name  name of the card, keyword or table
std::string_view unread_kind(std::string_view name);

/// The `unread` list of a file as text for `info`, one line per kind.
std::string unread_text(const Json& unread);

}  // namespace femflex::tools
