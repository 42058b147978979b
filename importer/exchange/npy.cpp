#include "exchange/npy.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "bytes/fortran_records.h"
#include "bytes/input_file.h"

namespace femflex::importer {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct Header {
  char kind = 'f';  ///< f real, c complex, i integer
  bool is_swapped = false;
  std::size_t part = 8;  ///< bytes of a real number
  bool is_fortran = false;
  std::int64_t rows = 1;
  std::int64_t cols = 1;
  std::size_t data = 0;  ///< where the numbers start

  std::size_t item() const { return kind == 'c' ? 2 * part : part; }
};

class HeaderReader {
 public:
  HeaderReader(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  Header read() {
    Header header;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes_[i]); };
    if (bytes_.size() < 12) fail("header", "the file ends inside the header", bytes_.size());
    const bool is_long = byte(6) >= 2;
    std::size_t length = byte(8) + std::size_t{256} * byte(9);
    if (is_long) length += (std::size_t{byte(10)} << 16U) + (std::size_t{byte(11)} << 24U);
    const std::size_t start = is_long ? 12 : 10;
    if (length > bytes_.size() - start)
      fail("header", fmt::format("a header of {} bytes exceeds the file", length), 8);
    text_ = bytes_.substr(start, length);
    header.data = start + length;
    read_type(header);
    header.is_fortran = value_of("fortran_order").starts_with("True");
    read_shape(header);
    return header;
  }

  [[noreturn]] void fail(const char* code, std::string message, std::size_t byte) const {
    throw ParseError(code,
                     std::move(message),
                     {file_, -1, -1, static_cast<std::int64_t>(byte)},
                     "write it with numpy.save() from a matrix of numbers");
  }

 private:
  /// What stands behind 'key': in the dictionary.
  std::string_view value_of(std::string_view key) const {
    const std::size_t at = text_.find(fmt::format("'{}':", key));
    if (at == std::string_view::npos)
      fail("header", fmt::format("the header has no '{}'", key), 10);
    std::string_view rest = text_.substr(at + key.size() + 3);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return rest;
  }

  void read_type(Header& header) const {
    const std::string_view value = value_of("descr");
    const std::string_view type = value.substr(0, value.find(','));  // '<f8'
    const std::string name(type);
    const bool is_plain = type.size() >= 5 && type.front() == '\'' && type.back() == '\'';
    const std::string_view size = is_plain ? type.substr(3, type.size() - 4) : "";
    header.kind = is_plain ? type[2] : '?';
    header.is_swapped = is_plain && type[1] == '>';
    const bool is_complex = header.kind == 'c' && (size == "8" || size == "16");
    const bool is_real = (header.kind == 'f' || header.kind == 'i') && (size == "4" || size == "8");
    if (!is_complex && !is_real)
      fail("type", fmt::format("numbers of type {}, expected 4 or 8 bytes a part", name), 10);
    header.part = size == "4" || (is_complex && size == "8") ? 4 : 8;
  }

  void read_shape(Header& header) const {
    const std::string_view value = value_of("shape");
    std::string_view list = value.substr(0, value.find(')'));
    std::vector<std::int64_t> shape;
    while (!list.empty()) {
      if (list.front() < '0' || list.front() > '9') {
        list.remove_prefix(1);
        continue;
      }
      std::int64_t extent = 0;
      const auto [stop, fault] = std::from_chars(list.data(), list.data() + list.size(), extent);
      if (fault != std::errc()) fail("shape", "an extent beyond all numbers", 10);
      shape.push_back(extent);
      list.remove_prefix(static_cast<std::size_t>(stop - list.data()));
    }
    if (shape.empty() || shape.size() > 2)
      fail("shape", fmt::format("{} dimensions, expected 1 or 2", shape.size()), 10);
    header.rows = shape[0];
    header.cols = shape.size() == 2 ? shape[1] : 1;
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    const auto rows = static_cast<std::size_t>(header.rows);
    const auto cols = static_cast<std::size_t>(header.cols);
    const std::size_t numbers = (bytes_.size() - header.data) / header.item();
    if (header.rows > kMost || header.cols > kMost || rows == 0 || cols != numbers / rows ||
        rows * cols * header.item() != bytes_.size() - header.data)
      fail("size",
           fmt::format("{} x {} numbers of {} bytes where {} bytes follow",
                       rows,
                       cols,
                       header.item(),
                       bytes_.size() - header.data),
           header.data);
  }

  std::string_view bytes_;
  std::string file_;
  std::string_view text_;
};

double number_at(const char* p, const Header& header) {
  if (header.kind == 'i')
    return header.part == 4 ? static_cast<double>(load<std::int32_t>(p, header.is_swapped))
                            : static_cast<double>(load<std::int64_t>(p, header.is_swapped));
  return header.part == 4 ? static_cast<double>(load<float>(p, header.is_swapped))
                          : load<double>(p, header.is_swapped);
}

}  // namespace

bool is_npy(const FileHead& head) {
  return head.bytes.starts_with(kMagic);
}

FileContents read_npy(const std::filesystem::path& path,
                      const ReadOptions& /*options*/,
                      Diagnostics& /*diagnostics*/,
                      Progress& progress) {
  const InputFile file(path);
  const std::string_view bytes = file.bytes();
  HeaderReader reader(bytes, file.name());
  const Header header = reader.read();
  RawMatrix matrix;
  matrix.name = path.stem().string();
  matrix.rows = header.rows;
  matrix.cols = header.cols;
  matrix.form = header.rows == header.cols ? "square" : "rectangular";
  matrix.layout = "dense";
  matrix.is_dense = true;
  matrix.is_complex = header.kind == 'c';
  matrix.is_single = header.kind != 'i' && header.part == 4;
  const auto rows = static_cast<std::size_t>(header.rows);
  const auto cols = static_cast<std::size_t>(header.cols);
  const std::size_t parts = matrix.is_complex ? 2 : 1;
  matrix.values.reserve(rows * cols * parts);
  for (std::size_t col = 0; col < cols; ++col) {
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t place = header.is_fortran ? col * rows + row : row * cols + col;
      for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t at = header.data + place * header.item() + part * header.part;
        const double value = number_at(bytes.data() + at, header);
        if (!std::isfinite(value)) reader.fail("not-finite", "a number that is not finite", at);
        matrix.values.push_back(value);
      }
    }
    progress.step(static_cast<double>(col));
  }
  FileContents contents;
  contents.encoding = "binary";
  contents.endian = header.is_swapped ? "big" : "little";
  contents.program = "numpy";
  contents.matrices.push_back(std::move(matrix));
  return contents;
}

}  // namespace femflex::importer
