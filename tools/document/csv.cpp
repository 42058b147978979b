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

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (;;) {
    const std::size_t end = line.find_first_of(",;\t");
    cells.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

}  // namespace

const std::vector<double>* CsvTable::find(std::string_view head) const {
  for (std::size_t k = 0; k < heads.size(); ++k)
    if (heads[k] == head) return &columns[k];
  return nullptr;
}

CsvTable read_csv(std::string_view bytes, const std::string& file) {
  CsvTable table;
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  std::int64_t number = 0;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = trimmed(bytes.substr(0, end), is_white_space);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string_view> cells = cells_of(line);
    if (table.heads.empty()) {
      const bool has_head = !parse_real(cells.front());
      for (std::size_t k = 0; k < cells.size(); ++k)
        table.heads.push_back(has_head ? lower_case(cells[k]) : std::to_string(k + 1));
      table.columns.resize(cells.size());
      if (has_head) continue;
    }
    const Where where{.file = file, .line = number};
    if (cells.size() != table.heads.size())
      throw ParseError(
          "row-size",
          fmt::format("{} cells where the table has {} columns", cells.size(), table.heads.size()),
          where);
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const std::optional<double> value = parse_real(cells[k]);
      if (!value || !std::isfinite(*value))
        throw ParseError("not-a-number",
                         fmt::format("column {}: '{}' is not a number", table.heads[k], cells[k]),
                         where);
      table.columns[k].push_back(*value);
    }
  }
  if (table.rows() == 0) throw ParseError("empty", "the table has no rows", {.file = file});
  return table;
}

CsvTable read_csv_file(const std::filesystem::path& path) {
  const io::MappedFile file(path);
  return read_csv(file.bytes(), path.string());
}

std::string csv_text(const std::vector<std::string>& heads,
                     const std::vector<std::vector<double>>& rows) {
  std::string out = fmt::format("{}\n", fmt::join(heads, ","));
  for (const std::vector<double>& row : rows)
    out += fmt::format("{}\n", fmt::join(row, ","));
  return out;
}

}  // namespace femflex::tools
