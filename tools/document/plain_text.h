// plain_text(): makes text from other hosts safe for a terminal. character_bytes(): length of a
// UTF-8 character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace femflex::tools {

/// Number of bytes of the UTF-8 character (RFC 3629) at the start of `text`; 0 if there is none.
/// @param text  not empty
std::size_t character_bytes(std::string_view text);

/// Makes untrusted text safe for one line of a terminal. Control characters, marks that change the
/// direction of writing, and bytes that are not UTF-8 become '?'. Text longer than `max_bytes` is
/// cut and ends in "...".
std::string plain_text(std::string_view text, std::size_t max_bytes);

}  // namespace femflex::tools
