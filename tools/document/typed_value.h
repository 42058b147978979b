// typed_value(): a value that a user types on the command line or in a cell of a table of runs.
#pragma once

#include <string>

#include "femflex/errors.h"

#include "document/json_text.h"
#include "document/number_text.h"

namespace femflex::tools {

/// A number as number_of_text() reads it, else the value of a JSON text such as true or [1, 2],
/// else the text, which needs no quotes.
/// @param source  the option, for the places of faults in it
inline Json typed_value(const std::string& text, const std::string& source) {
  if (const auto number = number_of_text(text)) return {*number};
  try {
    return parse_json(text, source);
  } catch (const ParseError&) {
    return {text};
  }
}

}  // namespace femflex::tools
