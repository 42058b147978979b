#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "femflex/errors.h"

namespace femflex::flexfile {

/// Walks the lines of a text; ends of line are LF or CR LF and belong to no line.
class LineCursor {
 public:
  LineCursor(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  bool at_end() const { return at_ >= text_.size(); }
  /// The next line without moving on; empty at the end.
  std::string_view peek() const { return text_.substr(at_, end_of_line() - at_ - carriage()); }
  std::string_view next() {
    const std::string_view line = peek();
    const std::size_t end = end_of_line();
    at_ = end < text_.size() ? end + 1 : end;
    ++number_;
    return line;
  }

  std::int64_t number() const { return number_; }  ///< of the line that next() gave last, 1-based
  std::size_t bytes_left() const { return text_.size() - at_; }
  std::size_t offset() const { return at_; }
  std::string_view rest() const { return text_.substr(at_); }
  const std::string& file() const { return file_; }

  /// Fault in the line that next() gave last. `column` 1-based, negative where it has no meaning.
  [[noreturn]] void fail(std::string code,
                         std::string message,
                         std::string record,
                         std::int64_t column = -1,
                         std::string fix = {}) const {
    throw ParseError(std::move(code),
                     std::move(message),
                     {file_, number_, column, -1, std::move(record)},
                     std::move(fix));
  }

 private:
  std::size_t end_of_line() const {
    if (at_ >= text_.size()) return at_;
    const std::size_t end = text_.find('\n', at_);
    return end == std::string_view::npos ? text_.size() : end;
  }
  std::size_t carriage() const {
    const std::size_t end = end_of_line();
    return end > at_ && end <= text_.size() && text_[end - 1] == '\r' ? 1 : 0;
  }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  std::int64_t number_ = 0;
};

}  // namespace femflex::flexfile
