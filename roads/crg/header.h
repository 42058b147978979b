// The text part of a .crg file, cut into its sections. Layout [OpenCRG 1.2, 6.2]: sections begin
// with "$KEYWORD" and end with a line of "$" alone (comment allowed); a line "$$..." outside of a
// section begins the road data. "*" in column 1 and "!" begin comments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"

namespace femflex::roads::crg {

/// A line of a section without its comment and the blanks around it.
struct HeaderLine {
  std::string_view text;
  std::int64_t number = 0;  ///< 1-based
};

struct Header {
  std::map<std::string, std::vector<HeaderLine>> sections;  ///< by upper-case keyword without $
  std::size_t data_offset = 0;                              ///< byte after the line "$$..."
  std::int64_t data_line = 0;                               ///< number of the first data line
};

/// @throws ParseError  a section does not end, or there is no road data
Header read_header(std::string_view bytes, const std::string& file);

/// The number after a keyword, and its line.
struct Entry {
  double value = 0.0;
  std::int64_t line = 0;
};

/// Lines "KEYWORD = number" of a section; empty if there is no such section.
/// @throws ParseError  a line of another form
std::map<std::string, Entry> entries_of(const Header& header,
                                        const std::string& section,
                                        const std::string& file,
                                        Diagnostics& diagnostics);

}  // namespace femflex::roads::crg
