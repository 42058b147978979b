// Splits a line of a deck at its commas.
#pragma once

#include <string_view>
#include <vector>

#include "femflex/text.h"

namespace femflex::importer {

/// The position of the first comma that is not between quotes; npos if there is none. A quote that
/// is not closed is a letter like any other.
inline std::size_t comma_of(std::string_view line) {
  std::size_t comma = line.find(',');
  std::size_t quote = line.find('"');
  while (quote < comma && comma != std::string_view::npos) {
    const std::size_t closing = line.find('"', quote + 1);
    if (closing == std::string_view::npos) break;
    if (comma < closing) comma = line.find(',', closing + 1);
    quote = line.find('"', closing + 1);
  }
  return comma;
}

/// The fields between the commas of a line, without the blanks around them. Names in quotes may
/// contain commas.
inline std::vector<std::string_view> comma_fields(std::string_view line) {
  std::vector<std::string_view> out;
  const bool has_quotes = line.find('"') != std::string_view::npos;
  for (;;) {
    const std::size_t comma = has_quotes ? comma_of(line) : line.find(',');
    out.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return out;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace femflex::importer
