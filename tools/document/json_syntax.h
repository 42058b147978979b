// throw_json_error(): the error message for a JSON text that the parser rejects: the unexpected
// text, what was expected, line and column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace femflex::tools {

/// The tokens that the grammar of JSON allows next.
enum class JsonNext : std::uint8_t {
  value,       ///< at the start of the document
  first_item,  ///< after '[': a value or ']'
  item,        ///< in a list, after a value: ',' or ']'
  first_name,  ///< after '{': a name or '}'
  colon,       ///< after a name
  member,      ///< in an object, after a value: ',' or '}'
  end,         ///< after the document
};

/// Throws the error for a document that a parser of plain JSON has rejected.
/// @param file    name for the message
/// @param next    token expected at `offset`, the end of the accepted part of the text
/// @throws ParseError  always, with line and column
[[noreturn]] void throw_json_error(std::string_view text,
                                   const std::string& file,
                                   JsonNext next,
                                   std::size_t offset);

/// Offset after the text, number, true, false or null that starts at `offset`.
std::size_t end_of_json_value(std::string_view text, std::size_t offset);

}  // namespace femflex::tools
