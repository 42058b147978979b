// Reads text files line by line, with errors that name file and line, for the readers of text
// formats.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "femflex/errors.h"
#include "femflex/lines.h"

namespace femflex::flexfile {

/// Reads the lines of a file; its errors report the line.
class LineCursor {
 public:
  LineCursor(std::string_view text, std::string file) : lines_(text), file_(std::move(file)) {}

  bool at_end() const { return lines_.at_end(); }
  /// The next line without moving on; empty at the end.
  std::string_view peek() const { return lines_.peek(); }
  /// Moves to the next line; empty at the end.
  std::string_view next() { return lines_.next() ? lines_.line() : std::string_view(); }

  std::int64_t number() const {
    return lines_.number();
  }  ///< number of the line that next() returned, 1-based
  std::size_t bytes_left() const { return lines_.remaining(); }
  std::size_t offset() const { return lines_.next_offset(); }  ///< position of the next line
  const std::string& file() const { return file_; }

  /// Throws an error for the last line given by next(). `column` is 1-based, negative if not
  /// applicable.
  [[noreturn]] void fail(std::string code,
                         std::string message,
                         std::string record,
                         std::int64_t column = -1,
                         std::string fix = {}) const {
    throw ParseError(std::move(code),
                     std::move(message),
                     {file_, number(), column, -1, std::move(record)},
                     std::move(fix));
  }

 private:
  Lines lines_;
  std::string file_;
};

}  // namespace femflex::flexfile
