#pragma once

#include <concepts>
#include <cstddef>

namespace femflex {

/// A signed index (32 or 64 bits, never negative) as the size type of standard containers.
constexpr std::size_t at(std::integral auto i) {
  return static_cast<std::size_t>(i);
}

}  // namespace femflex
