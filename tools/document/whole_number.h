// whole_number(): a number as an integer, if it is one. Readers of JSON, of options and of other
// texts use it.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

namespace femflex::tools {

inline constexpr std::int64_t kMostWhole = 9007199254740992;  // 2^53: beyond, doubles skip integers

/// The integer from `least` to `most`, at most kMostWhole in size, that `value` is.
inline std::optional<std::int64_t> whole_number(double value,
                                                std::int64_t least = -kMostWhole,
                                                std::int64_t most = kMostWhole) {
  if (!(std::abs(value) <= static_cast<double>(kMostWhole)) || value != std::floor(value))
    return std::nullopt;
  const auto out = static_cast<std::int64_t>(value);
  if (out < least || out > most) return std::nullopt;
  return out;
}

}  // namespace femflex::tools
