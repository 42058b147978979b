// Converts signed indices to the unsigned size type of standard containers.
#pragma once

#include <concepts>
#include <cstddef>

namespace femflex {

/// Converts a signed index (32 or 64 bits, never negative) to the size type of standard containers.
constexpr std::size_t at(std::integral auto i) {
  return static_cast<std::size_t>(i);
}

}  // namespace femflex
