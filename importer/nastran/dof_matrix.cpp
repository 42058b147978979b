// Assembles matrices from terms with DOFs. The rule for repeated elements is that of DMIG in the
// NASTRAN Quick Reference Guide: an element is given once. Files that repeat the other triangle of
// a symmetric matrix with the same values are read all the same.
#include "nastran/dof_matrix.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace femflex::importer {
namespace {

constexpr std::int64_t kMaxNode = std::int64_t{1} << 58U;

Dof dof_of(DofKey key) {
  return {key / 8, static_cast<std::int8_t>(key % 8)};
}

void sort_unique(std::vector<DofKey>& keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

/// Position of `key` in the sorted list.
std::int32_t index_of(const std::vector<DofKey>& keys, DofKey key) {
  return static_cast<std::int32_t>(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin());
}

std::vector<Dof> dofs_of(const std::vector<DofKey>& keys) {
  std::vector<Dof> dofs;
  dofs.reserve(keys.size());
  for (const DofKey key : keys)
    dofs.push_back(dof_of(key));
  return dofs;
}

std::string value_text(const RawMatrix& matrix, const RawEntry& entry) {
  return matrix.is_complex ? fmt::format("{}{:+}i", entry.re, entry.im)
                           : fmt::format("{}", entry.re);
}

/// "(1/T1, 1/T2) is given twice, as 10 and 5"
std::string twice_text(const RawMatrix& matrix, const RawEntry& first, const RawEntry& second) {
  return fmt::format("({}, {}) is given twice, as {} and {}",
                     to_string(matrix.row_dofs[static_cast<std::size_t>(first.row)]),
                     to_string(matrix.col_dofs[static_cast<std::size_t>(first.col)]),
                     value_text(matrix, first),
                     value_text(matrix, second));
}

/// Sorts the entries. @throws ParseError  two are at the same position
void sort_single(std::vector<RawEntry>& entries, const RawMatrix& matrix, const Where& where) {
  const std::int64_t repeated = sort_entries(entries);
  if (repeated < 0) return;
  const auto k = static_cast<std::size_t>(repeated);
  throw ParseError("dmig-repeated",
                   twice_text(matrix, entries[k - 1], entries[k]),
                   where,
                   "give each element once: remove one, or write their sum");
}

/// Adds to the sorted lower triangle the elements that the upper one alone gives.
/// @throws ParseError  the triangles differ
void merge_triangles(std::vector<RawEntry>& lower,
                     const std::vector<RawEntry>& mirrored,
                     const RawMatrix& matrix,
                     const Where& where) {
  const std::size_t given = lower.size();
  std::size_t k = 0;
  for (const RawEntry& entry : mirrored) {
    while (k < given && is_before(lower[k], entry))
      ++k;
    if (k == given || is_before(entry, lower[k])) {
      lower.push_back(entry);
    } else if (lower[k].re != entry.re || lower[k].im != entry.im) {
      throw ParseError("dmig-both-triangles",
                       twice_text(matrix, lower[k], entry) + ", but the matrix is symmetric",
                       where,
                       "keep one triangle, or declare form 1");
    }
  }
}

}  // namespace

std::optional<DofKey> dof_key(std::int64_t node, std::int64_t component) {
  if (node < 1 || node > kMaxNode || component < 0 || component > 6) return std::nullopt;
  return node * 8 + component;
}

std::optional<RawMatrix::Form> form_of_dmig(std::int64_t number) {
  switch (number) {
    case 1:
      return RawMatrix::Form::square;
    case 2:
    case 9:
      return RawMatrix::Form::rectangular;
    case 6:
      return RawMatrix::Form::symmetric;
    default:
      return std::nullopt;
  }
}

void assemble_dof_matrix(const std::vector<DofTerm>& terms, RawMatrix& matrix, const Where& where) {
  const bool is_symmetric = matrix.form == RawMatrix::Form::symmetric;
  std::vector<DofKey> rows;
  std::vector<DofKey> cols;
  rows.reserve(terms.size());
  for (const DofTerm& term : terms) {
    rows.push_back(term.row);
    if (cols.empty() || cols.back() != term.col) cols.push_back(term.col);
  }
  sort_unique(rows);
  sort_unique(cols);
  if (is_symmetric || matrix.form == RawMatrix::Form::square) {
    rows.insert(rows.end(), cols.begin(), cols.end());
    sort_unique(rows);
    cols = rows;
  }
  matrix.rows = static_cast<std::int64_t>(rows.size());
  matrix.cols = static_cast<std::int64_t>(cols.size());
  matrix.row_dofs = dofs_of(rows);
  matrix.col_dofs = dofs_of(cols);
  if (is_symmetric) matrix.triangle = RawMatrix::Triangle::lower;

  std::vector<RawEntry> entries;
  std::vector<RawEntry> mirrored;  // from the upper triangle of a symmetric matrix
  entries.reserve(terms.size());
  for (const DofTerm& term : terms) {
    const RawEntry entry{index_of(rows, term.row), index_of(cols, term.col), term.re, term.im};
    if (is_symmetric && entry.row < entry.col)
      mirrored.push_back({entry.col, entry.row, entry.re, entry.im});
    else
      entries.push_back(entry);
  }
  sort_single(entries, matrix, where);
  sort_single(mirrored, matrix, where);
  merge_triangles(entries, mirrored, matrix, where);
  set_entries(matrix, std::move(entries));
}

}  // namespace femflex::importer
