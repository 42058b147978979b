// Collects the cards of direct matrix input (DMIG, DMIAX, DMI). Layout of the cards:
// DMIG NAME 0 IFO TIN TOUT POLAR blank NCOL          header
// DMIG NAME GJ CJ blank G1 C1 A1 B1 (G C A B)*       one column; A, B real and imaginary part, or
//                                                    magnitude and degrees if POLAR is 1
// DMIAX has a harmonic after C:  DMIAX NAME GJ CJ NJ blank*3, then G C N A B ... one per line;
//                                harmonics other than 0 are refused
// DMI  NAME 0 FORM TIN TOUT blank M N                header
// DMI  NAME J I1 A(I1,J) A(I1+1,J) ... I2 A(I2,J)    one column, rows rising; an integer is the row
//                                                    of the next value, A THRU I repeats A down to
//                                                    row I
// IFO: 1 square, 2 and 9 rectangular, 6 symmetric (one triangle). FORM: 1 square, 2 rectangular,
// 3 diagonal (M values in one column), 4 and 5 triangular factors, 6 symmetric (both triangles),
// 8 identity (M rows, no columns). TIN: 1, 2 real, 3, 4 complex; 1, 3 single precision.
#include "nastran/dmig.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "femflex/number.h"

#include "nastran/polar.h"
#include "raw_matrix.h"

namespace femflex::importer {
namespace {

constexpr std::int64_t kMaxFilled = 1'000'000;  // by one THRU or one identity matrix, so that a
                                                // card cannot fill the memory

/// The matrix of this name; null if there is none. Tries cards[last] first, and keeps it.
template <typename Cards>
Cards* find_matrix(std::vector<Cards>& cards, std::string_view name, std::size_t& last) {
  if (last < cards.size() && cards[last].matrix.name == name) return &cards[last];
  for (std::size_t k = 0; k < cards.size(); ++k)
    if (cards[k].matrix.name == name) {
      last = k;
      return &cards[k];
    }
  return nullptr;
}

DofKey key_at(const BulkFields& fields, std::size_t id, std::size_t component) {
  const std::int64_t point = fields.integer(id);
  const std::int64_t c = fields.integer_or(component, 0);
  const std::optional<DofKey> key = dof_key(point, c);
  if (!key) fields.fail("dmig-dof", fmt::format("{}/{} is not a DOF", point, c));
  return *key;
}

/// TIN in field `k`, real double precision by default.
std::int64_t type_at(const BulkFields& fields, std::size_t k, RawMatrix& matrix) {
  const std::int64_t type = fields.integer_or(k, 2);
  if (type < 1 || type > 4)
    fields.fail("matrix-type", fmt::format("TIN {} is not one of 1, 2, 3, 4", type));
  matrix.is_complex = type >= 3;
  matrix.is_single = type == 1 || type == 3;
  return type;
}

void require_zero_harmonic(const BulkFields& fields, std::size_t k) {
  if (fields.integer_or(k, 0) != 0)
    fields.fail("dmiax-harmonic", "harmonics other than 0 are not supported");
}

/// The size in field `k`, `default_size` if it is blank.
std::int64_t size_at(const BulkFields& fields,
                     std::size_t k,
                     const char* name,
                     std::int64_t default_size) {
  const std::int64_t size = fields.integer_or(k, default_size);
  if (size < 1 || size > kMaxMatrixSize)
    fields.fail("dmi-size", fmt::format("{} = {} is not 1 to {}", name, size, kMaxMatrixSize));
  return size;
}

RawMatrix::Form dmi_form(const BulkFields& fields) {
  const std::int64_t form = fields.integer_or(2, 1);
  if (form < 1 || form > 8 || form == 7)
    fields.fail("dmi-form", fmt::format("FORM {} is not one of 1 to 6, 8", form));
  return form_of_number(form);
}

/// Reads the values of one DMI card into the column `col`, or onto the diagonal (form 3).
class DmiColumn {
 public:
  DmiColumn(const BulkFields& fields,
            const RawMatrix& matrix,
            std::int64_t col,
            std::vector<RawEntry>& entries)
      : fields_(fields), matrix_(matrix), col_(col), entries_(entries) {}

  void read() {
    row_ = fields_.integer(2);
    check_row(row_);
    bool is_after_value = false;  // else after a row number, which a value must follow
    for (std::size_t k = 3; k < fields_.size();) {
      if (fields_.blank(k)) {
        ++k;
      } else if (fields_.is_word(k, "THRU")) {
        if (!is_after_value) fields_.fail("dmi-thru", "THRU must follow the value that it repeats");
        repeat_through(fields_.integer(k + 1));
        k += 2;
      } else if (is_after_value && is_row_number(k)) {
        go_to(fields_.integer(k));
        is_after_value = false;
        ++k;
      } else {
        check_row(row_);
        const double re = fields_.real(k++);
        add(re, matrix_.is_complex ? fields_.real(k++) : 0.0);
        is_after_value = true;
      }
    }
  }

 private:
  /// True for an integer with something after it. Some decks write `4` for `4.`, which can be told
  /// from a row at the end of the card, or after a row number.
  bool is_row_number(std::size_t k) const {
    if (!fields_.is_integer(k)) return false;
    for (std::size_t next = k + 1; next < fields_.size(); ++next)
      if (!fields_.blank(next)) return true;
    return false;
  }

  void check_row(std::int64_t row) const {
    if (row < 1 || row > matrix_.rows)
      fields_.fail("dmi-row",
                   fmt::format("row {} is outside the matrix of {} rows", row, matrix_.rows));
  }

  void go_to(std::int64_t row) {
    if (row < row_)
      fields_.fail("dmi-row",
                   fmt::format("row {} comes after row {}, but the rows of a column must rise; a "
                               "value needs a decimal point",
                               row,
                               row_ - 1));
    check_row(row);
    row_ = row;
  }

  /// Repeats the last value down to row `last`.
  void repeat_through(std::int64_t last) {
    check_row(last);
    if (last < row_ - 1)
      fields_.fail("dmi-thru", fmt::format("THRU {} goes back from row {}", last, row_ - 1));
    if (last - row_ > kMaxFilled)
      fields_.fail("dmi-thru",
                   fmt::format("THRU {} repeats a value more than {} times", last, kMaxFilled));
    const RawEntry repeated = entries_.back();
    while (row_ <= last)
      add(repeated.re, repeated.im);
  }

  /// Adds a value in the present row, which is inside the matrix, and goes to the next.
  void add(double re, double im) {
    const auto row = static_cast<std::int32_t>(row_ - 1);
    const bool is_diagonal = matrix_.form == RawMatrix::Form::diagonal;
    entries_.push_back({row, is_diagonal ? row : static_cast<std::int32_t>(col_ - 1), re, im});
    ++row_;
  }

  const BulkFields& fields_;
  const RawMatrix& matrix_;
  std::int64_t col_;
  std::vector<RawEntry>& entries_;
  std::int64_t row_ = 0;  ///< of the next value, 1-based
};

}  // namespace

void DirectMatrices::dmig_header(const BulkFields& fields, bool is_axisymmetric, DofCards* known) {
  DofCards cards;
  cards.matrix.name = fields.text(0);
  cards.matrix.layout = RawMatrix::Layout::dmig;
  cards.form = fields.integer_or(2, 1);
  cards.type = type_at(fields, 3, cards.matrix);
  cards.is_polar = !is_axisymmetric && fields.integer_or(5, 0) == 1;
  cards.where = fields.where();
  const std::optional<RawMatrix::Form> form = form_of_dmig(cards.form);
  if (!form) fields.fail("dmig-form", fmt::format("IFO {} is not one of 1, 2, 6, 9", cards.form));
  cards.matrix.form = *form;
  if (known != nullptr) {
    if (known->form != cards.form || known->type != cards.type || known->is_polar != cards.is_polar)
      fields.fail("dmig-headers",
                  fmt::format("a second header differs from the one at line {} (IFO, TIN, POLAR: "
                              "{}, {}, {} and {}, {}, {})",
                              known->where.line,
                              known->form,
                              known->type,
                              static_cast<int>(known->is_polar),
                              cards.form,
                              cards.type,
                              static_cast<int>(cards.is_polar)));
    ++known->headers;
    return;
  }
  last_dof_ = dof_cards_.size();
  order_.push_back({false, dof_cards_.size()});
  dof_cards_.push_back(std::move(cards));
}

void DirectMatrices::dmig(const BulkCard& card, bool is_axisymmetric) {
  const BulkFields fields(card);
  DofCards* cards = find_matrix(dof_cards_, fields.text(0), last_dof_);
  if (fields.is_integer(1) && fields.integer(1) == 0) {
    dmig_header(fields, is_axisymmetric, cards);
    return;
  }
  if (cards == nullptr)
    fields.fail("dmig-header", "the header of this matrix is missing before its columns");
  const DofKey col = key_at(fields, 1, 2);
  // a term is G C A B in a group of four fields; on DMIAX G C N A B (N: harmonic) in one of eight
  const std::size_t group = is_axisymmetric ? 8 : 4;
  const std::size_t value_at = is_axisymmetric ? 3 : 2;
  if (is_axisymmetric) require_zero_harmonic(fields, 3);
  for (std::size_t k = group; k < fields.size(); k += group) {
    if (fields.blank(k)) {
      for (std::size_t other = k + 1; other < std::min(k + group, fields.size()); ++other)
        if (!fields.blank(other)) fields.fail("dmig-dof", "a term names no grid point");
      continue;
    }
    if (is_axisymmetric) require_zero_harmonic(fields, k + 2);
    DofTerm term;
    term.row = key_at(fields, k, k + 1);
    term.col = col;
    term.re = fields.real_or(k + value_at, 0.0);
    term.im = fields.real_or(k + value_at + 1, 0.0);
    if (!cards->matrix.is_complex && term.im != 0.0)
      fields.fail("dmig-imaginary",
                  fmt::format("an imaginary part {} is given, but TIN {} in the header is real",
                              term.im,
                              cards->type));
    if (cards->is_polar && cards->matrix.is_complex) from_polar(term.re, term.im);
    cards->terms.push_back(term);
  }
}

void DirectMatrices::dmi_header(const BulkFields& fields) {
  NumberedCards cards;
  RawMatrix& matrix = cards.matrix;
  matrix.name = fields.text(0);
  matrix.layout = RawMatrix::Layout::dmi;
  matrix.form = dmi_form(fields);
  type_at(fields, 3, matrix);
  matrix.rows = size_at(fields, 6, "M", 0);
  cards.where = fields.where();
  using Form = RawMatrix::Form;
  const bool is_rectangular = matrix.form == Form::rectangular;
  if (matrix.form == Form::diagonal || matrix.form == Form::identity) {
    matrix.cols = matrix.rows;  // N is 1 for the one, and ignored for the other
  } else {
    matrix.cols = size_at(fields, 7, "N", is_rectangular ? 1 : matrix.rows);
    if (!is_rectangular && matrix.rows != matrix.cols)
      fields.fail(
          "dmi-size",
          fmt::format("a matrix of FORM {} is square, but this one is {} x {}; write form 2",
                      static_cast<std::int64_t>(matrix.form),
                      matrix.rows,
                      matrix.cols));
  }
  if (matrix.form == Form::identity) {
    if (matrix.rows > kMaxFilled)
      fields.fail(
          "dmi-size",
          fmt::format("an identity matrix of {} rows is larger than {}", matrix.rows, kMaxFilled));
    for (std::int32_t k = 0; k < matrix.rows; ++k)
      cards.entries.push_back({k, k, 1.0, 0.0});
  }
  last_numbered_ = numbered_cards_.size();
  order_.push_back({true, numbered_cards_.size()});
  numbered_cards_.push_back(std::move(cards));
}

void DirectMatrices::dmi(const BulkCard& card) {
  const BulkFields fields(card);
  NumberedCards* cards = find_matrix(numbered_cards_, fields.text(0), last_numbered_);
  if (fields.integer(1) == 0) {
    if (cards != nullptr) fields.fail("dmi-header", "the matrix has a second header");
    dmi_header(fields);
    return;
  }
  if (cards == nullptr)
    fields.fail("dmi-header", "the header of this matrix is missing before its columns");
  dmi_column(fields, *cards);
}

void DirectMatrices::dmi_column(const BulkFields& fields, NumberedCards& cards) {
  const RawMatrix& matrix = cards.matrix;
  if (matrix.form == RawMatrix::Form::identity)
    fields.fail("dmi-column", "the columns of an identity matrix (form 8) are not given");
  const std::int64_t col = fields.integer(1);
  const bool is_diagonal = matrix.form == RawMatrix::Form::diagonal;
  if (is_diagonal && col != 1)
    fields.fail(
        "dmi-column",
        fmt::format("column {}: a diagonal matrix (form 3) has all its values in column 1", col));
  if (col < 1 || col > matrix.cols)
    fields.fail("dmi-column",
                fmt::format("column {} is outside the matrix of {} columns", col, matrix.cols));
  DmiColumn(fields, matrix, col, cards.entries).read();
}

void DirectMatrices::finish_numbered(NumberedCards& cards) {
  const std::int64_t repeated = sort_entries(cards.entries);
  if (repeated >= 0) {
    const RawEntry& entry = cards.entries[static_cast<std::size_t>(repeated)];
    throw ParseError(
        "dmi-repeated",
        fmt::format("row {} of column {} is given twice", entry.row + 1, entry.col + 1),
        cards.where,
        "give each element once");
  }
  set_entries(cards.matrix, std::move(cards.entries));
}

void DirectMatrices::finish(std::vector<RawMatrix>& out, Diagnostics& diagnostics) {
  for (const Place& place : order_) {
    if (place.is_dmi) {
      NumberedCards& cards = numbered_cards_[place.index];
      finish_numbered(cards);
      out.push_back(std::move(cards.matrix));
      continue;
    }
    DofCards& cards = dof_cards_[place.index];
    if (cards.headers > 1)
      diagnostics.warn("dmig-headers",
                       fmt::format("{} headers: their columns make one matrix", cards.headers),
                       cards.where);
    assemble_dof_matrix(cards.terms, cards.matrix, cards.where);
    cards.terms = {};
    out.push_back(std::move(cards.matrix));
  }
  dof_cards_.clear();
  numbered_cards_.clear();
  order_.clear();
}

}  // namespace femflex::importer
