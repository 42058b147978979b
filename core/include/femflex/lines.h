// Reads text in memory line by line, for the readers of text formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace femflex {

/// Walks through text line by line. Lines end in LF or CR LF; if the first end is a bare CR, CR
/// ends all lines. The last line end may be missing. Lines are given without their end.
class Lines {
 public:
  explicit Lines(std::string_view bytes) : bytes_(bytes) {
    const std::size_t first = bytes.substr(0, kSearched).find_first_of("\r\n");
    if (first != std::string_view::npos && bytes[first] == '\r' &&
        (first + 1 == bytes.size() || bytes[first + 1] != '\n'))
      end_ = '\r';
  }

  /// Moves to the next line; false at the end of the text.
  bool next() {
    if (at_end()) return false;
    const std::size_t end = end_of_line();
    line_ = up_to(end);
    start_ = next_;
    next_ = end < bytes_.size() ? end + 1 : end;
    ++number_;
    return true;
  }
  /// The next line without moving on; empty at the end.
  std::string_view peek() const { return at_end() ? std::string_view() : up_to(end_of_line()); }
  /// Steps back, so that next() gives the same line again. To be called once after next().
  void back() {
    next_ = start_;
    --number_;
  }

  bool at_end() const { return next_ >= bytes_.size(); }
  std::string_view line() const { return line_; }
  std::int64_t number() const { return number_; }  ///< 1-based
  std::size_t offset() const { return start_; }    ///< position of the line's first byte
  std::size_t next_offset() const { return next_; }
  std::size_t remaining() const { return bytes_.size() - next_; }  ///< bytes after the line

 private:
  /// Number of bytes searched for the first line end; no first line of a format here is longer.
  static constexpr std::size_t kSearched = std::size_t{1} << 20U;

  /// Where the next line ends: its end character, or the end of the text.
  std::size_t end_of_line() const {
    const char* from = bytes_.data() + next_;
    const void* hit = std::memchr(from, end_, bytes_.size() - next_);
    return hit == nullptr ? bytes_.size()
                          : next_ + static_cast<std::size_t>(static_cast<const char*>(hit) - from);
  }
  std::string_view up_to(std::size_t end) const {
    const bool has_return = end > next_ && bytes_[end - 1] == '\r';
    return bytes_.substr(next_, end - next_ - (has_return ? 1 : 0));
  }

  std::string_view bytes_, line_;
  std::size_t start_ = 0, next_ = 0;
  std::int64_t number_ = 0;
  char end_ = '\n';
};

}  // namespace femflex
