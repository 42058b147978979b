#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace femflex::importer {

/// A number of the file's byte order at `p`, which need not be aligned.
template <typename T>
T load(const char* p, bool swap) {
  static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  Bits bits = 0;
  std::memcpy(&bits, p, sizeof bits);
  if (swap) {
    if constexpr (sizeof(T) == 4)
      bits = __builtin_bswap32(bits);
    else
      bits = __builtin_bswap64(bits);
  }
  T value{};
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Integer word of a NASTRAN binary: 4 or 8 bytes.
inline std::int64_t load_word(const char* p, int word_bytes, bool swap) {
  return word_bytes == 8 ? load<std::int64_t>(p, swap) : load<std::int32_t>(p, swap);
}

/// Fortran sequential records: int32 length, payload, int32 length again.
class FortranRecords {
 public:
  FortranRecords(std::string_view bytes, bool swap, std::string file)
      : bytes_(bytes), swap_(swap), file_(std::move(file)) {}

  /// Payload of the next record; empty optional at the clean end of the file.
  /// @throws ParseError  the file ends inside the record, or its two length words differ
  std::optional<std::string_view> next();

  std::size_t offset() const { return start_; }   ///< of the record given last (its length word)
  std::size_t position() const { return next_; }  ///< where the next record starts
  void seek(std::size_t position) { next_ = position; }
  std::size_t remaining() const { return bytes_.size() - next_; }
  bool swap() const { return swap_; }
  const std::string& file() const { return file_; }

 private:
  std::string_view bytes_;
  bool swap_;
  std::string file_;
  std::size_t start_ = 0, next_ = 0;
};

}  // namespace femflex::importer
