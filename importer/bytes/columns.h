// Columns that a reader collects one by one, as a matrix.
#pragma once

#include <vector>

#include <Eigen/Core>

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

}  // namespace femflex::importer
