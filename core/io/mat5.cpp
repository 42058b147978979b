// Walks the data elements of a MATLAB level 5 file, unpacks compressed ones, and keeps full real
// arrays of two dimensions and sparse real matrices.
#include "femflex/io/mat5.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

#include "femflex/errors.h"

namespace femflex::io {
namespace {

constexpr std::size_t kHeader = 128;  // bytes of the file's header
constexpr std::uint32_t kMatrix = 14, kCompressed = 15;
constexpr std::uint32_t kInt8 = 1, kUint8 = 2, kInt16 = 3, kUint16 = 4, kInt32 = 5, kUint32 = 6,
                        kSingle = 7, kDouble = 9, kInt64 = 12, kUint64 = 13;
constexpr std::uint32_t kComplexFlag = 0x0800U;
constexpr std::uint32_t kSparseClass = 5;
constexpr std::uint32_t kOpaqueClass = 17;                     // string, table, datetime
constexpr std::uint32_t kFirstNumeric = 6, kLastNumeric = 15;  // array classes double to uint64
// [bytes] a larger unpacked variable indicates a damaged or malicious file
constexpr std::size_t kMaxUnpacked = std::size_t{1} << 33U;

struct Element {
  std::uint32_t type = 0;
  std::string_view data;
};

/// The elements of a part of the file, one after the other.
class Elements {
 public:
  Elements(std::string_view bytes, bool is_swapped, const std::string& file)
      : bytes_(bytes), is_swapped_(is_swapped), file_(file) {}

  bool is_swapped() const { return is_swapped_; }
  bool at_end() const { return at_ >= bytes_.size(); }

  Element next() {
    const std::uint32_t first = word(at_);
    Element out;
    std::size_t data = at_ + 8, size = 0, step = 0;
    if (const std::uint32_t small = first >> 16U; small != 0) {  // up to 4 bytes of data are stored
                                                                 // within the tag
      out.type = first & 0xFFFFU;
      size = small;
      data = at_ + 4;
      step = 8;
      if (small > 4) fail("a small element of more than 4 bytes");
    } else {
      out.type = first;
      size = word(at_ + 4);
      // compressed elements are not padded
      step = 8 + (out.type == kCompressed ? size : (size + 7) / 8 * 8);
    }
    if (data > bytes_.size() || size > bytes_.size() - data) fail("an element ends after the file");
    out.data = bytes_.substr(data, size);
    at_ = std::min(at_ + step, bytes_.size());
    return out;
  }

  std::uint32_t word(std::size_t at) const {
    if (at + 4 > bytes_.size()) fail("a tag ends after the file");
    return static_cast<std::uint32_t>(bits(bytes_.data() + at, 4));
  }

  std::uint64_t bits(const char* from, std::size_t width) const {
    std::uint64_t out = 0;
    for (std::size_t k = 0; k < width; ++k) {
      const std::size_t index = is_swapped_ ? k : width - 1 - k;
      out = (out << 8U) | static_cast<unsigned char>(from[index]);
    }
    return out;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw ParseError("mat", what, {file_, -1, -1, static_cast<std::int64_t>(at_)});
  }

 private:
  std::string_view bytes_;
  bool is_swapped_;
  const std::string& file_;
  std::size_t at_ = 0;
};

std::size_t width_of(std::uint32_t type) {
  switch (type) {
    case kInt8:
    case kUint8:
      return 1;
    case kInt16:
    case kUint16:
      return 2;
    case kInt32:
    case kUint32:
    case kSingle:
      return 4;
    case kDouble:
    case kInt64:
    case kUint64:
      return 8;
    default:
      return 0;
  }
}

double number_of(std::uint32_t type, std::uint64_t bits) {
  switch (type) {
    case kInt8:
      return static_cast<std::int8_t>(bits);
    case kInt16:
      return static_cast<std::int16_t>(bits);
    case kInt32:
      return static_cast<std::int32_t>(bits);
    case kSingle:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case kDouble:
      return std::bit_cast<double>(bits);
    case kInt64:
      return static_cast<double>(static_cast<std::int64_t>(bits));
    default:
      return static_cast<double>(bits);
  }
}

std::string mat_unpacked(std::string_view packed, const Elements& where) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) where.fail("a compressed variable cannot be unpacked");
  std::string out;
  std::string chunk(1U << 18U, '\0');
  stream.next_in =
      reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // NOLINT: zlib's API
  stream.avail_in = static_cast<uInt>(packed.size());
  int status = Z_OK;
  while (status == Z_OK && out.size() <= kMaxUnpacked) {
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());  // NOLINT: zlib's API
    stream.avail_out = static_cast<uInt>(chunk.size());
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(chunk.data(), chunk.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) where.fail("a compressed variable is damaged or ends early");
  return out;
}

/// All numbers of an element.
/// @throws ParseError  its type is not one of numbers
std::vector<double> numbers_of(const Element& element, const Elements& parts) {
  const std::size_t width = width_of(element.type);
  if (width == 0) parts.fail("a variable has numbers of no known type");
  const std::size_t count = element.data.size() / width;
  std::vector<double> out(count);
  if (element.type == kDouble && !parts.is_swapped()) {
    if (count > 0) std::memcpy(out.data(), element.data.data(), count * sizeof(double));
    return out;
  }
  for (std::size_t k = 0; k < count; ++k)
    out[k] = number_of(element.type, parts.bits(element.data.data() + k * width, width));
  return out;
}

/// Reads rows, starts and values of a sparse matrix whose name and sizes are known.
void read_sparse(Elements& parts, MatSparse matrix, MatFile& out) {
  const Element row = parts.next();
  const Element start = parts.next();
  const auto damaged = [&](const char* what) {
    parts.fail(fmt::format("sparse variable {}: {}", matrix.name, what));
  };
  constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max();
  if (row.type != kInt32 || start.type != kInt32) damaged("its indices are not whole numbers");
  if (matrix.rows > kMost || matrix.columns > kMost) damaged("its sizes are beyond 2^31");
  if (start.data.size() / 4 != matrix.columns + 1) damaged("there is not one start per column");
  const std::size_t room = row.data.size() / 4;
  for (std::size_t k = 0; k <= matrix.columns; ++k) {
    const auto at = static_cast<std::int64_t>(parts.bits(start.data.data() + 4 * k, 4));
    const std::int64_t least = k == 0 ? 0 : matrix.start.back();
    if (at < least || at > static_cast<std::int64_t>(room) || (k == 0 && at != 0))
      damaged("the starts of its columns do not ascend from 0 to the number of entries");
    matrix.start.push_back(at);
  }
  const auto count = static_cast<std::size_t>(matrix.start.back());
  matrix.row.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint64_t index = parts.bits(row.data.data() + 4 * k, 4);
    if (index >= matrix.rows) damaged("an entry is outside");
    matrix.row.push_back(static_cast<std::int32_t>(index));
  }
  matrix.values = numbers_of(parts.next(), parts);
  if (matrix.values.size() < count) damaged("there are fewer values than entries");
  matrix.values.resize(count);
  out.sparse.push_back(std::move(matrix));
}

std::string name_in(const Element& element) {
  return std::string(element.data.substr(0, element.data.find('\0')));
}

void read_matrix(std::string_view data, bool is_swapped, const std::string& file, MatFile& out) {
  if (data.empty()) return;  // an empty array
  Elements parts(data, is_swapped, file);
  const Element flags = parts.next();
  if (flags.data.size() < 8) parts.fail("a variable without flags");
  const auto word = static_cast<std::uint32_t>(parts.bits(flags.data.data(), 4));
  const std::uint32_t kind = word & 0xFFU;
  MatArray array;
  const Element extents = parts.next();
  if (kind == kOpaqueClass) {  // its name stands in the place of the sizes
    out.others.push_back(name_in(extents));
    return;
  }
  std::vector<std::uint64_t> sizes;
  for (std::size_t k = 0; k + 4 <= extents.data.size(); k += 4)
    sizes.push_back(parts.bits(extents.data.data() + k, 4));
  array.name = name_in(parts.next());
  if (array.name.empty()) return;  // what opaque variables hold
  const bool is_real_array = kind >= kFirstNumeric && kind <= kLastNumeric &&
                             (word & kComplexFlag) == 0 && sizes.size() == 2 &&
                             extents.type == kInt32;
  const bool is_sparse = kind == kSparseClass && (word & kComplexFlag) == 0 && sizes.size() == 2 &&
                         extents.type == kInt32;
  if (is_sparse) {
    MatSparse matrix;
    matrix.name = array.name;
    matrix.rows = sizes[0];
    matrix.columns = sizes[1];
    read_sparse(parts, std::move(matrix), out);
    return;
  }
  if (!is_real_array) {
    out.others.push_back(array.name);
    return;
  }
  array.values = numbers_of(parts.next(), parts);
  const std::size_t count = array.values.size();
  const bool is_empty = sizes[0] == 0 || sizes[1] == 0;
  // if both sizes are at most `count`, their product does not overflow
  const bool fits = is_empty
                        ? count == 0
                        : sizes[0] <= count && sizes[1] <= count && sizes[0] * sizes[1] == count;
  if (!fits)
    parts.fail(fmt::format(
        "variable {} is {} x {} and has {} numbers", array.name, sizes[0], sizes[1], count));
  array.rows = sizes[0];
  array.columns = sizes[1];
  out.arrays.push_back(std::move(array));
}

}  // namespace

bool is_mat5(std::string_view bytes) {
  // version 1 and the mark "MI", both as 16-bit numbers in the byte order of the file; the mark
  // alone also stands in texts, as in TIME
  using namespace std::string_view_literals;
  constexpr std::size_t kVersion = 124;
  if (bytes.size() < kHeader) return false;
  const std::string_view end = bytes.substr(kVersion, kHeader - kVersion);
  return end == "\0\1IM"sv || end == "\1\0MI"sv;
}

MatFile read_mat5(std::string_view bytes, const std::string& file) {
  if (!is_mat5(bytes))
    throw ParseError(
        "mat", "is not a MATLAB file of level 5 or 7.3", {file}, "save it with -v6, -v7 or -v7.3");
  const bool is_swapped = bytes.substr(126, 2) == "MI";
  MatFile out;
  Elements elements(bytes.substr(kHeader), is_swapped, file);
  while (!elements.at_end()) {
    const Element element = elements.next();
    if (element.type == kMatrix) {
      read_matrix(element.data, is_swapped, file, out);
    } else if (element.type == kCompressed) {
      const std::string unpacked = mat_unpacked(element.data, elements);
      Elements inner(unpacked, is_swapped, file);
      while (!inner.at_end()) {
        const Element each = inner.next();
        if (each.type == kMatrix) read_matrix(each.data, is_swapped, file, out);
      }
    }
  }
  return out;
}

}  // namespace femflex::io
