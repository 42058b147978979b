// Results as CSV tables: write_csv(), read_csv() and is_csv_table() of results_file.h.
#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "femflex/csv.h"
#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/text.h"

#include "document/file_kind.h"
#include "results/results_file.h"
#include "results/signal_heads.h"

namespace femflex::tools {
namespace fs = std::filesystem;
namespace {

// longest text up to the first row of a CSV table; if it is longer, the file is of another kind
constexpr std::size_t kMaxHeaderBytes = 100000;

/// @param line  the cells as written
/// @throws ParseError  a name is missing its closing quote, or two columns have one name
void check_heads(const CsvCells& heads, std::string_view line, const Where& where) {
  const bool has_open_quote = std::count(line.begin(), line.end(), '"') % 2 != 0;
  std::set<std::string_view> names;
  for (std::size_t c = 0; c < heads.size(); ++c) {
    if (has_open_quote && heads[c].starts_with('"'))
      throw ParseError("quote",
                       fmt::format("the name {} of column {} has one quote", heads[c], c + 1),
                       where,
                       "put a name with a comma between two quotes");
    if (!heads[c].empty() && !names.insert(heads[c]).second)
      throw ParseError("repeated-name",
                       fmt::format("two columns have the name '{}'", heads[c]),
                       where,
                       "give each column a name of its own");
  }
}

}  // namespace

void write_csv(const ResultSeries& series, const fs::path& path, bool with_units) {
  std::string out = "t";
  for (const mbd_solver::Channel& channel : series.channels)
    out += "," + csv_cell(with_units ? head_of(channel) : channel.name);
  out += '\n';
  for (Eigen::Index r = 0; r < series.time.size(); ++r) {
    out += shortest(series.time(r));
    for (Eigen::Index c = 0; c < series.values.cols(); ++c)
      out += "," + shortest(series.values(r, c));
    out += '\n';
  }
  io::write_file(path, out);
}

bool is_csv_table(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::size_t bytes = 0;
  for (std::string line; std::getline(in, line);) {
    bytes += line.size();
    if (bytes >= kMaxHeaderBytes) return false;
    const std::string_view text = without_byte_order_mark(line);
    const bool is_text = std::all_of(text.begin(), text.end(), [](unsigned char c) {
      return c >= 0x20 || c == '\r' || c == '\t';
    });
    if (!is_text) return false;
    const std::string_view row = csv_row(text);
    if (!row.empty()) return row.find_first_of(",;\t") != std::string_view::npos && row[0] != '{';
  }
  return false;
}

ResultSeries read_csv(const fs::path& path) {
  const std::string text = whole_file_text(path);
  ResultSeries out;
  std::vector<double> numbers;
  std::size_t columns = 0;
  std::vector<std::string> heads;
  CsvRows rows_of_text(text, path.string());
  while (rows_of_text.next()) {
    const CsvCells& cells = rows_of_text.cells();
    const Where where = rows_of_text.where();
    if (columns == 0) {
      if (csv_value(cells[0]))
        throw ParseError(
            "no-heads",
            fmt::format("'{}' is a number, where the first line names the columns", cells[0]),
            where,
            "put a line of names above the numbers, such as t,force [N]");
      check_heads(cells, rows_of_text.row(), where);
      columns = cells.size();
      heads.assign(cells.begin(), cells.end());
      for (std::size_t c = 1; c < cells.size(); ++c)
        out.channels.push_back({heads[c], ""});
      continue;
    }
    rows_of_text.require_size(columns);
    for (std::size_t c = 0; c < cells.size(); ++c)
      numbers.push_back(
          csv_number(cells[c], heads[c], c, where, CsvNumbers::with_nan_and_infinity));
  }
  if (columns == 0)
    throw ParseError("empty", "the file is empty", {path.string()}, "expected a table");
  const auto rows = static_cast<Eigen::Index>(numbers.size() / columns);
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>
      all(numbers.data(), rows, static_cast<Eigen::Index>(columns));
  out.time = all.col(0);
  out.values = all.rightCols(static_cast<Eigen::Index>(columns) - 1);
  return out;
}

}  // namespace femflex::tools
