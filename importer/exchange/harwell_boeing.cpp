// Reads sparse matrices in the Harwell-Boeing format. Fortran formats in the header give the field
// widths of the column pointers, row indices and values.
#include "exchange/harwell_boeing.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "ansys/mapping.h"
#include "bytes/input_file.h"
#include "bytes/line_steps.h"
#include "matrix_entries.h"
#include "raw_matrix.h"
#include "role_by_name.h"

namespace femflex::importer {
namespace {

/// Fields per line and their width, from a Fortran format: `(8I10)`, `(4E20.12)`, `(1P,5D16.8)`.
struct FieldFormat {
  std::size_t count = 1;
  std::size_t width = 0;
};

/// False if the text is not such a format.
bool parse_format(std::string_view text, FieldFormat& format) {
  text = trimmed(text);
  if (text.size() < 3 || text.front() != '(' || text.back() != ')') return false;
  text = text.substr(1, text.size() - 2);
  const std::size_t comma = text.find(',');
  if (comma != std::string_view::npos) text.remove_prefix(comma + 1);  // 1P,
  std::int64_t number = 1;
  if (take_integer(text, number) && (number < 1 || number > 1000)) return false;
  if (text.size() >= 2 && (text.front() == 'P' || text.front() == 'p')) {  // 1P5D16.8
    text.remove_prefix(1);
    number = 1;
    if (take_integer(text, number) && (number < 1 || number > 1000)) return false;
  }
  if (text.empty() || std::string_view("IiEeDdFfGg").find(text.front()) == std::string_view::npos)
    return false;
  text.remove_prefix(1);
  std::int64_t width = 0;
  if (!take_integer(text, width) || width < 1 || width > 1000) return false;
  format = {static_cast<std::size_t>(number), static_cast<std::size_t>(width)};
  return true;
}

/// Reads the counts of header line 2 (`first` = 0) or 3 (`first` = 14): fields of 14 columns, which
/// may touch. False if one is not a number, or below 4 of line 2 or 3 of line 3 are there.
bool parse_counts(std::string_view line, std::size_t first, std::array<std::int64_t, 5>& counts) {
  std::size_t found = 0;
  for (std::size_t at = first; at < line.size() && found < 5; at += 14) {
    const std::string_view field = trimmed(line.substr(at, 14));
    if (field.empty()) break;
    const auto value = parse_integer(field);
    if (!value) return false;
    counts[found++] = *value;
  }
  return found >= (first == 0 ? 4U : 3U);
}

/// True for a matrix type such as RSA: letters for the values, the symmetry and the storage.
bool is_type(std::string_view type) {
  return type.size() == 3 && std::string_view("RCPrcp").find(type[0]) != std::string_view::npos &&
         std::string_view("SUHZRsuhzr").find(type[1]) != std::string_view::npos &&
         std::string_view("AEae").find(type[2]) != std::string_view::npos;
}

class HarwellBoeingReader {
 public:
  HarwellBoeingReader(InputFile& file, Diagnostics& diagnostics, Progress& progress)
      : file_(file), diagnostics_(diagnostics), progress_(progress), lines_(file.bytes()) {}

  FileContents read() {
    read_header();
    std::vector<std::int64_t> starts = read_integers(pointers_, cols_ + 1);
    check_pointers(starts);
    const std::vector<std::int64_t> rows = read_integers(indices_, entries_);
    MatrixEntries entries(is_complex_);
    entries.reserve(static_cast<std::size_t>(entries_));
    FieldReader fields(*this, values_);
    const char kind = type_[1];
    for (std::int64_t col = 0; col < cols_; ++col) {
      for (std::int64_t k = starts[static_cast<std::size_t>(col)] - 1;
           k < starts[static_cast<std::size_t>(col) + 1] - 1;
           ++k) {
        const std::int64_t row = rows[static_cast<std::size_t>(k)];
        if (row < 1 || row > rows_)
          fail("entry", fmt::format("column {}: row {} is outside 1 to {}", col + 1, row, rows_));
        double re = 1.0;
        double im = 0.0;
        if (type_[0] != 'P') re = fields.real();
        if (is_complex_) im = fields.real();
        add(entries,
            kind,
            static_cast<std::int32_t>(row - 1),
            static_cast<std::int32_t>(col),
            re,
            im);
        if (k % kLinesPerReport == 0) report_position(file_, lines_, progress_);
      }
    }
    RawMatrix matrix;
    matrix.rows = rows_;
    matrix.cols = cols_;
    matrix.layout = RawMatrix::Layout::harwell_boeing;
    matrix.form = kind == 'S' ? RawMatrix::Form::symmetric : form_of_size(matrix);
    if (kind == 'S') matrix.triangle = RawMatrix::Triangle::lower;
    matrix.name = role_of_text(title_);
    if (matrix.name.empty()) matrix.name = role_of_file(file_.name());
    entries.finish(matrix);
    FileContents contents;
    contents.encoding = "ascii";
    contents.title = title_;
    if (title_.find("ANSYS") != std::string::npos) contents.program = "ANSYS";
    contents.matrices.push_back(std::move(matrix));
    return contents;
  }

 private:
  /// Reads fields of a fixed width, line after line.
  class FieldReader {
   public:
    FieldReader(HarwellBoeingReader& reader, FieldFormat format)
        : reader_(reader), format_(format), field_(format.count) {}

    /// The next field that is not blank.
    std::string_view next() {
      for (;;) {
        if (field_ < format_.count) {
          const std::size_t at = field_ * format_.width;
          ++field_;
          // a file with one field a line may have wider fields than its format says
          const std::size_t width = format_.count == 1 ? std::string_view::npos : format_.width;
          if (at < line_.size()) {
            const std::string_view field = trimmed(line_.substr(at, width));
            if (!field.empty()) return field;
          }
          field_ = format_.count;
        }
        if (!reader_.lines_.next())
          reader_.fail("truncated", "the file ends before all numbers are read");
        line_ = reader_.lines_.line();
        field_ = 0;
      }
    }
    double real() {
      std::string_view field = next();
      const std::string_view original = field;
      double value = 0.0;
      if (!take_real(field, value) || !trimmed(field).empty())
        reader_.fail("entry", fmt::format("'{}' is not a number", original.substr(0, 60)));
      return value;
    }
    std::int64_t integer() {
      std::string_view field = next();
      const std::string_view original = field;
      std::int64_t value = 0;
      if (!take_integer(field, value) || !trimmed(field).empty())
        reader_.fail("entry", fmt::format("'{}' is not an integer", original.substr(0, 60)));
      return value;
    }

   private:
    HarwellBoeingReader& reader_;
    FieldFormat format_;
    std::size_t field_;
    std::string_view line_;
  };

  [[noreturn]] void fail(const char* code, const std::string& what) const {
    throw ParseError(code, what, {file_.name(), lines_.number()});
  }

  std::string_view header_line() {
    if (!lines_.next()) fail("truncated", "the file ends inside its header");
    return lines_.line();
  }

  void read_header() {
    title_ = trimmed(header_line().substr(0, 72));
    std::array<std::int64_t, 5> cards{};
    if (!parse_counts(header_line(), 0, cards)) fail("header", "line 2 must hold 4 or 5 counts");
    const std::string_view third = header_line();
    type_ = third.substr(0, std::min<std::size_t>(3, third.size()));
    for (char& c : type_)
      c = static_cast<char>(c & ~0x20);  // upper case
    std::array<std::int64_t, 5> sizes{};
    if (!is_type(type_) || !parse_counts(third, 14, sizes))
      fail("header", "line 3 must hold a type such as RSA and the sizes");
    if (type_[2] == 'E') {
      fail("elemental",
           "unassembled element matrices are not supported: export the assembled matrix");
    }
    rows_ = sizes[0];
    cols_ = sizes[1];
    entries_ = sizes[2];
    is_complex_ = type_[0] == 'C';
    check_dimensions(rows_, cols_, file_.name(), lines_.number());
    // a number takes two bytes or more
    const auto max_numbers = static_cast<std::int64_t>(lines_.remaining() / 2 + 1);
    if (entries_ < 0 || entries_ > max_numbers || cols_ + 1 > max_numbers) {
      fail("truncated",
           fmt::format("the header claims {} columns and {} entries, but only {} bytes follow",
                       cols_,
                       entries_,
                       lines_.remaining()));
    }
    if (type_[1] != 'R' && type_[1] != 'U' && rows_ != cols_)
      fail("header", fmt::format("a matrix of type {} must be square", type_));
    const std::string_view formats = header_line();
    const auto field = [&](std::size_t at, std::size_t width) {
      return formats.substr(std::min(at, formats.size()), width);
    };
    if (!parse_format(field(0, 16), pointers_) || !parse_format(field(16, 16), indices_) ||
        (type_[0] != 'P' && !parse_format(field(32, 20), values_)))
      fail("header", "line 4 must hold Fortran formats such as (8I10) and (4E20.12)");
    if (cards[4] > 0) header_line();
    warn_of_the_rest(cards[4]);
  }

  std::vector<std::int64_t> read_integers(FieldFormat format, std::int64_t count) {
    std::vector<std::int64_t> values;
    values.reserve(static_cast<std::size_t>(count));
    FieldReader fields(*this, format);
    for (std::int64_t i = 0; i < count; ++i)
      values.push_back(fields.integer());
    return values;
  }

  void check_pointers(const std::vector<std::int64_t>& starts) const {
    const auto refuse = [&](std::string message) {
      throw ParseError(
          "pointers",
          std::move(message),
          {file_.name(), lines_.number()},
          "older ANSYS versions write wrong pointers for .sub files: export with *EXPORT,MMF");
    };
    if (starts.front() != 1 || starts.back() != entries_ + 1)
      refuse(fmt::format("the column pointers must go from 1 to {}, but go from {} to {}",
                         entries_ + 1,
                         starts.front(),
                         starts.back()));
    const auto fall = std::is_sorted_until(starts.begin(), starts.end());
    if (fall != starts.end())
      refuse(fmt::format("the column pointers must not fall, but that of column {} is {} after {}",
                         fall - starts.begin() + 1,
                         *fall,
                         *(fall - 1)));
  }

  void add(
      MatrixEntries& entries, char kind, std::int32_t row, std::int32_t col, double re, double im) {
    if (is_half(kind) && (re != 0.0 || im != 0.0))
      triangle_.note(row, col, file_.name(), lines_.number());
    if (kind == 'S' && row < col) std::swap(row, col);
    const auto store = [&](std::int32_t r, std::int32_t c, double x, double y) {
      if (is_complex_) {
        entries.add(r, c, x, y);
      } else {
        entries.add(r, c, x);
      }
    };
    store(row, col, re, im);
    if (row == col) return;
    if (kind == 'Z') store(col, row, -re, -im);
    if (kind == 'H') store(col, row, re, -im);
  }

  /// True for a kind of symmetry of which the file holds one triangle.
  static bool is_half(char kind) { return kind == 'S' || kind == 'Z' || kind == 'H'; }

  /// Tells what of the file is not taken as it is.
  void warn_of_the_rest(std::int64_t right_hand_lines) const {
    if (type_[0] == 'P') warn_of_pattern(file_.name(), diagnostics_);
    if (right_hand_lines > 0)
      diagnostics_.warn("right-hand-sides",
                        fmt::format("{} lines of right-hand sides are not read", right_hand_lines),
                        {file_.name()});
  }

  InputFile& file_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  Lines lines_;
  OneTriangle triangle_;
  std::string title_, type_;
  std::int64_t rows_ = 0, cols_ = 0, entries_ = 0;
  bool is_complex_ = false;
  FieldFormat pointers_, indices_, values_;
};

/// Path of the row list next to a matrix file: for `job.matrix` it is `job.mapping`; for
/// `job_stiff.matrix`, `job_mass.matrix` and `job_damp.matrix` the list of the same name, else
/// `job.mapping`. Empty if there is none.
std::filesystem::path find_mapping(const std::filesystem::path& path) {
  const std::string stem = path.stem().string();
  std::vector<std::string> names{stem};
  for (const std::string_view tail : {"_stiff", "_mass", "_damp"})
    if (lower_case(stem).ends_with(tail))
      names.push_back(stem.substr(0, stem.size() - tail.size()));
  std::error_code ignored;
  for (const std::string& name : names) {
    std::filesystem::path candidate = path.parent_path() / (name + ".mapping");
    if (candidate != path && std::filesystem::is_regular_file(candidate, ignored)) return candidate;
  }
  return {};
}

}  // namespace

bool is_harwell_boeing(const FileHead& head) {
  Lines lines(head.bytes);
  std::array<std::int64_t, 5> counts{};
  FieldFormat format;
  return lines.next() && lines.next() && parse_counts(lines.line(), 0, counts) && lines.next() &&
         is_type(lines.line().substr(0, 3)) && parse_counts(lines.line(), 14, counts) &&
         lines.next() && parse_format(lines.line().substr(0, 16), format);
}

FileContents read_harwell_boeing(const std::filesystem::path& path,
                                 const ReadOptions& /*options*/,
                                 Diagnostics& diagnostics,
                                 Progress& progress) {
  InputFile file(path);
  FileContents contents = HarwellBoeingReader(file, diagnostics, progress).read();
  const std::filesystem::path mapping = find_mapping(path);
  if (mapping.empty()) return contents;
  InputFile mapping_file(mapping);
  std::vector<Dof> dofs = read_mapping_lines(mapping_file, progress);
  RawMatrix& matrix = contents.matrices.front();
  if (static_cast<std::int64_t>(dofs.size()) != matrix.rows || matrix.rows != matrix.cols) {
    diagnostics.warn("mapping-file",
                     fmt::format("{} lists {} rows, but the matrix is {} x {}: the list is not "
                                 "used, it fits a square matrix of its rows alone",
                                 mapping.string(),
                                 dofs.size(),
                                 matrix.rows,
                                 matrix.cols),
                     {path.string()});
    return contents;
  }
  contents.row_map = dofs;
  matrix.col_dofs = dofs;
  matrix.row_dofs = std::move(dofs);
  return contents;
}

}  // namespace femflex::importer
