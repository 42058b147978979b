// Reads Fortran sequential records, of which NASTRAN's binary files consist.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "femflex/byte_order.h"

namespace femflex::importer {

/// Reads an integer word (4 or 8 bytes) of a NASTRAN binary file; `swap`: in the other byte order.
inline std::int64_t load_word(const char* p, int word_bytes, bool swap) {
  return word_bytes == 8 ? load<std::int64_t>(p, swap) : load<std::int32_t>(p, swap);
}

/// Reads Fortran sequential records: int32 length, payload, int32 length again.
class FortranRecords {
 public:
  FortranRecords(std::string_view bytes, bool swap, std::string file)
      : bytes_(bytes), swap_(swap), file_(std::move(file)) {}

  /// Payload of the next record; empty optional at the clean end of the file.
  /// @throws ParseError  the file ends inside the record, or its two length words differ
  std::optional<std::string_view> next();

  /// position of the first length word of the record that next() returned last
  std::size_t offset() const { return start_; }
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
