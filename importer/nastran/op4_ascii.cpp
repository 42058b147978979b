// Reads ASCII OUTPUT4 files. Layout (docs/formats/op4.md): fixed columns, fields may touch. A
// matrix is
//   header  ncol nrow form type (4I8, or 2I16 2I8 if the line ends in |I16), name A8, format
//   column  icol irow nw (3I8); irow > 0: nw reals from row irow down; irow = 0: strings follow,
//   and
//           nw counts words, headers included (a double has two words)
//   string  a line with its header, then L words of values on new lines; the header is the number
//           row + 65536 (L + 1), or, if nrow < 0, the two numbers L + 1 and row (2I8 or 2I16)
//   end     icol = ncol + 1, and one line with a value
#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "nastran/op4.h"
#include "raw_matrix.h"

namespace femflex::importer {
namespace {

/// Format of values such as `1P,3E23.16`: reals per line and characters per real.
struct ValueFormat {
  std::int64_t per_line = 5;
  std::size_t width = 16;
};

class AsciiReader {
 public:
  AsciiReader(InputFile& file, FileContents& contents, Progress& progress)
      : file_(file), contents_(contents), progress_(progress), lines_(file.bytes()) {}

  void read() {
    while (lines_.next())
      if (!trimmed(lines_.line()).empty()) matrix();
  }

 private:
  Where where(const std::string& name) const {
    return {file_.name(), lines_.number(), -1, static_cast<std::int64_t>(lines_.offset()), name};
  }

  [[noreturn]] void fail(const char* code, std::string message, const std::string& name) const {
    throw ParseError(code, std::move(message), where(name), "the file is damaged");
  }

  std::int64_t integer(std::string_view text, const char* field, const std::string& name) const {
    const auto value = parse_integer(text);
    if (!value)
      fail("not-an-integer",
           fmt::format("{}: '{}' is not an integer", field, printable(text)),
           name);
    return *value;
  }

  static std::string printable(std::string_view text) {
    std::string out(text.substr(0, 40));
    for (char& c : out)
      if (std::isprint(static_cast<unsigned char>(c)) == 0) c = '?';
    return out;
  }

  /// Columns of a line; empty beyond its end.
  static std::string_view part(std::string_view line, std::size_t from, std::size_t size) {
    return from < line.size() ? line.substr(from, size) : std::string_view{};
  }

  void next_line(const std::string& name) {
    if (!lines_.next())
      throw ParseError("truncated",
                       "the file ends before the matrix does: it is truncated",
                       where(name),
                       "export the file again");
  }

  Op4Header header() {
    const std::string_view line = lines_.line();
    const std::size_t bar = line.find("|I16");
    const std::size_t size = bar == std::string_view::npos ? 8 : 16;
    Op4Header header;
    header.cols = integer(part(line, 0, size), "number of columns", "");
    header.rows = integer(part(line, size, size), "number of rows", "");
    header.form = integer(part(line, 2 * size, 8), "matrix form", "");
    header.type = integer(part(line, 2 * size + 8, 8), "matrix type", "");
    header.name = part(line, 2 * size + 16, 8);
    header.name.erase(header.name.find_last_not_of(' ') + 1);
    format_ = value_format(part(line.substr(0, bar), 2 * size + 24, 40));
    return header;
  }

  ValueFormat value_format(std::string_view text) const {
    ValueFormat format;
    text = trimmed(text);
    if (text.empty()) return format;
    // [1P,]nEw.d: find the letter; n stands before it, w behind it
    const std::size_t letter = text.find_first_of("EeDdGgFf");
    if (letter == std::string_view::npos) return format;
    std::size_t first = letter;
    while (first > 0 && std::isdigit(static_cast<unsigned char>(text[first - 1])) != 0)
      --first;
    const auto per_line = parse_integer(text.substr(first, letter - first));
    std::string_view rest = text.substr(letter + 1);
    std::int64_t width = 0;
    if (!per_line || !take_integer(rest, width) || *per_line < 1 || *per_line > 100 || width < 5 ||
        width > 60)
      fail("op4-format", fmt::format("'{}' is not a format of values", printable(text)), "");
    format.per_line = *per_line;
    format.width = static_cast<std::size_t>(width);
    return format;
  }

  void matrix() {
    const Op4Header head = header();
    contents_.matrices.push_back(make_op4_matrix(head, where(head.name)));
    RawMatrix& matrix = contents_.matrices.back();
    const std::int64_t parts = matrix.is_complex ? 2 : 1;
    next_line(matrix.name);
    const bool dense =
        integer(part(lines_.line(), 8, 8), "row", matrix.name) > 0 &&
        integer(part(lines_.line(), 16, 8), "number of words", matrix.name) / parts >=
            matrix.rows / 2;
    ColumnFiller filler(matrix, dense);
    const double cells =
        static_cast<double>(matrix.rows) * static_cast<double>(matrix.cols * parts);
    if (dense &&
        cells < 2.0 * static_cast<double>(lines_.remaining()) / static_cast<double>(format_.width))
      filler.reserve(matrix.rows * matrix.cols);
    while (read_column(head.rows < 0, filler, matrix)) {
      file_.release_before(lines_.offset());
      progress_.step(static_cast<double>(lines_.offset()));
      next_line(matrix.name);
    }
    filler.finish();
  }

  /// Reads the column whose header is the current line; false at the end of the matrix.
  bool read_column(bool bigmat, ColumnFiller& filler, RawMatrix& matrix) {
    const std::string_view line = lines_.line();
    const std::int64_t col = integer(part(line, 0, 8), "column", matrix.name) - 1;
    const std::int64_t row = integer(part(line, 8, 8), "row", matrix.name);
    const std::int64_t words = integer(part(line, 16, 8), "number of words", matrix.name);
    if (col > matrix.cols)
      fail("op4-column",
           fmt::format("column {} of a matrix with {} columns", col + 1, matrix.cols),
           matrix.name);
    if (col == matrix.cols) {
      // one line with a value follows; a file that ends exactly here has lost nothing
      if (lines_.next() && !parse_real(part(lines_.line(), 0, format_.width)))
        fail("op4-end", "the value after the last column is not a number", matrix.name);
      return false;
    }
    const std::int64_t parts = matrix.is_complex ? 2 : 1;
    if (words < 0)
      fail("op4-column",
           fmt::format("a column has the negative number {} of words", words),
           matrix.name);
    if (row > 0) {
      note_layout(Op4Column::run, matrix);
      add_run(row - 1, col, words, filler, matrix);
      return true;
    }
    note_layout(bigmat ? Op4Column::bigmat : Op4Column::nonbigmat, matrix);
    const std::int64_t real_words = matrix.is_single ? 1 : 2;
    std::int64_t remaining = words;
    while (remaining > 0) {
      next_line(matrix.name);
      Op4String string;
      const std::string_view line_of_string = lines_.line();
      if (bigmat) {
        const std::size_t size = line_of_string.find_last_not_of(' ') < 16 ? 8 : 16;
        string.length =
            integer(part(line_of_string, 0, size), "length of a string", matrix.name) - 1;
        string.row = integer(part(line_of_string, size, size), "row of a string", matrix.name);
        remaining -= 2;
      } else {
        string = unpacked_string(integer(line_of_string, "header of a string", matrix.name));
        remaining -= 1;
      }
      if (string.length <= 0 || string.length > remaining ||
          string.length % (real_words * parts) != 0)
        fail(
            "op4-string",
            fmt::format("a string of {} words exceeds column {} or is not a whole number of values",
                        string.length,
                        col + 1),
            matrix.name);
      remaining -= string.length;
      add_run(string.row - 1, col, string.length / real_words, filler, matrix);
    }
    return true;
  }

  /// Reads the next `reals` numbers into the rows from `row` on.
  void add_run(std::int64_t row,
               std::int64_t col,
               std::int64_t reals,
               ColumnFiller& filler,
               const RawMatrix& matrix) {
    const std::int64_t parts = matrix.is_complex ? 2 : 1;
    const std::int64_t count = reals / parts;
    const char* error = filler.error(row, col, count);
    if (error == nullptr && count * parts != reals) error = "a complex value lacks its second part";
    if (error != nullptr)
      fail("op4-column", describe_run_error(error, matrix, row, col, count), matrix.name);
    if (count == 0) return;
    // every real takes at least one character, so no more numbers than bytes can follow
    if (static_cast<std::uint64_t>(reals) > lines_.remaining())
      throw ParseError(
          "truncated",
          fmt::format(
              "the column claims {} numbers, but {} bytes remain", reals, lines_.remaining()),
          where(matrix.name),
          "the file is truncated: export it again");
    double* out = filler.add(row, col, count);
    double* const end = out + reals;
    while (out != end) {
      next_line(matrix.name);
      const std::string_view line = lines_.line();
      const std::int64_t in_line = std::min<std::int64_t>(format_.per_line, end - out);
      std::size_t at = 0;
      for (std::int64_t k = 0; k < in_line; ++k, at += format_.width) {
        std::string_view field = part(line, at, format_.width);
        const bool is_number = take_real(field, *out);
        if (!is_number && trimmed(field).empty() && lines_.remaining() == 0)
          throw ParseError("truncated",
                           "the file ends before the matrix does: it is truncated",
                           where(matrix.name),
                           "export the file again");
        if (!is_number || !trimmed(field).empty())
          fail("not-a-number",
               fmt::format("column {}: '{}' is not a number",
                           col + 1,
                           printable(part(line, at, format_.width))),
               matrix.name);
        ++out;
      }
    }
  }

  InputFile& file_;
  FileContents& contents_;
  Progress& progress_;
  Lines lines_;
  ValueFormat format_;
};

}  // namespace

void read_op4_ascii(InputFile& file, FileContents& contents, Progress& progress) {
  contents.encoding = "ascii";
  AsciiReader(file, contents, progress).read();
}

}  // namespace femflex::importer
