// Fills a RawMatrix from entries in any order or from runs of values column by column; gives the
// names and numbers of matrix forms.
#include "raw_matrix.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "matrix_entries.h"

namespace femflex::importer {

std::string text_of(RawMatrix::Form form) {
  using Form = RawMatrix::Form;
  switch (form) {
    case Form::square:
      return "square";
    case Form::rectangular:
      return "rectangular";
    case Form::diagonal:
      return "diagonal";
    case Form::lower_factor:
      return "lower-factor";
    case Form::upper_factor:
      return "upper-factor";
    case Form::symmetric:
      return "symmetric";
    case Form::row:
      return "row";
    case Form::identity:
      return "identity";
    case Form::pseudo_identity:
      return "pseudo-identity";
    case Form::skew_symmetric:
      return "skew-symmetric";
    case Form::hermitian:
      return "hermitian";
  }
  return fmt::format("form-{}", static_cast<std::int64_t>(form));
}

std::string_view text_of(RawMatrix::Layout layout) {
  static constexpr std::array<std::string_view, 13> kLayoutNames{"sparse",
                                                                 "empty",
                                                                 "dense",
                                                                 "bigmat",
                                                                 "nonbigmat",
                                                                 "strings",
                                                                 "dmi",
                                                                 "dmig",
                                                                 "coordinate",
                                                                 "array",
                                                                 "labels",
                                                                 "lower rows",
                                                                 "harwell-boeing"};
  return kLayoutNames[static_cast<std::size_t>(layout)];
}

RawMatrix::Form form_of_number(std::int64_t number) {
  constexpr std::int64_t kUnknown = 0x7fffffff;  // neither a number of NASTRAN nor one of femflex
  if (number == 0) return RawMatrix::Form::rectangular;
  return static_cast<RawMatrix::Form>(number < 0 ? kUnknown : number);
}

RawMatrix::Form form_of_size(const RawMatrix& matrix) {
  return matrix.rows == matrix.cols ? RawMatrix::Form::square : RawMatrix::Form::rectangular;
}

std::int64_t sort_entries(std::vector<RawEntry>& entries) {
  if (!std::is_sorted(entries.begin(), entries.end(), is_before))
    std::stable_sort(entries.begin(), entries.end(), is_before);
  const auto is_same = [](const RawEntry& a, const RawEntry& b) {
    return a.col == b.col && a.row == b.row;
  };
  const auto first = std::adjacent_find(entries.begin(), entries.end(), is_same);
  return first == entries.end() ? -1 : first - entries.begin() + 1;
}

void set_entries(RawMatrix& matrix, std::vector<RawEntry> entries) {
  MatrixEntries columns(matrix.is_complex);
  columns.reserve(entries.size());
  for (const RawEntry& entry : entries)
    columns.keep(entry.row, entry.col, entry.re, entry.im);
  entries = {};
  columns.finish(matrix);
}

ColumnFiller::ColumnFiller(RawMatrix& matrix, bool dense)
    : matrix_(&matrix), parts_(matrix.is_complex ? 2 : 1) {
  matrix.is_dense = dense;
}

void ColumnFiller::reserve(std::int64_t values) {
  matrix_->values.reserve(static_cast<std::size_t>(values * parts_));
  if (!matrix_->is_dense) matrix_->row.reserve(static_cast<std::size_t>(values));
}

const char* ColumnFiller::error(std::int64_t row, std::int64_t col, std::int64_t count) const {
  if (col < 0 || col >= matrix_->cols) return "a column lies outside the matrix";
  if (col < col_) return "the columns are not in ascending order";
  if (row < 0 || count < 0 || row >= matrix_->rows || count > matrix_->rows - row)
    return "a run of values lies outside the rows of the matrix";
  if (col == col_ && row < next_row_) return "runs of values in one column overlap";
  return nullptr;
}

namespace {

/// True if a matrix with `given` values takes less memory in sparse storage (value and row index
/// each) than in dense storage with `needed` values. Small matrices stay dense.
bool is_mostly_empty(double needed, std::int64_t given) {
  constexpr double kDenseToSparse = 3.0;
  constexpr double kSmallMatrix = 4096.0;  // [values]
  return needed > kDenseToSparse * static_cast<double>(given) + kSmallMatrix;
}

}  // namespace

double* ColumnFiller::add(std::int64_t row, std::int64_t col, std::int64_t count) {
  RawMatrix& m = *matrix_;
  if (m.is_dense && col > col_) {
    const double needed = static_cast<double>(col) * static_cast<double>(m.rows);
    if (is_mostly_empty(needed, filled_)) make_sparse();
  }
  const bool new_column = col != col_;
  col_ = col;
  next_row_ = row + count;
  filled_ += count;
  if (m.is_dense) {
    const auto at = static_cast<std::size_t>((col * m.rows + row) * parts_);
    m.values.resize(at + static_cast<std::size_t>(count * parts_));
    return m.values.data() + at;
  }
  if (new_column) {
    m.col.push_back(static_cast<std::int32_t>(col));
    m.col_start.push_back(static_cast<std::int64_t>(m.row.size()));
  }
  for (std::int64_t k = 0; k < count; ++k)
    m.row.push_back(static_cast<std::int32_t>(row + k));
  const std::size_t at = m.values.size();
  m.values.resize(at + static_cast<std::size_t>(count * parts_));
  return m.values.data() + at;
}

void ColumnFiller::make_sparse() {
  RawMatrix& m = *matrix_;
  m.is_dense = false;
  std::vector<double> kept;
  const auto stored = static_cast<std::int64_t>(m.values.size()) / parts_;
  for (std::int64_t k = 0; k < stored; ++k) {
    const double* value = m.values.data() + k * parts_;
    if (value[0] == 0.0 && (parts_ == 1 || value[1] == 0.0)) continue;
    const auto col = static_cast<std::int32_t>(k / m.rows);
    if (m.col.empty() || m.col.back() != col) {
      m.col.push_back(col);
      m.col_start.push_back(static_cast<std::int64_t>(m.row.size()));
    }
    m.row.push_back(static_cast<std::int32_t>(k % m.rows));
    kept.insert(kept.end(), value, value + parts_);
  }
  m.values = std::move(kept);
}

void ColumnFiller::finish() {
  RawMatrix& m = *matrix_;
  if (m.is_dense) {
    const double needed = static_cast<double>(m.rows) * static_cast<double>(m.cols);
    if (is_mostly_empty(needed, filled_))
      make_sparse();
    else
      m.values.resize(static_cast<std::size_t>(m.rows * m.cols * parts_));
  }
  if (!m.is_dense) m.col_start.push_back(static_cast<std::int64_t>(m.row.size()));
}

}  // namespace femflex::importer
