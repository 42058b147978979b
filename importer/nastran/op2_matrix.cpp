// Reads the matrices of NASTRAN OUTPUT2 files: matrix tables, one column per record, and the DMIG
// matrices of MATPOOL tables.
#include "nastran/op2_matrix.h"

#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "nastran/dof_matrix.h"
#include "nastran/polar.h"
#include "raw_matrix.h"

namespace femflex::importer {
namespace {

/// Bytes per real number in a matrix of this type.
std::size_t real_bytes(std::int64_t type, int word) {
  return word == 8 || type == 2 || type == 4 ? 8 : 4;
}

/// Reads the DMIG matrices of one record, one after the other.
class DmigReader {
 public:
  DmigReader(const Op2Words& record, const std::string& file, const Op2Records::Table& table)
      : record_(record), where_{file, -1, -1, static_cast<std::int64_t>(table.byte), table.name} {}

  bool has_next() const { return at_ + kHeader <= record_.size(); }

  RawMatrix next() {
    RawMatrix matrix;
    matrix.name = record_.text(at_, 2);
    matrix.layout = RawMatrix::Layout::dmig;
    const std::int64_t form = record_.integer(at_ + 3);
    const std::int64_t type = record_.integer(at_ + 4);
    is_polar_ = record_.integer(at_ + 6) == 1;
    if (type < 1 || type > 4)
      fail(fmt::format("{}: type {} is not one of 1 to 4", matrix.name, type));
    at_ += kHeader;
    const int word = record_.layout().word;
    matrix.is_complex = type >= 3;
    real_words_ = real_bytes(type, word) / static_cast<std::size_t>(word);
    matrix.is_single = real_words_ * static_cast<std::size_t>(word) == 4;
    const std::optional<RawMatrix::Form> known_form = form_of_dmig(form);
    if (!known_form) fail(fmt::format("{}: form {} is not one of 1, 2, 6, 9", matrix.name, form));
    matrix.form = *known_form;
    Where where = where_;
    where.record += " " + matrix.name;
    assemble_dof_matrix(read_terms(matrix), matrix, where);
    return matrix;
  }

 private:
  static constexpr std::size_t kHeader = 9;  // [words]

  [[noreturn]] void fail(const std::string& what) const {
    throw ParseError("damaged", "DMIG: " + what, where_);
  }

  double real_at(std::size_t i) const {
    return real_words_ == 2 || record_.layout().word == 8 ? record_.real64(i) : record_.real(i);
  }
  DofKey key_at(const RawMatrix& matrix, std::size_t i) const {
    const std::int64_t node = record_.integer(i);
    const std::int64_t component = record_.integer(i + 1);
    const std::optional<DofKey> key = dof_key(node, component);
    if (!key) fail(fmt::format("{}: {}/{} is not a DOF", matrix.name, node, component));
    return *key;
  }

  std::vector<DofTerm> read_terms(const RawMatrix& matrix) {
    const bool is_complex = matrix.is_complex;
    const std::size_t step = 2 + real_words_ * (is_complex ? 2 : 1);
    std::vector<DofTerm> terms;
    while (at_ + 2 <= record_.size()) {
      const std::size_t column = at_;
      at_ += 2;
      if (record_.integer(column) == -1) break;
      const DofKey col = key_at(matrix, column);
      while (at_ + 2 <= record_.size() && record_.integer(at_) != -1) {
        if (at_ + step > record_.size()) fail(matrix.name + ": the last entry is incomplete");
        DofTerm term{key_at(matrix, at_),
                     col,
                     real_at(at_ + 2),
                     is_complex ? real_at(at_ + 2 + real_words_) : 0.0};
        if (is_polar_ && is_complex) from_polar(term.re, term.im);
        terms.push_back(term);
        at_ += step;
      }
      at_ += 2;
    }
    name_scalars(terms);
    return terms;
  }

  /// Gives a scalar point one name: columns may call it component 1, rows component 0.
  static void name_scalars(std::vector<DofTerm>& terms) {
    std::set<DofKey> scalars;
    for (const DofTerm& term : terms)
      for (const DofKey key : {term.row, term.col})
        if (key % 8 == 0) scalars.insert(key);
    if (scalars.empty()) return;
    for (DofTerm& term : terms)
      for (DofKey* key : {&term.row, &term.col})
        if (*key % 8 == 1 && scalars.contains(*key - 1)) *key -= 1;
  }

  const Op2Words& record_;
  Where where_;
  std::size_t at_ = 3;  // [words]
  bool is_polar_ = false;
  std::size_t real_words_ = 1;
};

}  // namespace

RawMatrix read_op2_matrix(const Op2Records::Table& table,
                          Op2Records& records,
                          InputFile& file,
                          Progress& progress) {
  const auto fail = [&](std::string what) {
    throw ParseError(
        "damaged",
        std::move(what),
        {file.name(), -1, -1, static_cast<std::int64_t>(records.position()), table.name});
  };
  const std::int64_t cols = table.trailer[1];
  const std::int64_t rows = table.trailer[2];
  const std::int64_t type = table.trailer[4];
  if (type < 1 || type > 4) fail(fmt::format("matrix type {} is not one of 1 to 4", type));
  if (rows < 0 || cols < 0 || rows > std::numeric_limits<std::int32_t>::max() ||
      cols > std::numeric_limits<std::int32_t>::max())
    fail(fmt::format("the matrix size {} x {} is negative or exceeds 32-bit indices", rows, cols));

  RawMatrix matrix;
  matrix.name = table.name;
  matrix.inner_name = table.inner_name == table.name ? "" : table.inner_name;
  matrix.rows = rows;
  matrix.cols = cols;
  matrix.form = form_of_number(table.trailer[3]);
  matrix.layout = RawMatrix::Layout::strings;
  matrix.is_complex = type >= 3;
  const Op2Layout layout = records.layout();
  const std::size_t real_size = real_bytes(type, layout.word);
  matrix.is_single = real_size == 4;
  const std::size_t parts = matrix.is_complex ? 2 : 1;
  // word 7: density, in hundredths of a per cent; more than half full is read as a dense matrix
  ColumnFiller filler(matrix, table.trailer[6] > 5000);
  std::int64_t col = 0;
  do {
    if (records.record_type() != 1) continue;
    std::string_view block;
    while (records.next_block(block)) {
      const Op2Words words(block, layout);
      if (words.size() == 0) continue;
      const std::int64_t row = words.integer(0) - 1;
      const std::string_view data = block.substr(static_cast<std::size_t>(layout.word));
      const std::size_t count = data.size() / (real_size * parts);
      if (data.size() % (real_size * parts) != 0) {
        fail(fmt::format("column {}: {} bytes are not a whole number of values of type {}",
                         col + 1,
                         data.size(),
                         type));
      }
      if (const char* error = filler.error(row, col, static_cast<std::int64_t>(count)))
        fail(fmt::format("column {}, row {}, {} values: {}", col + 1, row + 1, count, error));
      double* out = filler.add(row, col, static_cast<std::int64_t>(count));
      if (real_size == 8) {
        for (std::size_t k = 0; k < count * parts; ++k)
          out[k] = load<double>(data.data() + 8 * k, layout.swap);
      } else {
        for (std::size_t k = 0; k < count * parts; ++k)
          out[k] = static_cast<double>(load<float>(data.data() + 4 * k, layout.swap));
      }
    }
    ++col;
    file.release_before(records.position());
    progress.step(static_cast<double>(records.position()));
  } while (records.next_record());
  filler.finish();
  return matrix;
}

bool is_op2_dmig(const Op2Words& record) {
  return record.size() >= 12 && record.integer(0) == 114 && record.integer(1) == 1 &&
         record.integer(2) == 120;
}

void read_op2_dmig(const Op2Words& record,
                   const std::string& file,
                   const Op2Records::Table& table,
                   FileContents& contents) {
  DmigReader reader(record, file, table);
  while (reader.has_next())
    contents.matrices.push_back(reader.next());
}

}  // namespace femflex::importer
