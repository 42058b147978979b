// Reads and writes tables of numbers in CSV.
#include "document/csv.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/errors.h"
#include "femflex/io/mapped_file.h"
#include "femflex/text.h"

namespace femflex::tools {
const std::vector<double>* CsvTable::find(std::string_view head) const {
  const auto only = [&](const auto& is_same) -> const std::vector<double>* {
    const auto found = std::find_if(heads.begin(), heads.end(), is_same);
    if (found == heads.end() || std::find_if(found + 1, heads.end(), is_same) != heads.end())
      return nullptr;
    return &columns[static_cast<std::size_t>(found - heads.begin())];
  };
  const auto is_exact = [&](const std::string& own) { return own == head; };
  if (std::any_of(heads.begin(), heads.end(), is_exact)) return only(is_exact);
  return only([&, any_case = lower_case(head)](const std::string& own) {
    return lower_case(own) == any_case;
  });
}

CsvTable read_csv(std::string_view bytes, const std::string& file) {
  CsvTable table;
  CsvRows rows(bytes, file);
  while (rows.next()) {
    const CsvCells& cells = rows.cells();
    if (table.heads.empty()) {
      const bool has_head = !csv_value(cells[0]);
      for (std::size_t k = 0; k < cells.size(); ++k)
        table.heads.push_back(has_head ? std::string(cells[k]) : std::to_string(k + 1));
      table.columns.resize(cells.size());
      if (has_head) continue;
    }
    rows.require_size(table.heads.size());
    const Where where = rows.where();
    for (std::size_t k = 0; k < cells.size(); ++k)
      table.columns[k].push_back(csv_number(cells[k], table.heads[k], k, where));
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
