// Splits the text part of a .crg file into sections and reads their lines "KEYWORD = number".
#include "crg/header.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

namespace femflex::roads::crg {
namespace {

Where header_place(const std::string& file, std::int64_t line, const std::string& record = {}) {
  Where where;
  where.file = file;
  where.line = line;
  where.record = record;
  return where;
}

/// A line without comment and surrounding blanks.
std::string_view without_comment(std::string_view line) {
  if (line.starts_with('*')) return {};
  return trimmed(line.substr(0, line.find('!')));
}

}  // namespace

Header read_header(std::string_view bytes, const std::string& file) {
  Header header;
  Lines lines(bytes);
  std::string section;
  std::int64_t opened = 0;
  while (lines.next()) {
    const std::string_view line = lines.line();
    const std::string_view text = without_comment(line);
    const bool is_mark = line.starts_with('$');
    if (section.empty()) {
      if (line.starts_with("$$")) {
        header.data_offset = lines.next_offset();
        header.data_line = lines.number() + 1;
        return header;
      }
      if (!is_mark) continue;
      section = upper_case(text.substr(1, text.find_first_of(" \t") - 1));
      opened = lines.number();
      if (section.empty())
        throw ParseError(
            "section", "an end of a section, but none is open", header_place(file, lines.number()));
      header.sections[section];
    } else if (is_mark && text == "$") {
      section.clear();
    } else if (is_mark && !line.starts_with("$$")) {
      throw ParseError("section",
                       fmt::format("a section begins before ${} has ended", section),
                       header_place(file, lines.number()),
                       "end each section with a line of $");
    } else if (!text.empty()) {
      header.sections[section].push_back({text, lines.number()});
    }
  }
  if (!section.empty())
    throw ParseError("truncated",
                     fmt::format("the file ends inside of section ${}", section),
                     header_place(file, opened));
  throw ParseError("truncated",
                   "the file ends before its road data",
                   header_place(file, lines.number()),
                   "road data follow a line that begins with $$");
}

std::map<std::string, Entry> entries_of(const Header& header,
                                        const std::string& section,
                                        const std::string& file,
                                        Diagnostics& diagnostics) {
  std::map<std::string, Entry> entries;
  const auto found = header.sections.find(section);
  if (found == header.sections.end()) return entries;
  for (const HeaderLine& line : found->second) {
    const std::size_t equals = line.text.find('=');
    const Where where = header_place(file, line.number, section);
    if (equals == std::string_view::npos)
      throw ParseError("crg-entry", "the line is not of the form KEYWORD = number", where);
    const std::string key = upper_case(trimmed(line.text.substr(0, equals)));
    const auto value = parse_real(line.text.substr(equals + 1));
    if (!value || !std::isfinite(*value))
      throw ParseError("crg-entry",
                       fmt::format("{}: '{}' is not a number",
                                   key.substr(0, 40),
                                   trimmed(line.text.substr(equals + 1)).substr(0, 40)),
                       where);
    const auto [at, is_new] = entries.insert_or_assign(key, Entry{*value, line.number});
    if (!is_new)
      diagnostics.warn(
          "repeated-key", fmt::format("{} is given twice; the last counts", key), where);
  }
  return entries;
}

}  // namespace femflex::roads::crg
