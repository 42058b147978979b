// Writes matrices to a NASTRAN OUTPUT4 file, binary or ASCII. The heads of op4_binary.cpp and
// op4_ascii.cpp show the layouts.
#include "femflex/importer/op4_writer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"

#include "bytes/fortran_records.h"
#include "raw_matrix.h"

namespace femflex::importer {
namespace {

using Layout = Op4Format::Layout;

constexpr std::size_t kOp4NameLength = 8;  // characters of a name in the header of a matrix

/// One column: rows with a non-zero value in ascending order, and the values (pairs if complex).
struct Column {
  std::vector<std::int32_t> row;
  std::vector<double> values;
};

/// A run of values without a gap.
struct String {
  std::size_t first = 0;  ///< index into Column::row
  std::size_t count = 0;
};

bool is_zero(const double* value, std::size_t parts) {
  return value[0] == 0.0 && (parts == 1 || value[1] == 0.0);
}

class Writer {
 public:
  Writer(const Op4Format& format, const std::filesystem::path& path)
      : format_(format),
        swap_(!format.ascii && format.big_endian),
        word_(format.ascii ? 4 : static_cast<std::size_t>(format.word_bytes)),
        path_(path),
        target_(path) {}

  void write(const RawMatrix& matrix) {
    parts_ = matrix.is_complex ? 2 : 1;
    real_ = matrix.is_single && word_ == 4 ? 4 : 8;
    check(matrix);
    header(matrix);
    Column column;
    if (matrix.is_dense) {
      for (std::int64_t col = 0; col < matrix.cols; ++col) {
        column = {};
        const double* from =
            matrix.values.data() + static_cast<std::size_t>(col * matrix.rows) * parts_;
        for (std::int64_t row = 0; row < matrix.rows; ++row, from += parts_)
          add_value(column, row, from);
        write_column(col, column);
      }
    } else {
      for (std::size_t k = 0; k < matrix.col.size(); ++k) {
        column = {};
        for (auto at = static_cast<std::size_t>(matrix.col_start[k]);
             at < static_cast<std::size_t>(matrix.col_start[k + 1]);
             ++at)
          add_value(column, matrix.row[at], matrix.values.data() + at * parts_);
        write_column(matrix.col[k], column);
      }
    }
    end(matrix);
  }

  void commit() {
    target_.append(out_);
    target_.commit();
  }

 private:
  [[noreturn]] void refuse(const RawMatrix& matrix, const std::string& reason) const {
    throw UsageError("op4-size",
                     fmt::format("{} ({} x {}) {}", matrix.name, matrix.rows, matrix.cols, reason),
                     {path_.string()},
                     "use the binary BIGMAT layout");
  }

  void check(const RawMatrix& matrix) const {
    if (matrix.name.size() > kOp4NameLength)
      throw UsageError("op4-name",
                       fmt::format("'{}' has {} characters; names in OUTPUT4 files have at most {}",
                                   matrix.name,
                                   matrix.name.size(),
                                   kOp4NameLength),
                       {path_.string()},
                       "give the matrix a shorter name");
    if (matrix.rows > kMaxMatrixSize || matrix.cols > kMaxMatrixSize)
      refuse(matrix, "exceeds the range of 32-bit indices");
    if (format_.layout == Layout::nonbigmat && matrix.rows > 65535)
      refuse(matrix, "has more than the 65535 rows of the non-BIGMAT form");
    if (format_.layout == Layout::dense && matrix.rows > 100'000'000)
      refuse(matrix, "has columns too long for one dense record");
    if (format_.ascii && matrix.cols > 99'999'998) refuse(matrix, "has too many columns for ASCII");
    if (format_.ascii && matrix.rows > 99'999'999) refuse(matrix, "has too many rows for ASCII");
  }

  /// Adds a value to the column unless it is zero.
  void add_value(Column& column, std::int64_t row, const double* value) const {
    if (is_zero(value, parts_)) return;
    column.row.push_back(static_cast<std::int32_t>(row));
    column.values.insert(column.values.end(), value, value + parts_);
  }

  std::size_t words_per_value() const { return parts_ * real_ / word_; }

  // --- binary pieces
  template <typename T>
  void put(T value) {
    value = load<T>(reinterpret_cast<const char*>(&value), swap_);  // NOLINT: bytes of a number
    const char* bytes = reinterpret_cast<const char*>(&value);      // NOLINT: bytes of a number
    record_.append(bytes, sizeof value);
  }
  void put_word(std::int64_t value) {
    if (word_ == 8)
      put(value);
    else
      put(static_cast<std::int32_t>(value));
  }
  void put_reals(const double* values, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      if (real_ == 8)
        put(values[k]);
      else
        put(static_cast<float>(values[k]));
    }
  }
  /// Writes to the disk in large pieces.
  void write_bytes(std::string_view bytes) {
    constexpr std::size_t kBufferSize = std::size_t{1} << 20U;
    out_.append(bytes);
    if (out_.size() < kBufferSize) return;
    target_.append(out_);
    out_.clear();
  }
  void flush_record() {
    const auto length = static_cast<std::int32_t>(record_.size());
    const std::int32_t stored =
        load<std::int32_t>(reinterpret_cast<const char*>(&length), swap_);  // NOLINT: its bytes
    const char* bytes = reinterpret_cast<const char*>(&stored);             // NOLINT: its bytes
    write_bytes({bytes, 4});
    write_bytes(record_);
    write_bytes({bytes, 4});
    record_.clear();
  }

  // --- ASCII pieces
  /// Prints reals in Fortran format 1P,E23.16 (E16.9 for single). With a three-digit exponent the
  /// letter E is omitted.
  void print_reals(const double* values, std::size_t count) {
    const std::size_t per_line = real_ == 8 ? 3 : 5;
    const int digits = real_ == 8 ? 16 : 9;
    for (std::size_t k = 0; k < count; ++k) {
      std::string text = fmt::format("{:.{}E}", values[k], digits);
      const std::size_t letter = text.find('E');
      if (letter != std::string::npos && text.size() - letter > 4) text.erase(letter, 1);
      record_ += fmt::format("{:>{}}", text, digits + 7);
      if ((k + 1) % per_line == 0 || k + 1 == count) record_ += '\n';
    }
  }
  void flush_text() {
    write_bytes(record_);
    record_.clear();
  }

  /// NASTRAN's number of the matrix form; forms that other readers may not know become rectangular.
  static int form_number(const RawMatrix& matrix) {
    using Form = RawMatrix::Form;
    const bool is_kept = matrix.form == Form::square || matrix.form == Form::diagonal ||
                         matrix.form == Form::symmetric || matrix.form == Form::identity;
    return static_cast<int>(is_kept ? matrix.form : Form::rectangular);
  }

  void header(const RawMatrix& matrix) {
    const int type = (parts_ == 2 ? 2 : 0) + (real_ == 8 && !matrix.is_single ? 2 : 1);
    const bool wide = format_.ascii && (matrix.rows > 9'999'999 || matrix.cols > 9'999'999);
    const std::int64_t rows = format_.layout == Layout::bigmat || wide ? -matrix.rows : matrix.rows;
    std::string name = matrix.name;
    name.resize(kOp4NameLength, ' ');
    if (format_.ascii) {
      const char* values = real_ == 8 ? "1P,3E23.16" : "1P,5E16.9";
      record_ += wide ? fmt::format("{:>16}{:>16}", matrix.cols, rows)
                      : fmt::format("{:>8}{:>8}", matrix.cols, rows);
      record_ += fmt::format(
          "{:>8}{:>8}{}{}{}\n", form_number(matrix), type, name, values, wide ? "|I16" : "");
      flush_text();
      return;
    }
    for (const std::int64_t value :
         {matrix.cols, rows, std::int64_t{form_number(matrix)}, std::int64_t{type}})
      put_word(value);
    record_ += word_ == 4 ? name : name.substr(0, 4) + "    " + name.substr(4) + "    ";
    flush_record();
  }

  void column_header(std::int64_t col, std::int64_t row, std::size_t words) {
    if (format_.ascii) {
      record_ += fmt::format("{:>8}{:>8}{:>8}\n", col + 1, row, words);
    } else {
      put_word(col + 1);
      put_word(row);
      put_word(static_cast<std::int64_t>(words));
    }
  }

  void put_values(const double* values, std::size_t reals) {
    if (format_.ascii)
      print_reals(values, reals);
    else
      put_reals(values, reals);
  }

  void flush() {
    if (format_.ascii)
      flush_text();
    else
      flush_record();
  }

  void write_column(std::int64_t col, const Column& column) {
    if (column.row.empty()) return;
    if (format_.layout == Layout::dense)
      write_dense(col, column);
    else
      write_strings(col, column);
    flush();
  }

  void write_dense(std::int64_t col, const Column& column) {
    const std::int32_t first = column.row.front();
    const auto count = static_cast<std::size_t>(column.row.back() - first) + 1;
    std::vector<double> values(count * parts_, 0.0);
    for (std::size_t k = 0; k < column.row.size(); ++k)
      std::copy_n(column.values.data() + k * parts_,
                  parts_,
                  values.data() + static_cast<std::size_t>(column.row[k] - first) * parts_);
    // ASCII counts numbers, binary counts words
    column_header(col, first + 1, format_.ascii ? count * parts_ : count * words_per_value());
    put_values(values.data(), values.size());
  }

  void write_strings(std::int64_t col, const Column& column) {
    // IS = row + 65536 (L + 1) must fit 32 bits, so strings of the non-BIGMAT form stay short
    const std::size_t max_length =
        format_.layout == Layout::nonbigmat ? 32000 / words_per_value() : std::size_t{1} << 26U;
    std::vector<String> strings;
    for (std::size_t k = 0; k < column.row.size(); ++k) {
      const bool is_next_row = k > 0 && column.row[k] == column.row[k - 1] + 1;
      if (!is_next_row || strings.back().count == max_length) strings.push_back({k, 0});
      ++strings.back().count;
    }
    const std::size_t head = format_.layout == Layout::bigmat ? 2 : 1;
    column_header(col, 0, strings.size() * head + column.row.size() * words_per_value());
    for (const String& string : strings) {
      const auto length = static_cast<std::int64_t>(string.count * words_per_value());
      const std::int64_t row = column.row[string.first] + 1;
      if (format_.layout == Layout::bigmat) {
        if (format_.ascii) {
          record_ += fmt::format("{:>8}{:>8}\n", length + 1, row);
        } else {
          put_word(length + 1);
          put_word(row);
        }
      } else {
        const std::int64_t packed = row + 65536 * (length + 1);
        if (format_.ascii)
          record_ += fmt::format("{:>8}\n", packed);
        else
          put_word(packed);
      }
      put_values(column.values.data() + string.first * parts_, string.count * parts_);
    }
  }

  void end(const RawMatrix& matrix) {
    const double one = 1.0;
    column_header(matrix.cols, 1, format_.ascii ? 1 : real_ / word_);
    put_values(&one, 1);
    flush();
  }

  Op4Format format_;
  bool swap_;
  std::size_t word_;  ///< bytes per word
  std::filesystem::path path_;
  io::AtomicFile target_;
  std::string out_;        ///< bytes not yet written to the disk
  std::string record_;     ///< the record or text being composed
  std::size_t parts_ = 1;  ///< reals per value: 2 if complex
  std::size_t real_ = 8;   ///< bytes per real
};

}  // namespace

void write_op4(std::span<const RawMatrix> matrices,
               const Op4Format& format,
               const std::filesystem::path& path) {
  if (format.word_bytes != 4 && format.word_bytes != 8)
    throw UsageError(
        "op4-words",
        fmt::format("words of {} bytes are not supported: use 4 or 8", format.word_bytes));
  Writer writer(format, path);
  for (const RawMatrix& matrix : matrices)
    writer.write(matrix);
  writer.commit();
}

}  // namespace femflex::importer
