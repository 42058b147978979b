// Recognises which text format a lattice file is in.
#pragma once

#include <cstdint>
#include <string_view>

namespace femflex::tools {

/// The text formats of lattices, recognised by the first character that is neither blank nor in a
/// comment.
enum class LatticeText : std::uint8_t { empty, json, fydik, polynomial, matrix, list, unknown };

LatticeText lattice_text_of(std::string_view text);

/// The text without the UTF-8 byte-order mark that Windows editors put in front.
std::string_view without_mark(std::string_view text);

}  // namespace femflex::tools
