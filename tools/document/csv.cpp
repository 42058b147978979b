// Reads and writes tables of numbers in CSV.
#include "document/csv.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/errors.h"
#include "femflex/io/mapped_file.h"
#include "femflex/number.h"
#include "femflex/text.h"

namespace femflex::tools {
namespace {

/// End of the quoted text at the front of `rest`, after its last quote; 0 if no separator or line
/// end follows it, so that the quotes are part of the text.
std::size_t end_of_quoted(std::string_view rest, std::string_view separators) {
  if (!rest.starts_with('"')) return 0;
  for (std::size_t at = 1; at < rest.size(); ++at) {
    if (rest[at] != '"') continue;
    if (at + 1 < rest.size() && rest[at + 1] == '"') {
      ++at;  // a doubled quote
      continue;
    }
    const std::size_t next = rest.find_first_not_of(' ', at + 1);
    const bool is_end =
        next == std::string_view::npos || separators.find(rest[next]) != std::string_view::npos;
    return is_end ? at + 1 : 0;
  }
  return 0;
}

/// The text between quotes, with doubled quotes made single.
std::string unquoted(std::string_view quoted) {
  std::string out;
  for (std::size_t at = 1; at + 1 < quoted.size(); ++at) {
    out += quoted[at];
    if (quoted[at] == '"') ++at;
  }
  return out;
}

}  // namespace

std::string csv_cell(std::string_view text) {
  const bool is_plain = text.find_first_of(",\"\r\n;\t") == std::string_view::npos &&
                        trimmed(text) == text && !text.starts_with('#');
  if (is_plain) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out + "\"";
}

CsvCells::CsvCells(std::string_view line, std::string_view separators) {
  for (;;) {
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t quoted = end_of_quoted(line.substr(blanks), separators);
    const std::size_t end = line.find_first_of(separators, quoted > 0 ? blanks + quoted : 0);
    if (quoted > 0) unquoted_.push_back(unquoted(line.substr(blanks, quoted)));
    cells_.push_back(quoted > 0 ? std::string_view(unquoted_.back())
                                : trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return;
    line.remove_prefix(end + 1);
  }
}

char csv_separator(std::string_view line) {
  for (const char wanted : {';', '\t'}) {
    bool is_quoted = false;
    for (const char c : line) {
      if (c == '"') is_quoted = !is_quoted;
      if (c == wanted && !is_quoted) return wanted;
    }
  }
  return ',';
}

const std::vector<double>* CsvTable::find(std::string_view head) const {
  for (std::size_t k = 0; k < heads.size(); ++k)
    if (heads[k] == head) return &columns[k];
  return nullptr;
}

CsvTable read_csv(std::string_view bytes, const std::string& file) {
  CsvTable table;
  bytes = without_byte_order_mark(bytes);
  std::int64_t number = 0;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = trimmed(bytes.substr(0, end), is_white_space);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const CsvCells cells(line);
    if (table.heads.empty()) {
      const bool has_head = !parse_real(cells[0]);
      for (std::size_t k = 0; k < cells.size(); ++k)
        table.heads.push_back(has_head ? lower_case(cells[k]) : std::to_string(k + 1));
      table.columns.resize(cells.size());
      if (has_head) continue;
    }
    const Where where{.file = file, .line = number};
    if (cells.size() != table.heads.size())
      throw ParseError("row-size",
                       fmt::format("the row has {}, the table {} columns",
                                   cells.size() == 1 ? std::string("1 number")
                                                     : fmt::format("{} numbers", cells.size()),
                                   table.heads.size()),
                       where,
                       "give each row a number in each column");
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const std::optional<double> value = parse_real(cells[k]);
      if (!value || !std::isfinite(*value))
        throw ParseError("not-a-number",
                         cells[k].empty()
                             ? fmt::format("column '{}' is blank in this row", table.heads[k])
                             : fmt::format("column '{}': '{}' is not a {}number",
                                           table.heads[k],
                                           cells[k],
                                           value ? "finite " : ""),
                         where,
                         "give a number with a decimal point in each column of each row");
      table.columns[k].push_back(*value);
    }
  }
  if (table.rows() == 0)
    throw ParseError("empty",
                     "the table has no rows of numbers",
                     {.file = file},
                     "put the rows below the line of names");
  return table;
}

CsvTable read_csv_file(const std::filesystem::path& path) {
  const io::MappedFile file(path);
  return read_csv(file.bytes(), path.string());
}

std::string csv_text(const std::vector<std::string>& heads,
                     const std::vector<std::vector<double>>& rows) {
  std::vector<std::string> cells(heads.size());
  std::transform(heads.begin(), heads.end(), cells.begin(), csv_cell);
  std::string out = fmt::format("{}\n", fmt::join(cells, ","));
  for (const std::vector<double>& row : rows)
    out += fmt::format("{}\n", fmt::join(row, ","));
  return out;
}

}  // namespace femflex::tools
