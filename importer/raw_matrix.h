// Builds matrices as read (RawMatrix) from entries in any order, or column by column.
#pragma once

#include <cstdint>
#include <vector>

#include "femflex/importer/contents.h"

namespace femflex::importer {

/// Largest number of rows or columns: indices have 32 bits and are 1-based in files.
inline constexpr std::int64_t kMaxMatrixSize = 2147483646;

/// One entry of a matrix, 0-based.
struct RawEntry {
  std::int32_t row = 0;
  std::int32_t col = 0;
  double re = 0.0;
  double im = 0.0;
};

/// The order of compressed columns: by column, then by row.
inline bool is_before(const RawEntry& a, const RawEntry& b) {
  return a.col != b.col ? a.col < b.col : a.row < b.row;
}

/// Sorts the entries by column, then by row; those at the same position keep their order. Returns
/// the index of the first one that repeats the position before it; -1 if none does.
std::int64_t sort_entries(std::vector<RawEntry>& entries);

/// The form that has this NASTRAN number; some writers give a rectangular matrix the number 0.
RawMatrix::Form form_of_number(std::int64_t number);

/// `square` if rows and cols are equal, else `rectangular`.
RawMatrix::Form form_of_size(const RawMatrix& matrix);

/// Makes `matrix` sparse with these entries, in any order; rows, cols and is_complex are already
/// set and every index is inside. Entries at the same position are added.
void set_entries(RawMatrix& matrix, std::vector<RawEntry> entries);

/// Fills a matrix from runs of values that come column by column, from the top of each column down,
/// as NASTRAN writes them. A dense matrix whose columns turn out to be mostly absent is converted
/// to sparse on the way, so that memory follows the values actually given.
class ColumnFiller {
 public:
  /// rows, cols and is_complex of `matrix` are already set; `dense` says whether it starts as a
  /// dense matrix.
  ColumnFiller(RawMatrix& matrix, bool dense);

  /// Reserves room for `values` numbers in total. This takes address space but no memory yet.
  void reserve(std::int64_t values);

  /// Null if a run of `count` values fits at (row, col); else a description of the error.
  const char* error(std::int64_t row, std::int64_t col, std::int64_t count) const;

  /// Memory for `count` values (twice as many doubles if complex) at (row, col), to be filled
  /// before the next call. The run must have no error().
  double* add(std::int64_t row, std::int64_t col, std::int64_t count);

  /// Completes the matrix. Must be the last call.
  void finish();

 private:
  /// Converts the values given so far to sparse storage.
  void make_sparse();
  RawMatrix* matrix_;
  std::int64_t parts_;  ///< doubles per value
  std::int64_t col_ = -1;
  std::int64_t next_row_ = 0;
  std::int64_t filled_ = 0;  ///< number of values given so far
};

}  // namespace femflex::importer
