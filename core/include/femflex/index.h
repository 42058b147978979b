#pragma once

#include <concepts>
#include <cstddef>

namespace femflex {

/// An index of ours (32 or 64 bits, signed, never negative) as standard containers count.
constexpr std::size_t at(std::integral auto i) {
  return static_cast<std::size_t>(i);
}

}  // namespace femflex
