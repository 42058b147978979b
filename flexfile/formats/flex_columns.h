// Fields in fixed columns, as Fortran programs write them, for the reader of FLEX files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bytes/line_cursor.h"

namespace femflex::flexfile {

/// Reads records of equal columns strictly: only what a Fortran program would write is accepted,
/// and an error names the column. A lenient reader would take a number with a shifted digit for
/// another number.
class FlexColumns {
 public:
  explicit FlexColumns(LineCursor& lines) : lines_(lines) {}

  /// Begins a group of reals of 13 columns, six per record; a group starts a new record.
  void begin_reals(std::string_view group, std::int64_t count);
  /// The next number of the group.
  double real();

  /// Begins a group of integers of `width` columns, twelve per record.
  void begin_integers(std::string_view group, std::int64_t count, std::int64_t width);
  std::int64_t integer();

 private:
  /// Moves to the next record and checks its length.
  void read_record();
  [[noreturn]] void bad_field(std::string_view field,
                              std::int64_t column,
                              const std::string& expected) const;

  LineCursor& lines_;
  std::string_view line_;
  std::string group_;
  std::int64_t remaining_ = 0;  ///< number of fields of the group not yet read
  std::int64_t in_record_ = 0;  ///< number of fields of this record not yet read
  std::int64_t column_ = 0;     ///< 0-based column of the next field
  std::int64_t width_ = 13;
  std::int64_t per_record_ = 6;
};

}  // namespace femflex::flexfile
