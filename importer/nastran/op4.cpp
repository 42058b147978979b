// Recognises NASTRAN OUTPUT4 matrix files and calls the reader of their encoding, binary or ASCII.
// Holds what both readers share: check of the matrix header, names of layouts, error texts.
#include "nastran/op4.h"

#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/lines.h"
#include "femflex/number.h"

#include "bytes/fortran_records.h"
#include "raw_matrix.h"

namespace femflex::importer {
namespace {

/// Length in bytes of the matrix header that begins a binary file of byte order `swap`; 0 if the
/// file does not begin so.
int binary_header(std::string_view bytes, bool swap) {
  if (bytes.size() < 32) return 0;
  const auto length = load<std::int32_t>(bytes.data(), swap);
  if (length != 24 && length != 48) return 0;
  if (bytes.size() < static_cast<std::size_t>(length) + 8) return 0;
  if (load<std::int32_t>(bytes.data() + 4 + length, swap) != length) return 0;
  return length;
}

/// True for the header line of a matrix in the ASCII form.
bool is_ascii_header(std::string_view line) {
  if (line.size() < 33) return false;
  const bool wide = line.find("|I16") != std::string_view::npos;
  const std::size_t size = wide ? 16 : 8;
  const auto cols = parse_integer(line.substr(0, size));
  const auto rows = parse_integer(line.substr(size, size));
  const auto form = parse_integer(line.substr(2 * size, 8));
  const auto type = parse_integer(line.substr(2 * size + 8, 8));
  return cols && rows && form && type && *cols > 0 && *rows != 0 && *form >= 0 && *form < 20 &&
         *type >= 1 && *type <= 4;
}

}  // namespace

RawMatrix make_op4_matrix(const Op4Header& header, const Where& where) {
  if (header.type < 1 || header.type > 4)
    throw ParseError("op4-type",
                     fmt::format("matrix type {} is not one of 1, 2, 3, 4", header.type),
                     where,
                     "the file is damaged or is not an OUTPUT4 file");
  // a matrix without columns is what OUTPUT4 writes for a purged data block
  if (header.cols < 0 || header.cols > kMaxMatrixSize || header.rows < -kMaxMatrixSize ||
      header.rows > kMaxMatrixSize)
    throw ParseError(
        "op4-size",
        fmt::format("the matrix size {} x {} is out of range", header.rows, header.cols),
        where,
        "the file is damaged or is not an OUTPUT4 file");
  RawMatrix matrix;
  matrix.name = header.name;
  matrix.rows = std::abs(header.rows);
  matrix.cols = header.cols;
  matrix.form = form_of_number(header.form);
  matrix.layout = RawMatrix::Layout::empty;
  matrix.is_complex = header.type >= 3;
  matrix.is_single = header.type == 1 || header.type == 3;
  return matrix;
}

void note_layout(Op4Column kind, RawMatrix& matrix) {
  using Layout = RawMatrix::Layout;
  const bool has_no_strings = matrix.layout == Layout::empty || matrix.layout == Layout::dense;
  if (kind == Op4Column::run) {
    if (matrix.layout == Layout::empty) matrix.layout = Layout::dense;
  } else if (has_no_strings) {
    matrix.layout = kind == Op4Column::bigmat ? Layout::bigmat : Layout::nonbigmat;
  }
}

std::string describe_run_error(std::string_view error,
                               const RawMatrix& matrix,
                               std::int64_t row,
                               std::int64_t col,
                               std::int64_t count) {
  return fmt::format("{} (column {}, rows {} to {}; the header says {} x {})",
                     error,
                     col + 1,
                     row + 1,
                     row + count,
                     matrix.rows,
                     matrix.cols);
}

bool is_op4(const FileHead& head) {
  for (const bool swap : {false, true}) {
    const int length = binary_header(head.bytes, swap);
    if (length == 0) continue;
    const int word = length == 24 ? 4 : 8;
    const std::int64_t type = load_word(head.bytes.data() + 4 + 3 * word, word, swap);
    return type >= 1 && type <= 4;
  }
  Lines lines(head.bytes);
  if (!lines.next() || !is_ascii_header(lines.line())) return false;
  if (!lines.next()) return true;  // truncated after the header: still an OP4
  const std::string_view column = lines.line();
  return parse_integer(column.substr(0, 8)).has_value();
}

FileContents read_op4(const std::filesystem::path& path,
                      const ReadOptions& /*options*/,
                      Diagnostics& /*diagnostics*/,
                      Progress& progress) {
  InputFile file(path);
  FileContents contents;
  const std::string_view bytes = file.bytes();
  const bool binary = binary_header(bytes, false) != 0 || binary_header(bytes, true) != 0;
  progress.begin("reading OP4", static_cast<double>(bytes.size()), "B");
  if (binary)
    read_op4_binary(file, contents, progress);
  else
    read_op4_ascii(file, contents, progress);
  progress.end();
  return contents;
}

}  // namespace femflex::importer
