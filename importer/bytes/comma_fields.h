// Splits a line of a deck at its commas.
#pragma once

#include <string_view>
#include <vector>

#include "femflex/text.h"

namespace femflex::importer {

/// The fields between the commas of a line, without the blanks around them; one more than there are
/// commas.
inline std::vector<std::string_view> comma_fields(std::string_view line) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t comma = line.find(',');
    out.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return out;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace femflex::importer
