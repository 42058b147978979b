// Results as CSV tables: write_csv(), read_csv() and is_csv_table() of results_file.h.
#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "document/csv.h"
#include "document/file_kind.h"
#include "results/results_file.h"
#include "results/signal_heads.h"

namespace femflex::tools {
namespace fs = std::filesystem;
namespace {

// longest first line of a CSV table; if it is longer, the file is of another kind
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

/// The number in a cell. @throws ParseError  names the column
double number_in(std::string_view cell, std::string_view head, std::size_t c, const Where& where) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc() && end == cell.data() + cell.size()) return value;
  const std::string column =
      head.empty() ? fmt::format("column {}", c + 1) : fmt::format("column '{}'", head);
  if (cell.empty())
    throw ParseError("not-a-number",
                     fmt::format("{} is blank in this row", column),
                     where,
                     "give a number in each column of each row");
  throw ParseError("not-a-number",
                   error == std::errc::result_out_of_range
                       ? fmt::format("{}: {} is beyond the range of numbers", column, cell)
                       : fmt::format("{}: '{}' is not a number", column, cell),
                   where,
                   "write numbers with a decimal point, such as -1.5e-3");
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
  std::string first;
  std::getline(in, first);
  return first.find_first_of(",;\t") != std::string::npos && first.size() < kMaxHeaderBytes &&
         std::all_of(first.begin(),
                     first.end(),
                     [](unsigned char c) { return c >= 0x20 || c == '\r' || c == '\t'; }) &&
         first.front() != '{';
}

ResultSeries read_csv(const fs::path& path) {
  std::ifstream in = open_file(path);
  ResultSeries out;
  std::vector<double> numbers;
  std::string line;
  std::int64_t line_number = 0;
  std::size_t columns = 0;
  std::vector<std::string> heads;
  std::string separator = ",";
  while (std::getline(in, line)) {
    ++line_number;
    if (line_number == 1) line = without_byte_order_mark(line);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    const Where where{.file = path.string(), .line = line_number};
    if (columns == 0) separator = csv_separator(line);
    const CsvCells cells(line, separator);
    if (columns == 0) {
      if (parse_real(cells[0]))
        throw ParseError(
            "no-heads",
            fmt::format("'{}' is a number, where the first line names the columns", cells[0]),
            where,
            "put a line of names above the numbers, such as t,force [N]");
      check_heads(cells, line, where);
      columns = cells.size();
      for (std::size_t c = 0; c < columns; ++c)
        heads.emplace_back(cells[c]);
      for (std::size_t c = 1; c < cells.size(); ++c)
        out.channels.push_back({std::string(cells[c]), ""});
      continue;
    }
    if (cells.size() != columns)
      throw ParseError("row-length",
                       fmt::format("the row has {}, the line of names {}",
                                   cells.size() == 1 ? std::string("1 number")
                                                     : fmt::format("{} numbers", cells.size()),
                                   columns),
                       where,
                       "give each row a number for each name");
    for (std::size_t c = 0; c < cells.size(); ++c)
      numbers.push_back(number_in(cells[c], heads[c], c, where));
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
