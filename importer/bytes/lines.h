#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace femflex::importer {

/// Walks text line by line. LF, CR LF and, where the first line ends so, bare CR; a missing last
/// line end is fine. Lines come without their end.
class Lines {
 public:
  explicit Lines(std::string_view bytes) : bytes_(bytes) {
    const std::size_t first = bytes.substr(0, std::size_t{1} << 20U).find_first_of("\r\n");
    if (first != std::string_view::npos && bytes[first] == '\r' &&
        (first + 1 == bytes.size() || bytes[first + 1] != '\n'))
      end_ = '\r';
  }

  /// Moves to the next line; false at the end of the text.
  bool next() {
    if (next_ >= bytes_.size()) return false;
    start_ = next_;
    const char* from = bytes_.data() + start_;
    const void* hit = std::memchr(from, end_, bytes_.size() - start_);
    std::size_t length = hit == nullptr
                             ? bytes_.size() - start_
                             : static_cast<std::size_t>(static_cast<const char*>(hit) - from);
    next_ = start_ + length + (hit == nullptr ? 0 : 1);
    if (length > 0 && from[length - 1] == '\r') --length;
    line_ = bytes_.substr(start_, length);
    ++number_;
    return true;
  }
  std::string_view line() const { return line_; }
  std::int64_t number() const { return number_; }  ///< 1-based
  std::size_t offset() const { return start_; }    ///< of the line's first byte
  std::size_t next_offset() const { return next_; }
  std::size_t remaining() const { return bytes_.size() - next_; }  ///< bytes behind the line
  /// The next call of next() gives the same line again.
  void back() {
    next_ = start_;
    --number_;
  }

 private:
  std::string_view bytes_, line_;
  std::size_t start_ = 0, next_ = 0;
  std::int64_t number_ = 0;
  char end_ = '\n';
};

}  // namespace femflex::importer
