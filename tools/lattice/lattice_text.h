// Recognises the text format of a lattice file.
#pragma once

#include <cstdint>
#include <string_view>

namespace femflex::tools {

/// The text formats of lattices. The first character outside blanks and comments decides.
enum class LatticeText : std::uint8_t { empty, json, fydik, polynomial, matrix, list, unknown };

LatticeText lattice_text_of(std::string_view text);

}  // namespace femflex::tools
