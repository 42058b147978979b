// Reads and writes the headers of NPY arrays (numpy), and converts their items to double or to
// text. A header is a Python dictionary, which is searched for its three keys.
#include "femflex/io/npy.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include "femflex/byte_order.h"
#include "femflex/utf.h"

namespace femflex::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kPreamble1 = 10;  // version 1: magic, version, two bytes of length
constexpr std::size_t kPreamble2 = 12;  // versions 2 and 3: four bytes of length
constexpr std::size_t kAlignment = 64;  // ARRAY_ALIGN of numpy/lib/format.py

/// The header text, a Python literal, and its position in the file.
class HeaderText {
 public:
  HeaderText(std::string_view text, std::size_t start, const NpyFault& report)
      : text_(text), start_(start), report_(report) {}

  /// The text that follows `'key':` in the dictionary.
  std::string_view value_of(std::string_view key) const {
    const std::string name = fmt::format("'{}'", key);
    const std::size_t at = text_.find(name);
    std::string_view rest = at == std::string_view::npos ? "" : text_.substr(at + name.size());
    const std::size_t colon = std::min(rest.find_first_not_of(' '), rest.size());
    if (!rest.substr(colon).starts_with(':'))
      report_("header", fmt::format("the header has no '{}'", key), start_);
    rest.remove_prefix(colon + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return rest;
  }

  /// Reads the type of the items, such as '<f8': byte order, kind, width.
  void read_type(NpyHeader& header) const {
    const std::string_view value = value_of("descr");
    const std::size_t quote =
        value.starts_with('\'') ? value.find('\'', 1) : std::string_view::npos;
    if (quote == std::string_view::npos) {  // fields of a structure
      header.type = value.substr(0, value.find(','));
      return;
    }
    header.type = value.substr(1, quote - 1);
    if (header.type.size() < 2) return;
    header.is_swapped = header.type[0] == '>';
    const char* const end = header.type.data() + header.type.size();
    const auto [stop, error] = std::from_chars(header.type.data() + 2, end, header.width);
    const bool has_width = error == std::errc() && stop == end;
    if (has_width || header.type.size() == 2) header.kind = header.type[1];
  }

  void read_extents(NpyHeader& header) const {
    const std::string_view value = value_of("shape");
    const std::size_t close = value.find(')');
    if (!value.starts_with('(') || close == std::string_view::npos)
      report_("shape", "the shape is not a list of numbers", start_);
    const char* p = value.data() + 1;
    const char* const end = value.data() + close;
    while (true) {
      while (p != end && (*p == ' ' || *p == ',' || *p == 'L'))  // L: long integers of Python 2
        ++p;
      if (p == end) return;
      std::int64_t extent = 0;
      const auto [stop, error] = std::from_chars(p, end, extent);
      if (error == std::errc::result_out_of_range)
        report_("shape", "a dimension overflows 64 bits", start_);
      if (error != std::errc() || extent < 0)
        report_("shape", "the shape is not a list of numbers", start_);
      header.extents.push_back(extent);
      p = stop;
    }
  }

 private:
  std::string_view text_;
  std::size_t start_;
  const NpyFault& report_;
};

}  // namespace

bool is_npy(std::string_view head) {
  return head.starts_with(kMagic);
}

NpyHeader read_npy_header(std::string_view bytes, const NpyFault& report) {
  if (!is_npy(bytes)) report("header", "is not an NPY array", 0);
  if (bytes.size() < kPreamble2) report("header", "the file ends inside the header", bytes.size());
  const auto byte = [&](std::size_t k) {
    return std::size_t{static_cast<unsigned char>(bytes[k])};
  };
  const std::size_t major = byte(6);
  if (major < 1 || major > 3)
    report("header", fmt::format("has NPY version {}, expected 1 to 3", major), 6);
  const std::size_t start = major == 1 ? kPreamble1 : kPreamble2;
  std::size_t length = byte(8) + (byte(9) << 8U);
  if (major > 1) length += (byte(10) << 16U) + (byte(11) << 24U);
  if (length > bytes.size() - start)
    report("header", fmt::format("the header claims {} bytes, more than the file has", length), 8);
  const HeaderText text(bytes.substr(start, length), start, report);
  NpyHeader header;
  header.text_start = start;
  header.size = start + length;
  text.read_type(header);
  header.is_fortran_order = text.value_of("fortran_order").starts_with("True");
  text.read_extents(header);
  return header;
}

bool has_npy_numbers(const NpyHeader& header) {
  const std::size_t part = header.part_width();
  const bool has_4_or_8_bytes = part == 4 || part == 8;
  if (header.kind == 'c' && header.width % 2 != 0) return false;
  if (header.kind == 'f' || header.kind == 'c') return has_4_or_8_bytes;
  if (header.kind == 'i' || header.kind == 'u') return has_4_or_8_bytes || part == 1;
  return header.kind == 'b' && part == 1;
}

double npy_real(const char* p, const NpyHeader& header) {
  const auto number = [&]<class T>() { return static_cast<double>(load<T>(p, header.is_swapped)); };
  const std::size_t part = header.part_width();
  if (header.kind == 'f' || header.kind == 'c')
    return part == 4 ? number.operator()<float>() : number.operator()<double>();
  if (header.kind == 'i' && part == 1) return number.operator()<std::int8_t>();
  if (part == 1) return number.operator()<std::uint8_t>();
  if (header.kind == 'i')
    return part == 4 ? number.operator()<std::int32_t>() : number.operator()<std::int64_t>();
  return part == 4 ? number.operator()<std::uint32_t>() : number.operator()<std::uint64_t>();
}

std::string npy_text(std::string_view items, const NpyHeader& header, const NpyFault& report) {
  const std::size_t step = header.kind == 'U' ? sizeof(char32_t) : 1;
  if ((header.kind != 'U' && header.kind != 'S') || items.size() / step < header.width)
    report("type", fmt::format("items of type '{}' are not a text", header.type), header.size);
  std::string bytes(items.substr(0, step * header.width));
  if (header.kind == 'U') {
    std::u32string points(header.width, U'\0');
    for (std::size_t k = 0; k < header.width; ++k)
      points[k] = load<std::uint32_t>(items.data() + step * k, header.is_swapped);
    bytes = utf8_of(points);
    if (code_points(bytes) != points)
      report("type", "a text has numbers that are not characters of Unicode", header.size);
  } else if (utf8_of(code_points(bytes)) != bytes) {
    report("type", "a text of bytes is not UTF-8", header.size);
  }
  bytes.resize(bytes.find_last_not_of('\0') + 1);
  return bytes;
}

std::string npy_header(std::string_view type,
                       bool is_fortran_order,
                       const std::vector<std::int64_t>& extents) {
  std::string shape = fmt::format("{}", fmt::join(extents, ", "));
  if (extents.size() == 1) shape += ',';
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}",
                                 type,
                                 is_fortran_order ? "True" : "False",
                                 shape);
  const std::size_t unpadded = kPreamble1 + text.size() + 1;
  text.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  text.push_back('\n');
  std::string out(kMagic);
  out += std::string_view("\x01\x00", 2);
  out.push_back(static_cast<char>(text.size() & 0xffU));
  out.push_back(static_cast<char>(text.size() >> 8U));
  return out + text;
}

std::string npy_of_texts(const std::vector<std::string>& texts,
                         const std::vector<std::int64_t>& extents) {
  std::size_t width = 1;  // numpy has no text of width 0: an empty one is one NUL
  std::vector<std::u32string> points;
  for (const std::string& text : texts) {
    points.push_back(code_points(text));
    width = std::max(width, points.back().size());
  }
  std::string out = npy_header(fmt::format("<U{}", width), false, extents);
  constexpr unsigned kBits = 8;
  for (const std::u32string& text : points)
    for (std::size_t k = 0; k < width; ++k)
      for (unsigned byte = 0; byte < sizeof(char32_t); ++byte)
        out += static_cast<char>((k < text.size() ? text[k] : U'\0') >> (kBits * byte) & 0xffU);
  return out;
}

}  // namespace femflex::io
