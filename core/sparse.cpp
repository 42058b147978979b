// Assembles sparse matrices in linear time by two counting sorts, and converts between full and
// lower-triangular storage.
#include "femflex/sparse.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex {

SparseMatrix assemble(std::int64_t rows, std::int64_t cols, const std::vector<Entry>& entries) {
  constexpr std::int64_t kMaxIndex = std::numeric_limits<std::int32_t>::max();
  if (rows < 0 || cols < 0 || rows >= kMaxIndex || cols >= kMaxIndex ||
      static_cast<std::int64_t>(entries.size()) >= kMaxIndex)
    throw ModelError("too-large",
                     fmt::format("a {} x {} matrix with {} entries is beyond the limit of {}",
                                 rows,
                                 cols,
                                 entries.size(),
                                 kMaxIndex),
                     {},
                     "split the model into substructures");
  // Two counting sorts (by row, then stably by column) leave every column sorted in linear time.
  std::vector<std::int32_t> row_start(static_cast<std::size_t>(rows) + 1, 0);
  std::vector<std::int32_t> col_start(static_cast<std::size_t>(cols) + 1, 0);
  for (const Entry& e : entries) {
    if (e.row < 0 || e.row >= rows || e.col < 0 || e.col >= cols)
      throw ModelError(
          "index-range",
          fmt::format(
              "entry ({}, {}) lies outside a {} x {} matrix", e.row + 1, e.col + 1, rows, cols));
    ++row_start[static_cast<std::size_t>(e.row) + 1];
    ++col_start[static_cast<std::size_t>(e.col) + 1];
  }
  std::partial_sum(row_start.begin(), row_start.end(), row_start.begin());
  std::partial_sum(col_start.begin(), col_start.end(), col_start.begin());
  std::vector<std::int32_t> by_row(entries.size());
  for (std::size_t k = 0; k < entries.size(); ++k)
    by_row[static_cast<std::size_t>(row_start[static_cast<std::size_t>(entries[k].row)]++)] =
        static_cast<std::int32_t>(k);
  std::vector<std::int32_t> order(entries.size());
  std::vector<std::int32_t> next = col_start;
  for (const std::int32_t k : by_row)
    order[static_cast<std::size_t>(
        next[static_cast<std::size_t>(entries[static_cast<std::size_t>(k)].col)]++)] = k;

  SparseMatrix a(rows, cols);
  a.reserve(static_cast<Eigen::Index>(entries.size()));
  for (std::int64_t col = 0; col < cols; ++col) {
    a.startVec(col);
    const auto begin = static_cast<std::size_t>(col_start[static_cast<std::size_t>(col)]);
    const auto end = static_cast<std::size_t>(col_start[static_cast<std::size_t>(col) + 1]);
    for (std::size_t k = begin; k < end;) {
      const std::int64_t row = entries[static_cast<std::size_t>(order[k])].row;
      double sum = 0.0;
      for (; k < end && entries[static_cast<std::size_t>(order[k])].row == row; ++k)
        sum += entries[static_cast<std::size_t>(order[k])].value;
      if (sum != 0.0) a.insertBack(row, col) = sum;
    }
  }
  a.finalize();
  a.data().squeeze();
  return a;
}

Asymmetry asymmetry(const SparseMatrix& full) {
  const SparseMatrix transposed = full.transpose();
  const SparseMatrix difference = full - transposed;
  double scale = 0.0;
  for (Eigen::Index col = 0; col < full.outerSize(); ++col)
    for (SparseMatrix::InnerIterator it(full, col); it; ++it) {
      if (std::isnan(it.value())) return {it.value(), it.row(), it.col()};
      scale = std::max(scale, std::abs(it.value()));
    }
  Asymmetry worst;
  double largest = 0.0;
  for (Eigen::Index col = 0; col < difference.outerSize(); ++col)
    for (SparseMatrix::InnerIterator it(difference, col); it; ++it)
      if (std::abs(it.value()) > largest) {
        largest = std::abs(it.value());
        worst = {0.0, it.row(), it.col()};
      }
  worst.relative = scale > 0.0 ? largest / scale : 0.0;
  return worst;
}

SparseMatrix lower_triangle(const SparseMatrix& full) {
  const SparseMatrix transposed = full.transpose();
  const SparseMatrix average = 0.5 * (full + transposed);
  return average.triangularView<Eigen::Lower>();
}

SparseMatrix mirrored(const SparseMatrix& lower) {
  SparseMatrix full;
  full = lower.selfadjointView<Eigen::Lower>();
  return full;
}

}  // namespace femflex
