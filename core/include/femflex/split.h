// split(): the items of a list in a text, such as names between commas.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/text.h"

namespace femflex {

/// The items between separators, without white space around them and without empty items.
inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view item = trimmed(text.substr(0, end), is_white_space);
    if (!item.empty()) out.emplace_back(item);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace femflex
