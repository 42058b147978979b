// Reads binary numbers of either byte order from memory, for readers of binary files.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace femflex {

/// Reads a 1-, 4- or 8-byte number from `p`, which need not be aligned. If `swap` is true, the
/// bytes are in the opposite order to that of this machine.
template <typename T>
T load(const char* p, bool swap) {
  static_assert(std::is_trivially_copyable_v<T> &&
                (sizeof(T) == 1 || sizeof(T) == 4 || sizeof(T) == 8));
  T value{};
  if constexpr (sizeof(T) == 1) {
    std::memcpy(&value, p, sizeof value);
  } else {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    Bits bits = 0;
    std::memcpy(&bits, p, sizeof bits);
    if (swap) {
      if constexpr (sizeof(T) == 4)
        bits = __builtin_bswap32(bits);
      else
        bits = __builtin_bswap64(bits);
    }
    std::memcpy(&value, &bits, sizeof value);
  }
  return value;
}

}  // namespace femflex
