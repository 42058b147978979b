// Reads matrices in the Matrix Market format; the banner in line 1 tells how the size line and the
// entries are written.
#include "exchange/matrix_market.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "bytes/input_file.h"
#include "bytes/line_steps.h"
#include "matrix_entries.h"
#include "raw_matrix.h"
#include "role_by_name.h"

namespace femflex::importer {
namespace {

constexpr std::string_view kBanner = "%%matrixmarket";

class MatrixMarketReader {
 public:
  MatrixMarketReader(InputFile& file, Diagnostics& diagnostics, Progress& progress)
      : file_(file), diagnostics_(diagnostics), progress_(progress), lines_(file.bytes()) {}

  FileContents read() {
    read_banner();
    read_sizes();
    if (is_array_) {
      read_array();
    } else {
      read_coordinates();
    }
    FileContents contents;
    contents.encoding = "ascii";
    if (creator_.find("ANSYS") != std::string::npos) contents.program = "ANSYS";
    matrix_.name = role_of_file(file_.name());
    if (field_ == Field::pattern) warn_of_pattern(file_.name(), diagnostics_);
    if (is_array_ && field_ == Field::integer && matrix_.cols == 1)
      contents.node_order = node_order();
    contents.matrices.push_back(std::move(matrix_));
    return contents;
  }

 private:
  [[noreturn]] void fail(const char* code, const std::string& what) const {
    throw ParseError(code, what, {file_.name(), lines_.number()});
  }

  enum class Field : std::uint8_t { real, integer, complex, pattern };
  enum class Symmetry : std::uint8_t { general, symmetric, skew_symmetric, hermitian };

  /// The meaning of word number `at` in the banner; throws unless it is one of `known`.
  template <class Meaning>
  Meaning one_of(const std::vector<std::string>& words,
                 std::size_t at,
                 std::initializer_list<std::pair<std::string_view, Meaning>> known) const {
    const std::string_view word = at < words.size() ? std::string_view(words[at]) : "";
    std::string names;
    for (const auto& [name, meaning] : known) {
      if (word == name) return meaning;
      names += (names.empty() ? "" : ", ") + std::string(name);
    }
    fail("banner", fmt::format("'{}' is not one of {}", word, names));
  }

  void read_banner() {
    lines_.next();
    std::vector<std::string> words;
    std::string_view rest = lines_.line();
    while (!(rest = trimmed(rest)).empty()) {
      const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
      words.push_back(lower_case(rest.substr(0, end)));
      rest.remove_prefix(end);
    }
    if (words.size() < 4 || words[0] != kBanner)
      fail("banner", "expected a banner such as '%%MatrixMarket matrix coordinate real general'");
    is_vector_ = one_of<bool>(words, 1, {{"matrix", false}, {"vector", true}});
    is_array_ = one_of<bool>(words, 2, {{"coordinate", false}, {"array", true}});
    field_ = one_of<Field>(words,
                           3,
                           {{"real", Field::real},
                            {"double", Field::real},
                            {"integer", Field::integer},
                            {"complex", Field::complex},
                            {"pattern", Field::pattern}});
    if (is_vector_ && words.size() == 4) words.emplace_back("general");
    symmetry_ = one_of<Symmetry>(words,
                                 4,
                                 {{"general", Symmetry::general},
                                  {"symmetric", Symmetry::symmetric},
                                  {"skew-symmetric", Symmetry::skew_symmetric},
                                  {"hermitian", Symmetry::hermitian}});
    is_complex_ = field_ == Field::complex;
    if (is_array_ && field_ == Field::pattern) fail("banner", "an array cannot be a pattern");
    if (symmetry_ == Symmetry::hermitian && !is_complex_)
      fail("banner", "a hermitian matrix must be complex");
  }

  /// Moves to the next line that is neither blank nor a comment.
  bool next_line() {
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.line());
      if (line.empty()) continue;
      if (line.front() != '%') return true;
      if (creator_.empty() && line.find("Creator") != std::string_view::npos) creator_ = line;
    }
    return false;
  }

  void read_sizes() {
    if (!next_line()) fail("truncated", "the file ends before the size line");
    std::string_view line = lines_.line();
    std::vector<std::int64_t> sizes;
    std::int64_t value = 0;
    while (take_integer(line, value))
      sizes.push_back(value);
    const std::size_t expected = (is_vector_ ? 1U : 2U) + (is_array_ ? 0U : 1U);
    if (sizes.size() != expected || !trimmed(line).empty())
      fail("sizes", fmt::format("the size line must contain {} integers", expected));
    matrix_.rows = sizes[0];
    matrix_.cols = is_vector_ ? 1 : sizes[1];
    entries_ = is_array_ ? 0 : sizes.back();
    check_dimensions(matrix_.rows, matrix_.cols, file_.name(), lines_.number());
    matrix_.layout = is_array_ ? RawMatrix::Layout::array : RawMatrix::Layout::coordinate;
    matrix_.form = form_of_symmetry();
    if (symmetry_ == Symmetry::symmetric) matrix_.triangle = RawMatrix::Triangle::lower;
    if (symmetry_ != Symmetry::general && matrix_.rows != matrix_.cols)
      fail("sizes", fmt::format("a {} matrix must be square", text_of(matrix_.form)));
    // an entry takes at least two bytes, a digit and a line end
    if (entries_ < 0 || entries_ > static_cast<std::int64_t>(lines_.remaining() / 2 + 1)) {
      fail("truncated",
           fmt::format("the size line claims {} entries, but only {} bytes follow",
                       entries_,
                       lines_.remaining()));
    }
  }

  RawMatrix::Form form_of_symmetry() const {
    switch (symmetry_) {
      case Symmetry::symmetric:
        return RawMatrix::Form::symmetric;
      case Symmetry::skew_symmetric:
        return RawMatrix::Form::skew_symmetric;
      case Symmetry::hermitian:
        return RawMatrix::Form::hermitian;
      case Symmetry::general:
        break;
    }
    return form_of_size(matrix_);
  }

  void add(MatrixEntries& entries, std::int64_t row, std::int64_t col, double re, double im) {
    if (symmetry_ != Symmetry::general && (re != 0.0 || im != 0.0))
      triangle_.note(row, col, file_.name(), lines_.number());
    auto r = static_cast<std::int32_t>(row);
    auto c = static_cast<std::int32_t>(col);
    if (symmetry_ == Symmetry::symmetric && r < c) std::swap(r, c);
    if (is_complex_) {
      entries.add(r, c, re, im);
    } else {
      entries.add(r, c, re);
    }
    if (r == c) return;
    if (symmetry_ == Symmetry::skew_symmetric) {
      if (is_complex_) {
        entries.add(c, r, -re, -im);
      } else {
        entries.add(c, r, -re);
      }
    } else if (symmetry_ == Symmetry::hermitian) {
      entries.add(c, r, re, -im);
    }
  }

  void read_coordinates() {
    MatrixEntries entries(is_complex_);
    entries.reserve(static_cast<std::size_t>(entries_));
    const bool has_value = field_ != Field::pattern;
    std::int64_t count = 0;
    while (next_line()) {
      std::string_view line = lines_.line();
      std::int64_t row = 0;
      std::int64_t col = 1;
      double re = 1.0;
      double im = 0.0;
      if (!take_integer(line, row) || (!is_vector_ && !take_integer(line, col)) ||
          (has_value && !take_real(line, re)) || (is_complex_ && !take_real(line, im)) ||
          !trimmed(line).empty())
        fail("entry",
             fmt::format("'{}' is not an entry of this matrix", lines_.line().substr(0, 60)));
      if (row < 1 || row > matrix_.rows || col < 1 || col > matrix_.cols) {
        fail(
            "entry",
            fmt::format("entry ({}, {}) is outside {} x {}", row, col, matrix_.rows, matrix_.cols));
      }
      if (++count > entries_)
        fail("entries",
             fmt::format("there are more entries than the {} of the size line", entries_));
      add(entries, row - 1, col - 1, re, im);
      if (count % kLinesPerReport == 0) report_position(file_, lines_, progress_);
    }
    if (count < entries_) fail("truncated", fmt::format("found {} of {} entries", count, entries_));
    entries.finish(matrix_);
  }

  void read_array() {
    const std::int64_t n = matrix_.rows;
    std::int64_t expected = n * matrix_.cols;
    if (symmetry_ == Symmetry::symmetric || symmetry_ == Symmetry::hermitian)
      expected = n * (n + 1) / 2;
    if (symmetry_ == Symmetry::skew_symmetric) expected = n * (n - 1) / 2;
    const std::int64_t parts = is_complex_ ? 2 : 1;
    const auto max_values = static_cast<std::int64_t>(lines_.remaining());
    if (expected > max_values || expected * parts > max_values) {
      fail("truncated",
           fmt::format("the size line claims {} values, but only {} bytes follow",
                       expected,
                       lines_.remaining()));
    }
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(expected * parts));
    while (next_line()) {
      std::string_view line = lines_.line();
      double value = 0.0;
      while (take_real(line, value))
        values.push_back(value);
      if (!trimmed(line).empty())
        fail("entry", fmt::format("'{}' is not a number", lines_.line().substr(0, 60)));
      if (static_cast<std::int64_t>(values.size()) > expected * parts)
        fail("entries",
             fmt::format("there are more values than the {} of the size line", expected));
      if (lines_.number() % kLinesPerReport == 0) report_position(file_, lines_, progress_);
    }
    if (static_cast<std::int64_t>(values.size()) != expected * parts)
      fail("truncated", fmt::format("found {} of {} numbers", values.size(), expected * parts));
    if (symmetry_ == Symmetry::general) {
      matrix_.is_dense = true;
      matrix_.is_complex = is_complex_;
      matrix_.values = std::move(values);
      return;
    }
    MatrixEntries entries(is_complex_);
    std::size_t at = 0;
    for (std::int64_t col = 0; col < n; ++col) {
      for (std::int64_t row = symmetry_ == Symmetry::skew_symmetric ? col + 1 : col; row < n;
           ++row) {
        add(entries, row, col, values[at], is_complex_ ? values[at + 1] : 0.0);
        at += static_cast<std::size_t>(parts);
      }
    }
    entries.finish(matrix_);
  }

  /// The values as node ids, in the order of the rows of another matrix: the mapping vector that
  /// ANSYS exports with a matrix. Empty unless all values are different positive integers.
  std::vector<std::int64_t> node_order() const {
    constexpr double kMaxId = 1e15;  // doubles represent integers up to 2^53 exactly
    std::vector<std::int64_t> ids;
    for (const double value : matrix_.values) {
      if (value < 1.0 || value > kMaxId || value != std::floor(value)) return {};
      ids.push_back(static_cast<std::int64_t>(value));
    }
    std::vector<std::int64_t> sorted = ids;
    std::sort(sorted.begin(), sorted.end());
    return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()
               ? ids
               : std::vector<std::int64_t>();
  }

  InputFile& file_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  Lines lines_;
  RawMatrix matrix_;
  OneTriangle triangle_;
  bool is_vector_ = false, is_array_ = false, is_complex_ = false;
  Field field_ = Field::real;
  Symmetry symmetry_ = Symmetry::general;
  std::string creator_;
  std::int64_t entries_ = 0;
};

}  // namespace

bool is_matrix_market(const FileHead& head) {
  // any banner is accepted here, so that a bad one is reported by the reader with the reason
  return head.bytes.starts_with("%%");
}

FileContents read_matrix_market(const std::filesystem::path& path,
                                const ReadOptions& /*options*/,
                                Diagnostics& diagnostics,
                                Progress& progress) {
  InputFile file(path);
  return MatrixMarketReader(file, diagnostics, progress).read();
}

}  // namespace femflex::importer
