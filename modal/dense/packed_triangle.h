// PackedTriangle: the lower triangle of a square matrix as strips of columns, one after the other.
// It takes half the memory of the square, and each strip is a dense matrix for BLAS.
#pragma once

#include <algorithm>
#include <cstdint>

namespace femflex::modal {

/// A view of the lower triangle of n columns. Strip k holds columns k kStrip, ... from row k kStrip
/// on, by columns; what lies above the diagonal within a strip has no meaning.
template <typename Number>
struct PackedTriangle {
  static constexpr std::int64_t kStrip = 256;  // columns of a strip, enough for efficient products
  Number* values = nullptr;
  std::int64_t n = 0;

  /// Number of entries before column `strip * kStrip`.
  static std::int64_t entries_before(std::int64_t strip, std::int64_t n) {
    return kStrip * (strip * n - kStrip * (strip * (strip - 1) / 2));
  }
  static std::int64_t entries(std::int64_t n) {
    const std::int64_t full = n / kStrip;
    const std::int64_t rest = n - full * kStrip;
    return entries_before(full, n) + rest * rest;
  }
  /// Column j, so that entry (i, j), i >= j, is column(j)[i].
  Number* column(std::int64_t j) const {
    const std::int64_t strip = j / kStrip;
    const std::int64_t first = strip * kStrip;
    return values + entries_before(strip, n) + (j - first) * (n - first) - first;
  }
};

}  // namespace femflex::modal
