// Sorts the entries of a lower triangle into elimination order, by counting: each thread counts and
// then places the entries of its piece of columns.
#include "solve/sorted_triangle.h"

#include <algorithm>
#include <cstddef>

#include "femflex/parallel.h"

namespace femflex::modal {

// Runs the action on pieces with about equally many entries.
template <typename Action>
void TriangleSort::visit(const SparseMatrix& lower, int piece, const Action& action) const {
  const std::int32_t* start = lower.outerIndexPtr();
  const Eigen::Index n = lower.cols();
  const auto from = [&](int k) {
    const std::int64_t entries = std::int64_t{start[n]} * k / threads_;
    return k == threads_ ? n : std::lower_bound(start, start + n, entries) - start;
  };
  for (Eigen::Index col = from(piece), end = from(piece + 1); col < end; ++col) {
    const std::int32_t q = place_[static_cast<std::size_t>(col)];
    for (SparseMatrix::InnerIterator it(lower, col); it; ++it) {
      const std::int32_t p = place_[static_cast<std::size_t>(it.row())];
      action(static_cast<std::size_t>(std::min(p, q)), std::max(p, q), it.value());
    }
  }
}

void TriangleSort::count(const SparseMatrix& lower) {
  first_.assign(static_cast<std::size_t>(threads_), {});
  run_parallel(threads_, threads_, [&](int piece) {
    std::vector<std::int64_t> found(place_.size(), 0);
    visit(lower, piece, [&](std::size_t col, std::int32_t, double) { ++found[col]; });
    first_[static_cast<std::size_t>(piece)] = std::move(found);
  });
  start_.assign(place_.size() + 1, 0);
  std::int64_t next = 0;
  for (std::size_t col = 0; col < place_.size(); ++col) {
    start_[col] = next;
    for (std::vector<std::int64_t>& first : first_) {
      const std::int64_t entries = first[col];
      first[col] = next;
      next += entries;
    }
  }
  start_.back() = next;
}

SortedTriangle TriangleSort::operator()(const SparseMatrix& lower) {
  if (start_.empty()) count(lower);
  SortedTriangle out;
  out.start = start_;
  out.row.reset(new std::int32_t[static_cast<std::size_t>(start_.back())]);  // not cleared
  out.value.reset(new double[static_cast<std::size_t>(start_.back())]);
  run_parallel(threads_, threads_, [&](int piece) {
    std::vector<std::int64_t> next = first_[static_cast<std::size_t>(piece)];
    visit(lower, piece, [&](std::size_t col, std::int32_t row, double value) {
      const auto p = static_cast<std::size_t>(next[col]++);
      out.row[p] = row;
      out.value[p] = value;
    });
  });
  return out;
}

}  // namespace femflex::modal
