// listed(): the first names of a list, for messages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace femflex {

/// `a, b, c and 4 more`: the first `most` names.
/// @param before_rest  between the last name and "and 4 more"
inline std::string listed(std::span<const std::string> names,
                          std::size_t most,
                          std::string_view separator = ", ",
                          std::string_view before_rest = " ") {
  std::string out;
  for (std::size_t k = 0; k < std::min(most, names.size()); ++k) {
    if (k > 0) out += separator;
    out += names[k];
  }
  if (names.size() > most)
    out.append(before_rest).append("and ").append(std::to_string(names.size() - most) + " more");
  return out;
}

}  // namespace femflex
