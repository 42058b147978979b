// Makes untrusted text safe for a terminal, and measures UTF-8 characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace femflex::tools {

/// Number of bytes of the UTF-8 character at the start of `text`, 0 if it does not start with one
/// (RFC 3629).  @param text  not empty
std::size_t character_bytes(std::string_view text);

/// Makes untrusted text safe to show on one line of a terminal: control characters, marks that
/// change the direction of writing and bytes that are not UTF-8 become '?'. Text longer than
/// `max_bytes` is cut and ends in "...".
std::string plain_text(std::string_view text, std::size_t max_bytes);

}  // namespace femflex::tools
