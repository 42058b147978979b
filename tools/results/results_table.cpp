// Results as CSV tables: write_csv(), read_csv() and is_csv_table() of results_file.h.
#include <algorithm>
#include <charconv>
#include <fstream>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "document/csv.h"
#include "results/results_file.h"

namespace femflex::tools {
namespace fs = std::filesystem;
namespace {

// longest first line of a CSV table; if it is longer, the file is of another kind
constexpr std::size_t kMaxHeaderBytes = 100000;

}  // namespace

void write_csv(const ResultSeries& series, const fs::path& path) {
  std::string out = "t";
  for (const mbd_solver::Channel& channel : series.channels)
    out += "," + csv_cell(channel.name);
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
  return first.find(',') != std::string::npos && first.size() < kMaxHeaderBytes &&
         std::all_of(first.begin(),
                     first.end(),
                     [](unsigned char c) { return c >= 0x20 || c == '\r' || c == '\t'; }) &&
         first.front() != '{';
}

ResultSeries read_csv(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw UsageError("no-such-file", "no such file", {path.string()}, "check the name");
  ResultSeries out;
  std::vector<double> numbers;
  std::string line;
  std::int64_t line_number = 0;
  std::size_t columns = 0;
  while (std::getline(in, line)) {
    ++line_number;
    if (line_number == 1 && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    const CsvCells cells(line, ",");
    if (columns == 0) {
      if (parse_real(cells[0]))
        throw ParseError(
            "no-heads",
            fmt::format("'{}' is a number, where the first line names the columns", cells[0]),
            {.file = path.string(), .line = line_number},
            "put a line of names above the numbers, such as t,force [N]");
      columns = cells.size();
      for (std::size_t c = 1; c < cells.size(); ++c)
        out.channels.push_back({std::string(cells[c]), ""});
      continue;
    }
    if (cells.size() != columns)
      throw ParseError("row-length",
                       fmt::format("{} fields where the first line has {}", cells.size(), columns),
                       {.file = path.string(), .line = line_number});
    for (std::size_t c = 0; c < cells.size(); ++c) {
      double value = 0.0;
      const std::string_view cell = cells[c];
      const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
      if (error != std::errc() || end != cell.data() + cell.size())
        throw ParseError("not-a-number",
                         fmt::format("field {}: '{}' is not a number", c + 1, cells[c]),
                         {.file = path.string(), .line = line_number});
      numbers.push_back(value);
    }
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
