// Writes text as a string of JSON: quotes, with `"`, `\` and control characters escaped.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace femflex::flexfile {

/// The text in quotes, with escapes where JSON demands them.
inline std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20) {  // control characters
      out += fmt::format("\\u{:04x}", code);
      continue;
    }
    if (c == '"' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  return out + "\"";
}

}  // namespace femflex::flexfile
