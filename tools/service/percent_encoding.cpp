// Encodes names in URLs. Letters and digits are those of ASCII, independent of the
// locale.
#include "percent_encoding.h"

#include <fmt/format.h>

namespace femflex::service {
namespace {

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

}  // namespace

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += is_unreserved(c) ? std::string(1, c)
                            : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

}  // namespace femflex::service
