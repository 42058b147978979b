// TirFile and parse_tir(): the text of a tyre property file (`.tir`) as sections of names and
// values with line numbers. read_tyre.h interprets the names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/errors.h"

namespace femflex::tyres {

/// A line NAME = value.
struct TirEntry {
  std::string name;     ///< upper case
  std::string section;  ///< upper case
  std::string text;     ///< the value without quotes and comment
  std::int64_t line = 0;
};

/// A parsed file, with its entries in the order of the lines. Rows of tables ([SHAPE], load curves)
/// must be numbers, but are not stored.
struct TirFile {
  std::string name;  ///< for messages
  std::vector<std::string> sections;
  std::vector<TirEntry> entries;

  /// The entry `key` (upper case) of a section; null if there is none. Without a section, all
  /// sections are searched except [UNITS], whose names (LENGTH, FORCE) have other meanings
  /// elsewhere.
  /// @throws ParseError  without a section: two sections contain different values
  const TirEntry* find(std::string_view key, std::string_view section = {}) const;
  /// @throws ParseError  the value is not a finite number
  double number(const TirEntry& entry) const;
  /// Replaces the value of an entry in a section, or adds the entry. With an empty `section`, the
  /// first entry of this name in any section is replaced.
  void set(std::string_view key, double value, std::string_view section);
  /// File, line and section of an entry, for messages.
  Where where(const TirEntry& entry) const;
};

/// Parses a file; `name` is its name for messages. A line is [SECTION], NAME = value with texts in
/// quotes, {head of a table}, or a row of numbers below such a head or in a section of rows alone;
/// $ and ! start comments; lines in round brackets and texts below {comment_string} are skipped.
/// @throws ParseError  a line has another form, or a name is defined twice in a section
TirFile parse_tir(std::string_view bytes, std::string_view name);

}  // namespace femflex::tyres
