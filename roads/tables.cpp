// Roads given by profiles or height grids: checks, evaluation, and reading from CSV text.
#include "femflex/roads/tables.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/csv.h"
#include "femflex/errors.h"

namespace femflex::roads {
namespace {

using Row = std::vector<double>;

[[noreturn]] void fail_csv(const std::string& file, std::int64_t line, const std::string& message) {
  Where where;
  where.file = file;
  where.line = line;
  throw ParseError("csv", message, where);
}

/// The numbers in the cells of a row from `first` on.
/// @param heads  names of the columns; may be empty
Row numbers_of(const CsvRows& rows, std::size_t first, const std::vector<std::string>& heads = {}) {
  Row out;
  const CsvCells& cells = rows.cells();
  const Where where = rows.where();
  for (std::size_t k = first; k < cells.size(); ++k)
    out.push_back(
        csv_number(cells[k], k < heads.size() ? std::string_view(heads[k]) : "", k, where));
  return out;
}

/// Index of the interval of ascending x that contains a value, and the relative position in it, 0
/// to 1. Values beyond the ends are at an end.
struct Interval {
  std::size_t k = 0;
  double share = 0.0;
  double per_length = 0.0;  // 0 beyond the ends, because heights are constant there
};

Interval interval_of(const std::vector<double>& x, double value) {
  const auto after = std::upper_bound(x.begin() + 1, x.end() - 1, value);
  const auto k = static_cast<std::size_t>(after - x.begin()) - 1;
  const double per_length = 1.0 / (x[k + 1] - x[k]);
  const double share = (value - x[k]) * per_length;
  if (share < 0.0) return {k, 0.0, 0.0};
  if (share > 1.0) return {k, 1.0, 0.0};
  return {k, share, per_length};
}

void require_rising(const std::vector<double>& x, const char* axis) {
  if (x.size() < 2)
    throw ModelError(
        "table-size",
        fmt::format("road grid: {} values of {}; two or more are needed", x.size(), axis));
  for (std::size_t k = 0; k < x.size(); ++k)
    if (!std::isfinite(x[k]) || (k > 0 && !(x[k] > x[k - 1])))
      throw ModelError("table-order",
                       fmt::format("road grid: {} does not rise at value {}", axis, k + 1));
}

}  // namespace

Tracks::Tracks(laws::Curve profile) : left_(std::move(profile)), right_(left_) {}

Tracks::Tracks(laws::Curve left, laws::Curve right, double track)
    : left_(std::move(left)), right_(std::move(right)), track_(track) {
  if (!(track > 0.0) || !std::isfinite(track))
    throw ModelError("road-size",
                     fmt::format("road of two tracks: track {} m; it must be above 0", track));
}

Elevation Tracks::at(double x, double y) const {
  const auto left = left_.at(x);
  if (track_ == 0.0) return {left.value, left.derivative, 0.0};
  const auto right = right_.at(x);
  const double share = 0.5 - y / track_;
  const double r = std::clamp(share, 0.0, 1.0);
  const bool is_between = share > 0.0 && share < 1.0;
  return {left.value + r * (right.value - left.value),
          left.derivative + r * (right.derivative - left.derivative),
          is_between ? (left.value - right.value) / track_ : 0.0};
}

Grid::Grid(std::vector<double> x, std::vector<double> y, std::vector<double> z)
    : x_(std::move(x)), y_(std::move(y)), z_(std::move(z)) {
  require_rising(x_, "x");
  require_rising(y_, "y");
  if (z_.size() != x_.size() * y_.size())
    throw ModelError(
        "table-size",
        fmt::format("road grid: {} heights for {} x {} places", z_.size(), x_.size(), y_.size()));
  if (!std::all_of(z_.begin(), z_.end(), [](double height) { return std::isfinite(height); }))
    throw ModelError("not-finite", "road grid: a height is not a finite number");
}

Elevation Grid::at(double x, double y) const {
  const Interval i = interval_of(x_, x);
  const Interval j = interval_of(y_, y);
  const double* row = z_.data() + i.k * y_.size() + j.k;
  const double* next = row + y_.size();
  const double here = row[0] + j.share * (row[1] - row[0]);
  const double there = next[0] + j.share * (next[1] - next[0]);
  const double rise_here = row[1] - row[0];
  const double rise_there = next[1] - next[0];
  return {here + i.share * (there - here),
          (there - here) * i.per_length,
          (rise_here + i.share * (rise_there - rise_here)) * j.per_length};
}

Tracks read_tracks(std::string_view csv, const std::string& file, double track) {
  CsvRows rows(csv, file);
  std::vector<Row> columns;
  std::vector<std::string> heads;
  while (rows.next()) {
    const CsvCells& cells = rows.cells();
    if (columns.empty() && heads.empty() && !csv_value(cells[0])) {
      heads.assign(cells.begin(), cells.end());
      continue;
    }
    if (columns.empty()) {
      const std::size_t count = cells.size();
      if (count != 2 && count != 3)
        fail_csv(file,
                 rows.where().line,
                 fmt::format("{} columns; a profile has x, z and two tracks have x, left, right",
                             count));
      columns.resize(count);
    }
    rows.require_size(columns.size());
    const Row row = numbers_of(rows, 0, heads);
    for (std::size_t c = 0; c < row.size(); ++c)
      columns[c].push_back(row[c]);
  }
  if (columns.empty()) fail_csv(file, -1, "there is no line of numbers");
  constexpr auto kKind = laws::Curve::Kind::linear;
  constexpr auto kBeyond = laws::Curve::Beyond::hold;
  laws::Curve left(columns[0], columns[1], kKind, kBeyond, file);
  if (columns.size() == 2) return Tracks(std::move(left));
  laws::Curve right(columns[0], columns[2], kKind, kBeyond, file);
  return {std::move(left), std::move(right), track};
}

Grid read_grid(std::string_view csv, const std::string& file) {
  CsvRows rows(csv, file);
  Row x, y, z;
  if (rows.next()) y = numbers_of(rows, 1);
  while (rows.next()) {
    rows.require_size(y.size() + 1);
    const Row row = numbers_of(rows, 0);
    x.push_back(row.front());
    z.insert(z.end(), row.begin() + 1, row.end());
  }
  if (x.size() < 2) fail_csv(file, -1, "a grid needs a line of y and two lines of heights");
  return {x, y, z};
}

}  // namespace femflex::roads
