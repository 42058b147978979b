// Parses the lines of a `.tir` file: [SECTION], NAME = value $ comment, {head of a table}, rows,
// (COMMENTS).
#include "femflex/tyres/tir_file.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

namespace femflex::tyres {
namespace {

/// Maximum number of names, more than any tyre has. Each name is compared with all previous ones,
/// so the time increases with the square of their number.
constexpr std::size_t kMostEntries = 4000;

/// The line up to a comment; a comment starts outside quotes.
std::string_view without_comment(std::string_view line) {
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '$' || c == '!') {
      return line.substr(0, i);
    }
  }
  return line;
}

/// Parses one file; stores the current line and section.
class TirParser {
 public:
  TirParser(std::string_view bytes, std::string_view name) : lines_(bytes) { file_.name = name; }

  TirFile parse() {
    while (lines_.next()) {
      const std::string_view line = trimmed(without_comment(lines_.line()), is_white_space);
      if (line.empty()) continue;
      if (line.front() == '[')
        take_section(line);
      else if (section_.empty())
        fail("no-section", fmt::format("'{}' is not in a section", line), "begin with [SECTION]");
      else if (line.front() == '(' || is_comment(line))
        continue;
      else if (line.front() == '{')
        take_head(line);
      else if (line.find('=') != std::string_view::npos)
        take_entry(line);
      else
        take_row(line);
    }
    if (file_.sections.empty())
      throw ParseError("not-a-tyre",
                       "there is no section such as [MODEL]: not a tyre property file",
                       {.file = file_.name});
    return std::move(file_);
  }

 private:
  [[noreturn]] void fail(std::string code, std::string message, std::string fix = {}) const {
    throw ParseError(std::move(code),
                     std::move(message),
                     {.file = file_.name, .line = lines_.number(), .record = section_},
                     std::move(fix));
  }

  void take_section(std::string_view line) {
    if (line.size() < 3 || line.back() != ']')
      fail("section-name", fmt::format("'{}' is not a section: expected [NAME]", line));
    section_ = upper_case(trimmed(line.substr(1, line.size() - 2)));
    is_table_ = is_comment_ = false;
    if (std::find(file_.sections.begin(), file_.sections.end(), section_) != file_.sections.end())
      fail("section-twice", "this section is defined twice");
    file_.sections.push_back(section_);
  }

  void take_head(std::string_view line) {
    is_table_ = true;
    is_comment_ = upper_case(line).find("COMMENT_STRING") != std::string::npos;
  }

  /// Whether the line is a text below the head {comment_string}, as in [MDI_HEADER].
  bool is_comment(std::string_view line) const {
    const char c = line.front();
    return is_comment_ && c != '{' &&
           (c == '\'' || c == '"' || line.find('=') == std::string_view::npos);
  }

  /// Rows may have no head in a section that has nothing else, such as [SHAPE].
  bool begins_row(std::string_view line) const {
    if (is_table_) return true;
    const bool has_entries = !file_.entries.empty() && file_.entries.back().section == section_;
    return !has_entries && parse_real(take_word(line)).has_value();
  }

  void take_entry(std::string_view line) {
    const std::size_t equals = line.find('=');
    const std::string name = upper_case(trimmed(line.substr(0, equals), is_white_space));
    std::string_view value = trimmed(line.substr(equals + 1), is_white_space);
    if (name.empty()) fail("no-name", fmt::format("'{}' has no name before '='", line));
    if (value.empty()) fail("no-value", fmt::format("{} has no value after '='", name));
    if (value.front() == '\'' || value.front() == '"') {
      const std::size_t end = value.find(value.front(), 1);
      if (end == std::string_view::npos)
        fail("open-quote", fmt::format("{}: the quote is not closed", name));
      value = trimmed(value.substr(1, end - 1));
    }
    for (const TirEntry& other : file_.entries)
      if (other.section == section_ && other.name == name)
        fail("name-twice", fmt::format("{} is defined twice, first in line {}", name, other.line));
    if (file_.entries.size() == kMostEntries)
      fail("too-many-names", fmt::format("more than {} names: not a tyre file", kMostEntries));
    file_.entries.push_back({name, section_, std::string(value), lines_.number()});
  }

  void take_row(std::string_view line) const {
    if (!begins_row(line))
      fail("no-equals", fmt::format("'{}' is neither NAME = value nor [SECTION]", line));
    for (std::string_view rest = line; !trimmed(rest, is_white_space).empty();) {
      const std::string_view word = take_word(rest);
      if (!parse_real(word)) fail("table-row", fmt::format("'{}' is not a number", word));
    }
  }

  Lines lines_;
  TirFile file_;
  std::string section_;
  bool is_table_ = false;
  bool is_comment_ = false;
};

}  // namespace

const TirEntry* TirFile::find(std::string_view key, std::string_view section) const {
  const TirEntry* found = nullptr;
  for (const TirEntry& entry : entries) {
    if (entry.name != key) continue;
    if (section.empty() ? entry.section == "UNITS" : entry.section != section) continue;
    if (found != nullptr && found->text != entry.text)
      throw ParseError(
          "two-values",
          fmt::format("{} = {} here, but {} in line {}", key, entry.text, found->text, found->line),
          where(entry));
    if (found == nullptr) found = &entry;
  }
  return found;
}

double TirFile::number(const TirEntry& entry) const {
  const std::optional<double> value = parse_real(entry.text);
  if (!value || !std::isfinite(*value))
    throw ParseError("not-a-number",
                     fmt::format("{}: '{}' is not a number", entry.name, entry.text),
                     where(entry));
  return *value;
}

void TirFile::set(std::string_view key, double value, std::string_view section) {
  const std::string text = fmt::format("{:.17g}", value);
  for (TirEntry& entry : entries)
    if (entry.name == key && (section.empty() || entry.section == section)) {
      entry.text = text;
      return;
    }
  entries.push_back({std::string(key), std::string(section), text, 0});
}

Where TirFile::where(const TirEntry& entry) const {
  return {.file = name, .line = entry.line, .record = entry.section};
}

TirFile parse_tir(std::string_view bytes, std::string_view name) {
  return TirParser(without_byte_order_mark(bytes), name).parse();
}

}  // namespace femflex::tyres
