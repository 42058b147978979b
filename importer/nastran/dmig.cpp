// Assembles the cards of direct matrix input (DMIG, DMIAX, DMI) into matrices. Layout of the cards:
// DMIG NAME 0 IFO TIN TOUT POLAR blank NCOL          header
// DMIG NAME GJ CJ blank G1 C1 A1 B1 (G C A B)*       one column; A, B real and imaginary part, or
//                                                    magnitude and degrees if POLAR is 1
// DMIAX has a harmonic after C:  DMIAX NAME GJ CJ NJ blank*3, then G C N A B ... one per line
// DMI  NAME 0 FORM TIN TOUT blank M N                header
// DMI  NAME J I1 A(I1,J) A(I1+1,J) ... I2 A(I2,J)    one column; an integer is the row of the next
//                                                    value, A THRU I repeats A down to row I
#include "nastran/dmig.h"

#include <algorithm>

#include <fmt/format.h>

#include "femflex/number.h"

#include "nastran/polar.h"
#include "raw_matrix.h"

namespace femflex::importer {
namespace {

constexpr std::int64_t kMaxPoint = std::int64_t{1} << 58U;

Dof dof_of(std::int64_t key) {
  return {key / 8, static_cast<std::int8_t>(key % 8)};
}

/// Position of `key` in the sorted list.
template <typename Keys>
std::int32_t index_of(const Keys& keys, std::int64_t key) {
  return static_cast<std::int32_t>(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin());
}

void sort_unique(std::vector<std::int64_t>& keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

std::vector<Dof> dofs_of(const std::vector<std::int64_t>& keys) {
  std::vector<Dof> out;
  out.reserve(keys.size());
  for (const std::int64_t key : keys)
    out.push_back(dof_of(key));
  return out;
}

}  // namespace

DirectMatrices::Direct* DirectMatrices::find(std::string_view name, bool is_dmi) {
  if (last_ < all_.size() && all_[last_].name == name && all_[last_].is_dmi == is_dmi)
    return &all_[last_];
  for (std::size_t k = 0; k < all_.size(); ++k)
    if (all_[k].name == name && all_[k].is_dmi == is_dmi) {
      last_ = k;
      return &all_[k];
    }
  return nullptr;
}

DirectMatrices::Key DirectMatrices::key(const BulkFields& fields,
                                        std::size_t id,
                                        std::size_t component) {
  const std::int64_t point = fields.integer(id);
  const std::int64_t c = fields.integer_or(component, 0);
  if (point < 1 || point > kMaxPoint || c < 0 || c > 6)
    fields.fail("dmig", fmt::format("{}/{} is not a DOF", point, c));
  return point * 8 + c;
}

void DirectMatrices::dmig(const BulkCard& card, bool axisymmetric) {
  const BulkFields fields(card);
  const std::string_view name = fields.text(0);
  Direct* direct = find(name, false);
  if (fields.is_integer(1) && fields.integer(1) == 0) {
    if (direct != nullptr) {
      ++direct->repeated_headers;
      return;
    }
    Direct created;
    created.name = name;
    created.form = fields.integer_or(2, 1);
    created.type = fields.integer_or(3, 2);
    created.polar = !axisymmetric && fields.integer_or(5, 0) == 1;
    created.where = fields.where();
    if (created.type < 1 || created.type > 4)
      fields.fail("dmig", fmt::format("TIN {} is not one of 1, 2, 3, 4", created.type));
    last_ = all_.size();
    all_.push_back(std::move(created));
    return;
  }
  if (direct == nullptr)
    fields.fail("dmig-header", "the header of this matrix is missing before its columns");
  const Key col = key(fields, 1, 2);
  // a term is G C A B in a group of four fields; on DMIAX G C N A B (N: harmonic) in one of eight
  const std::size_t group = axisymmetric ? 8 : 4;
  const std::size_t value = axisymmetric ? 3 : 2;
  if (axisymmetric && fields.integer_or(3, 0) != 0)
    fields.fail("dmiax-harmonic", "harmonics other than 0 are not supported");
  for (std::size_t k = axisymmetric ? 8 : 4; k < fields.size(); k += group) {
    if (fields.blank(k)) continue;
    if (axisymmetric && fields.integer_or(k + 2, 0) != 0)
      fields.fail("dmiax-harmonic", "harmonics other than 0 are not supported");
    Term term;
    term.row = key(fields, k, k + 1);
    term.col = col;
    term.re = fields.real_or(k + value, 0.0);
    if (direct->type >= 3) term.im = fields.real_or(k + value + 1, 0.0);
    if (direct->polar && direct->type >= 3) from_polar(term.re, term.im);
    direct->terms.push_back(term);
  }
}

void DirectMatrices::dmi(const BulkCard& card) {
  const BulkFields fields(card);
  const std::string_view name = fields.text(0);
  Direct* direct = find(name, true);
  const std::int64_t col = fields.integer(1);
  constexpr std::int64_t kMaxRepeats =
      1'000'000;  // of one THRU, so that a card cannot fill the memory
  if (col == 0) {
    Direct created;
    created.name = name;
    created.is_dmi = true;
    created.form = fields.integer_or(2, 1);
    created.type = fields.integer_or(3, 2);
    created.rows = fields.integer(6);
    created.cols = fields.integer_or(7, 1);
    created.where = fields.where();
    if (direct != nullptr) fields.fail("dmi", "the matrix has a second header");
    if (created.type < 1 || created.type > 4 || created.rows < 1 || created.rows > kMaxMatrixSize ||
        created.cols < 1 || created.cols > kMaxMatrixSize)
      fields.fail("dmi", "the type in the header is not 1 to 4, or a size is out of range");
    last_ = all_.size();
    all_.push_back(std::move(created));
    return;
  }
  if (direct == nullptr)
    fields.fail("dmi-header", "the header of this matrix is missing before its columns");
  if (col < 1 || col > direct->cols)
    fields.fail("dmi",
                fmt::format("column {} is outside the matrix of {} columns", col, direct->cols));
  const bool complex = direct->type >= 3;
  std::int64_t row = fields.integer(2);
  for (std::size_t k = 3; k < fields.size();) {
    if (fields.blank(k)) {
      ++k;
      continue;
    }
    const bool is_thru = fields.is_word(k, "THRU");
    // some decks write `4` for `4.`: an integer starts a run only if it is a
    // possible later row and a number follows it
    if (!is_thru && fields.is_integer(k) && fields.integer(k) > row && !fields.blank(k + 1)) {
      row = fields.integer(k);
      ++k;
      continue;
    }
    if (is_thru) {
      const std::int64_t last = fields.integer(k + 1);
      if (direct->terms.empty() || last < row || last > direct->rows || last - row > kMaxRepeats)
        fields.fail("dmi", fmt::format("THRU {} is outside the matrix, or repeats no value", last));
      const Term repeated = direct->terms.back();
      for (; row <= last; ++row)
        direct->terms.push_back({row - 1, col - 1, repeated.re, repeated.im});
      k += 2;
      continue;
    }
    if (row < 1 || row > direct->rows)
      fields.fail("dmi", fmt::format("row {} is outside the matrix of {} rows", row, direct->rows));
    Term term{row - 1, col - 1, fields.real(k), 0.0};
    ++k;
    if (complex) term.im = fields.real(k++);
    direct->terms.push_back(term);
    ++row;
  }
}

void DirectMatrices::finish_symmetric(Direct& direct,
                                      const std::vector<Key>& rows,
                                      RawMatrix& matrix) {
  // the cards may give either triangle: the result is the lower one. If they give both, the two
  // must agree.
  std::vector<RawEntry> entries;
  entries.reserve(direct.terms.size());
  bool has_lower = false;
  bool has_upper = false;
  for (const Term& term : direct.terms) {
    std::int32_t row = index_of(rows, term.row);
    std::int32_t col = index_of(rows, term.col);
    has_lower = has_lower || row > col;
    has_upper = has_upper || row < col;
    if (row < col) std::swap(row, col);
    entries.push_back({row, col, term.re, term.im});
  }
  if (has_lower && has_upper) {
    std::sort(entries.begin(), entries.end(), [](const RawEntry& a, const RawEntry& b) {
      return a.col != b.col ? a.col < b.col : a.row < b.row;
    });
    std::vector<RawEntry> kept;
    for (const RawEntry& entry : entries) {
      const bool is_repeated =
          !kept.empty() && kept.back().row == entry.row && kept.back().col == entry.col;
      if (!is_repeated) {
        kept.push_back(entry);
        continue;
      }
      if (kept.back().re != entry.re || kept.back().im != entry.im)
        throw ParseError("dmig-both-triangles",
                         fmt::format("{} is symmetric, but ({}, {}) appears twice with {} and {}",
                                     direct.name,
                                     to_string(dof_of(rows[static_cast<std::size_t>(entry.row)])),
                                     to_string(dof_of(rows[static_cast<std::size_t>(entry.col)])),
                                     kept.back().re,
                                     entry.re),
                         direct.where,
                         "keep one triangle, or declare form 1");
    }
    entries = std::move(kept);
  }
  set_entries(matrix, std::move(entries), Repeats::add);
  matrix.triangle = RawMatrix::Triangle::lower;
}

RawMatrix DirectMatrices::make(Direct& direct) {
  RawMatrix matrix;
  matrix.name = direct.name;
  matrix.layout = direct.is_dmi ? RawMatrix::Layout::dmi : RawMatrix::Layout::dmig;
  matrix.is_complex = direct.type >= 3;
  matrix.is_single = direct.type == 1 || direct.type == 3;
  if (direct.is_dmi) {
    matrix.form = direct.form == 6   ? RawMatrix::Form::symmetric
                  : direct.form == 2 ? RawMatrix::Form::rectangular
                                     : RawMatrix::Form::square;
    matrix.rows = direct.rows;
    matrix.cols = direct.cols;
    std::vector<RawEntry> entries;
    for (const Term& term : direct.terms)
      entries.push_back({static_cast<std::int32_t>(term.row),
                         static_cast<std::int32_t>(term.col),
                         term.re,
                         term.im});
    set_entries(matrix, std::move(entries), Repeats::add);
    return matrix;
  }
  const bool is_square = direct.form == 1 || direct.form == 6;
  std::vector<Key> rows;
  std::vector<Key> cols;
  rows.reserve(direct.terms.size());
  for (const Term& term : direct.terms) {
    rows.push_back(term.row);
    if (cols.empty() || cols.back() != term.col) cols.push_back(term.col);
  }
  sort_unique(rows);
  sort_unique(cols);
  if (is_square) {
    rows.insert(rows.end(), cols.begin(), cols.end());
    sort_unique(rows);
    cols = rows;
  }
  matrix.form = direct.form == 6 ? RawMatrix::Form::symmetric
                : is_square      ? RawMatrix::Form::square
                                 : RawMatrix::Form::rectangular;
  matrix.rows = static_cast<std::int64_t>(rows.size());
  matrix.cols = static_cast<std::int64_t>(cols.size());
  matrix.row_dofs = dofs_of(rows);
  matrix.col_dofs = dofs_of(cols);
  if (direct.form == 6) {
    finish_symmetric(direct, rows, matrix);
    return matrix;
  }
  std::vector<RawEntry> entries;
  entries.reserve(direct.terms.size());
  for (const Term& term : direct.terms)
    entries.push_back({index_of(rows, term.row), index_of(cols, term.col), term.re, term.im});
  set_entries(matrix, std::move(entries), Repeats::add);
  return matrix;
}

void DirectMatrices::finish(std::vector<RawMatrix>& out, Diagnostics& diagnostics) {
  for (Direct& direct : all_) {
    if (direct.repeated_headers > 0)
      diagnostics.warn("dmig-repeated",
                       fmt::format("{} has {} headers: terms at the same position are added",
                                   direct.name,
                                   direct.repeated_headers + 1),
                       direct.where);
    out.push_back(make(direct));
    direct.terms = {};
  }
  all_.clear();
}

}  // namespace femflex::importer
