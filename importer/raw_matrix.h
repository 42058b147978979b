#pragma once

#include <cstdint>
#include <vector>

#include "femflex/importer/contents.h"

namespace femflex::importer {

/// One entry of a matrix, 0-based.
struct RawEntry {
  std::int32_t row = 0;
  std::int32_t col = 0;
  double re = 0.0;
  double im = 0.0;
};

/// What to do with two entries at the same position.
enum class Repeats : std::uint8_t { add, keep_last };

/// The form with NASTRAN's number; some writers give a rectangular one as 0.
RawMatrix::Form form_of_number(std::int64_t number);

/// `square` where rows and cols are equal, else `rectangular`.
RawMatrix::Form form_of_size(const RawMatrix& matrix);

/// Makes `matrix` sparse with these entries, in any order; rows, cols and is_complex are already
/// set and every index is inside. Returns the number of repeated positions.
std::int64_t set_entries(RawMatrix& matrix, std::vector<RawEntry> entries, Repeats repeats);

/// Fills a matrix from runs of values that come column by column, from the top of each column down,
/// as NASTRAN writes them. A dense matrix whose columns turn out to be mostly absent is converted
/// to sparse on the way, so that memory follows the values actually given.
class ColumnFiller {
 public:
  /// rows, cols and is_complex of `matrix` are set; `dense`: how it starts.
  ColumnFiller(RawMatrix& matrix, bool dense);

  /// Reserves room for `values` numbers in all: takes address space, not memory.
  void reserve(std::int64_t values);

  /// Null if a run of `count` values fits at (row, col); else a description of the fault.
  const char* fault(std::int64_t row, std::int64_t col, std::int64_t count) const;

  /// Memory for `count` values (twice as many doubles where complex) at (row, col): to be filled
  /// before the next call. The run must have no fault().
  double* add(std::int64_t row, std::int64_t col, std::int64_t count);

  /// Completes the matrix. No call after this one.
  void finish();

 private:
  void make_sparse();
  RawMatrix* matrix_;
  std::int64_t parts_;  ///< doubles per value
  std::int64_t col_ = -1;
  std::int64_t next_row_ = 0;
  std::int64_t filled_ = 0;  ///< values given so far
};

}  // namespace femflex::importer
