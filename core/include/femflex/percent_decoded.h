// percent_decoded(): decodes %XX in URLs and in URIs of files (RFC 3986, section 2.1).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "femflex/text.h"

namespace femflex {

/// The value of a hexadecimal digit; -1 for other characters.
constexpr int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// Replaces each %XX by its byte; keeps all other text, including '+'.
inline std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '%' && k + 2 < text.size() && hex_digit(text[k + 1]) >= 0 &&
        hex_digit(text[k + 2]) >= 0) {
      out += static_cast<char>(hex_digit(text[k + 1]) * 16 + hex_digit(text[k + 2]));
      k += 2;
    } else {
      out += text[k];
    }
  }
  return out;
}

}  // namespace femflex
