// Splits the text part of a .crg file into sections. Layout [OpenCRG 1.2, 6.2]: a section starts
// with "$KEYWORD" and ends with a line "$" (a comment is allowed); a line "$$..." outside a section
// starts the road data. "*" in column 1 and "!" start comments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"

namespace femflex::roads::crg {

/// A line of a section without comment and surrounding blanks.
struct HeaderLine {
  std::string_view text;
  std::int64_t number = 0;  ///< counted from 1
};

struct Header {
  std::map<std::string, std::vector<HeaderLine>> sections;  ///< by keyword in upper case without $
  std::size_t data_offset = 0;                              ///< byte after the line "$$..."
  std::int64_t data_line = 0;                               ///< number of the first data line
};

/// @throws ParseError  a section has no end, or there is no road data
Header read_header(std::string_view bytes, const std::string& file);

/// The number of a keyword, and its line.
struct Entry {
  double value = 0.0;
  std::int64_t line = 0;
};

/// Lines "KEYWORD = number" of a section; empty if there is no such section.
/// @throws ParseError  a line has another form
std::map<std::string, Entry> entries_of(const Header& header,
                                        const std::string& section,
                                        const std::string& file,
                                        Diagnostics& diagnostics);

}  // namespace femflex::roads::crg
