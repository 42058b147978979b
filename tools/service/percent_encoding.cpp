// Encodes and decodes names in URLs. Letters and digits are those of ASCII, independent of the
// locale.
#include "percent_encoding.h"

#include <fmt/format.h>

namespace femflex::service {
namespace {

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

/// The value of a hexadecimal digit; -1 for other characters.
int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += is_unreserved(c) ? std::string(1, c)
                            : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

std::string percent_decoded(std::string_view text) {
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

}  // namespace femflex::service
