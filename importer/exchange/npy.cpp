// Reads NPY arrays (numpy.save) into dense matrices, after a check that the numbers that the header
// announces fill the rest of the file.
#include "exchange/npy.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/npy.h"

#include "bytes/input_file.h"
#include "raw_matrix.h"

namespace femflex::importer {
namespace {

/// An array of one or two dimensions. Its extents are checked against the bytes in the file.
class ArrayFile {
 public:
  ArrayFile(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {
    header_ = io::read_npy_header(
        bytes_, [this](const char* code, const std::string& what, std::size_t byte) {
          fail(code, what, byte);
        });
    check_type();
    check_extents();
  }

  const io::NpyHeader& header() const { return header_; }
  std::int64_t rows() const { return header_.extents[0]; }
  std::int64_t cols() const { return header_.extents.size() == 2 ? header_.extents[1] : 1; }

  /// Appends the item at (row, col) to `values`; a complex item gives two numbers.
  void append(std::int64_t row, std::int64_t col, std::vector<double>& values) const {
    const std::int64_t index = header_.is_fortran_order ? col * rows() + row : row * cols() + col;
    const std::size_t first = header_.size + static_cast<std::size_t>(index) * header_.width;
    for (std::size_t byte = first; byte < first + header_.width; byte += header_.part_width()) {
      const double value = io::npy_real(bytes_.data() + byte, header_);
      if (!std::isfinite(value)) fail("not-finite", "a number is not finite", byte);
      values.push_back(value);
    }
  }

 private:
  [[noreturn]] void fail(const char* code, std::string message, std::size_t byte) const {
    throw ParseError(code,
                     std::move(message),
                     {file_, -1, -1, static_cast<std::int64_t>(byte)},
                     "write it with numpy.save() from a matrix of numbers");
  }

  void check_type() const {
    if (header_.kind == 'b' || !io::has_npy_numbers(header_))
      fail("type",
           fmt::format("items have the type '{}', expected integers of 1, 4 or 8 bytes, real "
                       "numbers of 4 or 8, or complex ones of 8 or 16",
                       header_.type),
           header_.text_start);
  }

  void check_extents() const {
    const std::size_t dimensions = header_.extents.size();
    if (dimensions == 0 || dimensions > 2)
      fail("shape",
           fmt::format("the array has {} dimensions, expected 1 or 2", dimensions),
           header_.text_start);
    constexpr std::int64_t kMaxIndex = std::numeric_limits<std::int32_t>::max();
    const auto row_count = static_cast<std::size_t>(rows());
    const auto col_count = static_cast<std::size_t>(cols());
    const std::size_t remaining = bytes_.size() - header_.size;
    const std::size_t item_count = remaining / header_.width;
    if (row_count == 0 || col_count == 0) fail("size", "the array is empty", header_.size);
    // item_count / row_count is compared first, because row_count * col_count may overflow
    if (col_count != item_count / row_count || row_count * col_count * header_.width != remaining)
      fail("size",
           fmt::format("the header claims {} x {} numbers of {} bytes, but {} bytes follow",
                       rows(),
                       cols(),
                       header_.width,
                       remaining),
           header_.size);
    if (rows() > kMaxIndex || cols() > kMaxIndex)
      fail("too-large",
           fmt::format("the header claims {} x {} numbers, but a matrix has at most {} rows and "
                       "columns",
                       rows(),
                       cols(),
                       kMaxIndex),
           header_.text_start);
  }

  std::string_view bytes_;
  std::string file_;
  io::NpyHeader header_;
};

}  // namespace

bool is_npy(const FileHead& head) {
  return io::is_npy(head.bytes);
}

RawMatrix npy_matrix(std::string_view bytes,
                     const std::string& file,
                     const std::string& name,
                     Progress& progress) {
  const ArrayFile array(bytes, file);
  const io::NpyHeader& header = array.header();
  RawMatrix matrix;
  matrix.name = name;
  matrix.rows = array.rows();
  matrix.cols = array.cols();
  matrix.form = form_of_size(matrix);
  matrix.layout = RawMatrix::Layout::dense;
  matrix.is_dense = true;
  matrix.is_complex = header.kind == 'c';
  const bool is_integer = header.kind == 'i' || header.kind == 'u';
  matrix.is_single = !is_integer && header.part_width() == 4;
  const std::int64_t parts = matrix.is_complex ? 2 : 1;
  matrix.values.reserve(static_cast<std::size_t>(matrix.rows * matrix.cols * parts));
  for (std::int64_t col = 0; col < matrix.cols; ++col) {
    for (std::int64_t row = 0; row < matrix.rows; ++row)
      array.append(row, col, matrix.values);
    progress.step(static_cast<double>(col));
  }
  return matrix;
}

FileContents read_npy(const std::filesystem::path& path,
                      const ReadOptions& /*options*/,
                      Diagnostics& /*diagnostics*/,
                      Progress& progress) {
  const InputFile file(path);
  FileContents contents;
  contents.encoding = "binary";
  contents.program = "numpy";
  contents.matrices.push_back(
      npy_matrix(file.bytes(), file.name(), path.stem().string(), progress));
  const bool is_swapped = io::read_npy_header(file.bytes(), [](auto...) {}).is_swapped;
  contents.endian = is_swapped ? "big" : "little";
  return contents;
}

}  // namespace femflex::importer
