#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

namespace femflex::service {

/// Bytes that are read or sent at once.
inline constexpr std::size_t kPiece = std::size_t{1} << 16U;

/// Names of headers and hosts are the same in small and capital letters.
inline std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return out;
}

}  // namespace femflex::service
