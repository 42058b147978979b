// Builds a compressed sparse matrix from entries in any order: sorts them stably by row, then by
// column, and adds those at the same position.
#include "matrix_entries.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::importer {
namespace {

/// Sorts the entry numbers `order` by key (0 <= key < bins); entries with equal keys keep their
/// order. Uses a counting sort, or a comparison sort if there are far more bins than entries.
std::vector<std::int64_t> sorted_by(const std::vector<std::int32_t>& key,
                                    std::vector<std::int64_t> order,
                                    std::int64_t bins) {
  const auto key_of = [&](std::int64_t i) { return key[static_cast<std::size_t>(i)]; };
  if (bins > 4 * static_cast<std::int64_t>(order.size()) + 1024) {
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      return key_of(a) < key_of(b);
    });
    return order;
  }
  std::vector<std::int64_t> start(static_cast<std::size_t>(bins) + 1, 0);
  for (const std::int32_t k : key)
    ++start[static_cast<std::size_t>(k) + 1];
  for (std::size_t b = 1; b < start.size(); ++b)
    start[b] += start[b - 1];
  std::vector<std::int64_t> result(order.size());
  for (const std::int64_t i : order)
    result[static_cast<std::size_t>(start[static_cast<std::size_t>(key_of(i))]++)] = i;
  return result;
}

}  // namespace

void MatrixEntries::reserve(std::size_t entries) {
  rows_.reserve(entries);
  cols_.reserve(entries);
  values_.reserve(is_complex_ ? 2 * entries : entries);
}

void MatrixEntries::sort(std::int64_t rows, std::int64_t cols) {
  std::vector<std::int64_t> order(rows_.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<std::int64_t>(i);
  order = sorted_by(rows_, std::move(order), rows);
  order = sorted_by(cols_, std::move(order), cols);
  const std::size_t width = is_complex_ ? 2 : 1;
  std::vector<std::int32_t> sorted_rows;
  std::vector<std::int32_t> sorted_cols;
  std::vector<double> sorted_values;
  sorted_rows.reserve(rows_.size());
  sorted_cols.reserve(rows_.size());
  sorted_values.reserve(values_.size());
  for (const std::int64_t position : order) {
    const auto i = static_cast<std::size_t>(position);
    if (!sorted_rows.empty() && sorted_rows.back() == rows_[i] && sorted_cols.back() == cols_[i]) {
      double* first = &sorted_values[sorted_values.size() - width];
      const double* repeated = &values_[i * width];
      for (std::size_t k = 0; k < width; ++k)
        first[k] += repeated[k];
      continue;
    }
    sorted_rows.push_back(rows_[i]);
    sorted_cols.push_back(cols_[i]);
    for (std::size_t k = 0; k < width; ++k)
      sorted_values.push_back(values_[i * width + k]);
  }
  rows_ = std::move(sorted_rows);
  cols_ = std::move(sorted_cols);
  values_ = std::move(sorted_values);
}

void MatrixEntries::finish(RawMatrix& matrix) {
  if (!is_sorted_) sort(matrix.rows, matrix.cols);
  matrix.is_complex = is_complex_;
  matrix.is_dense = false;
  matrix.col.clear();
  matrix.col_start.clear();
  for (std::size_t i = 0; i < cols_.size(); ++i) {
    if (i == 0 || cols_[i] != cols_[i - 1]) {
      matrix.col.push_back(cols_[i]);
      matrix.col_start.push_back(static_cast<std::int64_t>(i));
    }
  }
  matrix.col_start.push_back(static_cast<std::int64_t>(rows_.size()));
  cols_ = {};
  matrix.row = std::move(rows_);
  matrix.values = std::move(values_);
}

void OneTriangle::fail(std::int64_t row,
                       std::int64_t col,
                       const std::string& file,
                       std::int64_t line) {
  throw ParseError(
      "both-triangles",
      fmt::format("entry ({}, {}) is across the diagonal from entries before it, but the file says "
                  "that it holds one triangle of the matrix",
                  row + 1,
                  col + 1),
      {file, line},
      "write one triangle, or say that the matrix is general (Harwell-Boeing: unsymmetric)");
}

void warn_of_pattern(const std::string& file, Diagnostics& diagnostics) {
  diagnostics.warn(
      "pattern", "the file holds the places of entries without values: each entry is 1", {file});
}

void check_dimensions(std::int64_t rows,
                      std::int64_t cols,
                      const std::string& file,
                      std::int64_t line) {
  constexpr std::int64_t kMaxIndex = std::numeric_limits<std::int32_t>::max();
  const Where where{file, line};
  if (rows < 0 || cols < 0)
    throw ParseError(
        "dimensions", fmt::format("the matrix size {} x {} is negative", rows, cols), where);
  if (rows > kMaxIndex || cols > kMaxIndex) {
    throw ParseError(
        "too-large",
        fmt::format("the matrix size {} x {} exceeds the limit of {}", rows, cols, kMaxIndex),
        where);
  }
}

}  // namespace femflex::importer
