// The text of a tyre property file (`.tir`): sections of names and values, with their lines. What
// the names mean is the matter of read_tyre.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/errors.h"

namespace femflex::tyres {

/// NAME = value
struct TirEntry {
  std::string name;     ///< upper case
  std::string section;  ///< upper case
  std::string text;     ///< the value, without quotes and comment
  std::int64_t line = 0;
};

/// A file in the order of its lines. Rows of tables ([SHAPE], load curves) are checked and left
/// out.
struct TirFile {
  std::string name;  ///< for messages
  std::vector<std::string> sections;
  std::vector<TirEntry> entries;

  /// The entry of that name, in a section or (section empty) in any but [UNITS]; null if absent.
  /// @throws ParseError  two sections give different values
  const TirEntry* find(std::string_view key, std::string_view section = {}) const;
  /// @throws ParseError  the value is not a finite number
  double number(const TirEntry& entry) const;
  /// Replaces the value of a name, or adds it to a section.
  void set(std::string_view key, double value, std::string_view section);
  /// Where an entry is, for messages.
  Where where(const TirEntry& entry) const;
};

/// `bytes` as text; `name` is that of the file. Comments begin with $ or !, names end at =, texts
/// are quoted, a line that begins with { is the head of a table.
/// @throws ParseError  a line is neither of these, or a name is defined twice in a section
TirFile parse_tir(std::string_view bytes, std::string_view name);

}  // namespace femflex::tyres
