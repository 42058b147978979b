// Explains what cards, keywords and tables that a reader skipped mean for the model.
#pragma once

#include <string>
#include <string_view>

#include "document/json.h"

namespace femflex::tools {

/// What it means for a model that a card, keyword or table was not read: "load" and "constraint"
/// act on the structure, "property" (materials, sections, output requests) is worked into the
/// matrices already, "result" is output of the FE code; "other" is not known.
std::string_view unread_kind(std::string_view what);

/// Lines of `info` on the `unread` list of a file, by what they mean.
std::string unread_text(const Json& unread);

}  // namespace femflex::tools
