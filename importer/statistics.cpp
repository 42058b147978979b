// Computes the number of non-zeros, the sum and the norm of matrices, and the norms of shapes.
#include "femflex/importer/statistics.h"

#include <algorithm>
#include <cmath>

namespace femflex::importer {
namespace {

/// Calls visit(row, col, value) for every stored entry.
template <typename Visit>
void for_each_entry(const RawMatrix& matrix, Visit&& visit) {
  const std::size_t parts = matrix.is_complex ? 2 : 1;
  const auto value_at = [&](std::size_t k) {
    return std::complex<double>(matrix.values[k * parts],
                                parts == 2 ? matrix.values[k * parts + 1] : 0.0);
  };
  if (matrix.is_dense) {
    std::size_t k = 0;
    for (std::int64_t col = 0; col < matrix.cols; ++col)
      for (std::int64_t row = 0; row < matrix.rows; ++row)
        visit(row, col, value_at(k++));
    return;
  }
  for (std::size_t c = 0; c < matrix.col.size(); ++c)
    for (auto k = static_cast<std::size_t>(matrix.col_start[c]);
         k < static_cast<std::size_t>(matrix.col_start[c + 1]);
         ++k)
      visit(std::int64_t{matrix.row[k]}, std::int64_t{matrix.col[c]}, value_at(k));
}

/// sqrt(sum x^2), scaled by the largest |x| so that it neither overflows nor underflows.
class Norm {
 public:
  /// Adds x, counted `times` times.
  void add(double x, double times = 1.0) {
    x = std::abs(x);
    if (x == 0.0) return;
    if (x > scale_) {
      sum_ = sum_ * (scale_ / x) * (scale_ / x) + times;
      scale_ = x;
    } else {
      sum_ += times * (x / scale_) * (x / scale_);
    }
  }
  double value() const { return scale_ * std::sqrt(sum_); }

 private:
  double scale_ = 0.0;
  double sum_ = 0.0;
};

/// The stored entry at (row, col), 0 if nothing is stored there.
std::complex<double> stored(const RawMatrix& matrix, std::int64_t row, std::int64_t col) {
  const std::size_t parts = matrix.is_complex ? 2 : 1;
  std::size_t k = 0;
  if (matrix.is_dense) {
    k = static_cast<std::size_t>(col * matrix.rows + row);
  } else {
    const auto c = std::lower_bound(matrix.col.begin(), matrix.col.end(), col);
    if (c == matrix.col.end() || *c != col) return 0.0;
    const auto index = c - matrix.col.begin();
    const auto first = matrix.row.begin() + matrix.col_start[static_cast<std::size_t>(index)];
    const auto last = matrix.row.begin() + matrix.col_start[static_cast<std::size_t>(index) + 1];
    const auto r = std::lower_bound(first, last, row);
    if (r == last || *r != row) return 0.0;
    k = static_cast<std::size_t>(r - matrix.row.begin());
  }
  return {matrix.values[k * parts], parts == 2 ? matrix.values[k * parts + 1] : 0.0};
}

}  // namespace

MatrixStatistics statistics_of(const RawMatrix& matrix) {
  const bool is_triangle = matrix.triangle != RawMatrix::Triangle::all;
  MatrixStatistics out;
  Norm norm;
  for_each_entry(matrix, [&](std::int64_t row, std::int64_t col, std::complex<double> value) {
    if (value == 0.0) return;
    const int times = is_triangle && row != col ? 2 : 1;
    out.nonzeros += times;
    out.sum += static_cast<double>(times) * value;
    norm.add(value.real(), times);
    norm.add(value.imag(), times);
  });
  out.frobenius = norm.value();
  return out;
}

std::complex<double> entry_of(const RawMatrix& matrix, std::int64_t row, std::int64_t col) {
  if (row < 0 || row >= matrix.rows || col < 0 || col >= matrix.cols) return 0.0;
  const std::complex<double> value = stored(matrix, row, col);
  if (value != 0.0 || matrix.triangle == RawMatrix::Triangle::all) return value;
  return stored(matrix, col, row);
}

std::vector<double> shape_norms(const RawModes& modes) {
  std::vector<double> norms;
  for (Eigen::Index k = 0; k < modes.shapes.cols(); ++k) {
    Norm norm;
    for (Eigen::Index row = 0; row < modes.shapes.rows(); ++row) {
      norm.add(modes.shapes(row, k));
      if (modes.imaginary.size() > 0) norm.add(modes.imaginary(row, k));
    }
    norms.push_back(norm.value());
  }
  return norms;
}

}  // namespace femflex::importer
