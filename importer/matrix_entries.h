// Builds compressed sparse matrices from entries in any order, for all readers of matrices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"

namespace femflex::importer {

/// Builds a column-compressed matrix from entries (row, column, value) in any order. Entries
/// that come column by column, as solvers mostly write them, are not sorted again. Entries at the
/// same position are added, as the contributions of elements and the triplets of other tools mean
/// it; formats that forbid repeated entries (DMIG, DMI) refuse them before.
class MatrixEntries {
 public:
  explicit MatrixEntries(bool is_complex) : is_complex_(is_complex) {}

  void reserve(std::size_t entries);
  /// Adds an entry at (row, col), 0-based; the caller has checked both against the dimensions.
  /// Exact zeros are left out.
  void add(std::int32_t row, std::int32_t col, double value) {
    if (value != 0.0) push(row, col, value, 0.0);
  }
  void add(std::int32_t row, std::int32_t col, double real, double imaginary) {
    if (real != 0.0 || imaginary != 0.0) push(row, col, real, imaginary);
  }
  /// Adds an entry, also if it is zero.
  void keep(std::int32_t row, std::int32_t col, double real, double imaginary) {
    push(row, col, real, imaginary);
  }
  std::size_t size() const { return rows_.size(); }
  std::int32_t largest_row() const { return largest_row_; }  ///< -1 if there are no entries
  std::int32_t largest_col() const { return largest_col_; }
  bool has_below() const { return has_below_; }  ///< true if an entry has row > col
  bool has_above() const { return has_above_; }  ///< true if an entry has row < col

  /// Moves the entries into `matrix`, whose rows and cols are set.
  void finish(RawMatrix& matrix);

 private:
  void push(std::int32_t row, std::int32_t col, double real, double imaginary) {
    if (!rows_.empty() && (col < cols_.back() || (col == cols_.back() && row <= rows_.back())))
      is_sorted_ = false;
    rows_.push_back(row);
    cols_.push_back(col);
    values_.push_back(real);
    if (is_complex_) values_.push_back(imaginary);
    largest_row_ = row > largest_row_ ? row : largest_row_;
    largest_col_ = col > largest_col_ ? col : largest_col_;
    has_below_ = has_below_ || row > col;
    has_above_ = has_above_ || row < col;
  }
  /// Sorts the entries by column, then row, and adds those at the same position.
  void sort(std::int64_t rows, std::int64_t cols);

  bool is_complex_ = false;
  bool is_sorted_ = true;
  bool has_below_ = false, has_above_ = false;
  std::int32_t largest_row_ = -1, largest_col_ = -1;
  std::vector<std::int32_t> rows_, cols_;
  std::vector<double> values_;
};

/// Watches the entries of a file that gives one triangle of a matrix: symmetric, skew-symmetric or
/// Hermitian. With both triangles each entry beside the diagonal would count twice.
class OneTriangle {
 public:
  /// Notes an entry that is not zero at (row, col), 0-based.
  /// @throws ParseError  it is across the diagonal from one before
  void note(std::int64_t row, std::int64_t col, const std::string& file, std::int64_t line) {
    has_below_ = has_below_ || row > col;
    has_above_ = has_above_ || row < col;
    if (has_below_ && has_above_) fail(row, col, file, line);
  }

 private:
  [[noreturn]] static void fail(std::int64_t row,
                                std::int64_t col,
                                const std::string& file,
                                std::int64_t line);

  bool has_below_ = false, has_above_ = false;
};

/// Warns of a file that holds the places of entries without values.
void warn_of_pattern(const std::string& file, Diagnostics& diagnostics);

/// Checks the dimensions claimed by a file against the range of the 32-bit indices. No memory is
/// allocated for them, because only columns with entries take any.
/// @throws ParseError
void check_dimensions(std::int64_t rows,
                      std::int64_t cols,
                      const std::string& file,
                      std::int64_t line);

}  // namespace femflex::importer
