// Columns that a reader collects one by one, as a matrix.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include "femflex/large_pages.h"

namespace femflex::importer {

/// The matrix with these columns, which have one length.
inline Eigen::MatrixXd side_by_side(const std::vector<std::vector<double>>& columns) {
  if (columns.empty()) return {};
  const auto rows = static_cast<Eigen::Index>(columns.front().size());
  Eigen::MatrixXd out(rows, static_cast<Eigen::Index>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j)
    out.col(static_cast<Eigen::Index>(j)) =
        Eigen::Map<const Eigen::VectorXd>(columns[j].data(), rows);
  return out;
}

/// Makes room for a column behind the first `filled` ones, which are moved without a copy where the
/// system can, and returns its place. Its values are not set.
/// @param expected  number of columns that may follow, which takes address space alone
/// @param pages     kept by the caller from one column to the next
inline double* room_for_column(Eigen::MatrixXd& matrix,
                               Eigen::Index rows,
                               Eigen::Index filled,
                               std::size_t expected,
                               LargePages& pages) {
  if (filled == matrix.cols()) {
    const Eigen::Index more = std::max(filled / 2 + 4, static_cast<Eigen::Index>(expected));
    matrix.conservativeResize(rows, filled + more);
  }
  const auto bytes = [](Eigen::Index count) {
    return static_cast<std::size_t>(count) * sizeof(double);
  };
  pages.ask(matrix.data(), bytes(matrix.size()), bytes(rows * filled), bytes(rows));
  return matrix.data() + rows * filled;
}

}  // namespace femflex::importer
