// Sorts the lower triangle of a matrix into the elimination order of a sparse factorisation.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "femflex/sparse.h"

namespace femflex::modal {

/// Lower triangle of a symmetric matrix in elimination order, by columns.
struct SortedTriangle {
  std::vector<std::int64_t> start;
  std::unique_ptr<std::int32_t[]> row;
  std::unique_ptr<double[]> value;
  std::int64_t columns() const { return static_cast<std::int64_t>(start.size()) - 1; }
};

/// Sorts matrices of one pattern into elimination order; the work on the pattern is done once.
class TriangleSort {
 public:
  /// @param place  position of each row in elimination order; must outlive this
  TriangleSort(const std::vector<std::int32_t>& place, int threads)
      : place_(place), threads_(threads) {}

  /// Sorts `lower`. Entries of a column come in the order of their columns in `lower`, for any
  /// number of threads.
  SortedTriangle operator()(const SparseMatrix& lower);

 private:
  template <typename Action>
  void visit(const SparseMatrix& lower, int piece, const Action& action) const;
  void count(const SparseMatrix& lower);

  const std::vector<std::int32_t>& place_;
  int threads_;
  std::vector<std::int64_t> start_;
  /// For each piece of the columns of `lower`: the position of its first entry of each column.
  std::vector<std::vector<std::int64_t>> first_;
};

}  // namespace femflex::modal
