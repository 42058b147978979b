// Reads binary OUTPUT4 files. Layout (docs/formats/op4.md): Fortran records. A matrix is
//   header  ncol nrow form type (4 words), name (8 bytes, or 16 in 64-bit files)
//   column  icol irow nw (3 words), then nw words; irow > 0: values from row irow down,
//           irow = 0: strings; all-zero columns are absent
//   end     icol = ncol + 1
// A string is IS, values with IS = 65536 (L + 1) + row; or, if nrow < 0 (BIGMAT), L + 1, row,
// values. L is the number of words of the values. Rows and columns are 1-based. The nw of the end
// record is unreliable, so the length of its Fortran record tells where it ends.
#include <array>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "bytes/fortran_records.h"
#include "nastran/op4.h"
#include "raw_matrix.h"

namespace femflex::importer {
namespace {

/// Sizes of numbers in the file.
struct Encoding {
  bool swap = false;
  int word = 4;            ///< bytes per word
  int real = 8;            ///< bytes per real
  std::int64_t reals = 1;  ///< reals per value: 2 if complex
  std::int64_t value_words() const { return reals * real / word; }
};

/// Copies `count` reals at `p` to `out` as doubles.
void copy_reals(const char* p, std::int64_t count, const Encoding& code, double* out) {
  if (code.real == 8 && !code.swap) {
    std::memcpy(out, p, static_cast<std::size_t>(count) * 8);
  } else if (code.real == 8) {
    for (std::int64_t k = 0; k < count; ++k)
      out[k] = load<double>(p + k * 8, true);
  } else {
    for (std::int64_t k = 0; k < count; ++k)
      out[k] = static_cast<double>(load<float>(p + k * 4, code.swap));
  }
}

class BinaryReader {
 public:
  BinaryReader(InputFile& file, FileContents& contents, Progress& progress, bool swap)
      : file_(file),
        contents_(contents),
        progress_(progress),
        records_(file.bytes(), swap, file.name()) {}

  void read() {
    while (const auto record = records_.next())
      matrix(*record);
  }

 private:
  Where where(const std::string& name) const {
    return {file_.name(), -1, -1, static_cast<std::int64_t>(records_.offset()), name};
  }

  std::int64_t word(const char* p) const { return load_word(p, code_.word, records_.swap()); }

  Op4Header header(std::string_view record) {
    if (record.size() != 24 && record.size() != 48)
      throw ParseError("op4-header",
                       fmt::format("a matrix header has 24 or 48 bytes, not {}", record.size()),
                       where(""),
                       "the file is damaged or not an OUTPUT4 file");
    code_.swap = records_.swap();
    code_.word = record.size() == 24 ? 4 : 8;
    contents_.word_bytes = code_.word;
    Op4Header header;
    const char* p = record.data();
    header.cols = word(p);
    header.rows = word(p + code_.word);
    header.form = word(p + 2 * code_.word);
    header.type = word(p + 3 * code_.word);
    const std::string_view name = record.substr(4U * static_cast<std::size_t>(code_.word));
    // 64-bit words hold four characters each, or eight in a few files
    if (code_.word == 8 && name.substr(4, 4) == "    ")
      header.name = std::string(name.substr(0, 4)) + std::string(name.substr(8, 4));
    else
      header.name = name;
    header.name.erase(header.name.find_last_not_of(' ') + 1);
    return header;
  }

  /// Words in all columns of the matrix, and whether every column is dense: found from the record
  /// lengths beforehand, so that a false header cannot size memory.
  struct Extent {
    std::int64_t words = 0;
    bool all_dense = true;
  };
  Extent look_ahead(const RawMatrix& matrix) {
    const std::size_t start = records_.position();
    Extent extent;
    for (;;) {
      const auto record = records_.next();
      if (!record)
        throw ParseError("truncated",
                         "the file ends before the matrix does: it is truncated",
                         where(matrix.name),
                         "export the file again");
      const std::int64_t words = column_words(*record, matrix);
      if (const std::int64_t column = word(record->data()); column > matrix.cols) {
        if (column == matrix.cols + 1) break;  // the end of the matrix
        throw ParseError("op4-column",
                         fmt::format("column {} of a matrix with {} columns", column, matrix.cols),
                         where(matrix.name),
                         "export the file again");
      }
      extent.words += words;
      if (word(record->data() + code_.word) <= 0) extent.all_dense = false;
    }
    records_.seek(start);
    return extent;
  }

  /// Number of words after the first three of a column record.
  std::int64_t column_words(std::string_view record, const RawMatrix& matrix) const {
    const auto size = static_cast<std::int64_t>(record.size());
    if (size < 3 * code_.word)
      throw ParseError("op4-column",
                       fmt::format("a column record has at least 3 words, not {} bytes", size),
                       where(matrix.name),
                       "the file is damaged");
    return size / code_.word - 3;
  }

  void matrix(std::string_view record) {
    const Op4Header head = header(record);
    contents_.matrices.push_back(make_op4_matrix(head, where(head.name)));
    RawMatrix& matrix = contents_.matrices.back();
    code_.reals = matrix.is_complex ? 2 : 1;
    code_.real = code_.word == 8 || !matrix.is_single ? 8 : 4;
    if (code_.word == 8) matrix.is_single = false;
    const Extent extent = look_ahead(matrix);
    const std::int64_t values = extent.words / code_.value_words();
    const double cells = static_cast<double>(matrix.rows) * static_cast<double>(matrix.cols);
    const bool dense = extent.all_dense && cells <= 2.0 * static_cast<double>(values);
    ColumnFiller filler(matrix, dense);
    filler.reserve(dense ? matrix.rows * matrix.cols : values);
    for (;;) {
      const auto column = records_.next();
      if (!column || word(column->data()) > matrix.cols) break;
      read_column(*column, head.rows < 0, filler, matrix);
      file_.release_before(records_.offset());
      progress_.step(static_cast<double>(records_.offset()));
    }
    filler.finish();
  }

  void read_column(std::string_view record, bool bigmat, ColumnFiller& filler, RawMatrix& matrix) {
    const std::int64_t available = column_words(record, matrix);
    const std::int64_t col = word(record.data()) - 1;
    const std::int64_t row = word(record.data() + code_.word);
    const std::int64_t words = word(record.data() + 2 * code_.word);
    if (words < 0 || words > available)
      throw ParseError(
          "op4-column",
          fmt::format(
              "column {} claims {} words, but its record has {}", col + 1, words, available),
          where(matrix.name),
          "the file is damaged");
    const char* p = record.data() + 3 * code_.word;
    if (row > 0) {
      note_layout(Op4Column::run, matrix);
      add_run({p, words}, row - 1, col, filler, matrix);
      return;
    }
    note_layout(bigmat ? Op4Column::bigmat : Op4Column::nonbigmat, matrix);
    const char* const end = p + words * code_.word;
    while (p != end) {
      Op4String string;
      if (bigmat) {
        if (end - p < 2 * code_.word) throw bad_string(col, matrix);
        string = {word(p) - 1, word(p + code_.word)};
        p += 2 * code_.word;
      } else {
        string = unpacked_string(word(p));
        p += code_.word;
      }
      if (string.length <= 0 || string.length > (end - p) / code_.word)
        throw bad_string(col, matrix);
      add_run({p, string.length}, string.row - 1, col, filler, matrix);
      p += string.length * code_.word;
    }
  }

  ParseError bad_string(std::int64_t col, const RawMatrix& matrix) const {
    return {"op4-string",
            fmt::format("a string of column {} runs past its record", col + 1),
            where(matrix.name),
            "the file is damaged"};
  }

  /// Values that follow each other without a gap.
  struct Run {
    const char* start = nullptr;
    std::int64_t words = 0;
  };

  /// Adds the values of `run` to the rows from `row` on.
  void add_run(const Run& run,
               std::int64_t row,
               std::int64_t col,
               ColumnFiller& filler,
               const RawMatrix& matrix) {
    const std::int64_t count = run.words / code_.value_words();
    if (count * code_.value_words() != run.words)
      throw ParseError(
          "op4-column",
          fmt::format("{} words in column {}, expected a multiple of the {} words of a value",
                      run.words,
                      col + 1,
                      code_.value_words()),
          where(matrix.name),
          "the file is damaged");
    if (const char* error = filler.error(row, col, count))
      throw ParseError("op4-column",
                       describe_run_error(error, matrix, row, col, count),
                       where(matrix.name),
                       "the file is damaged");
    if (count == 0) return;
    copy_reals(run.start, count * code_.reals, code_, filler.add(row, col, count));
  }

  InputFile& file_;
  FileContents& contents_;
  Progress& progress_;
  FortranRecords records_;
  Encoding code_;
};

}  // namespace

void read_op4_binary(InputFile& file, FileContents& contents, Progress& progress) {
  const auto first = load<std::int32_t>(file.bytes().data(), false);
  const bool swap = first != 24 && first != 48;
  contents.encoding = "binary";
  contents.endian = swap ? "big" : "little";
  BinaryReader(file, contents, progress, swap).read();
}

}  // namespace femflex::importer
