// Decodes the records of .crg road data.
// Text: every row starts on a new line. A line has eight fields of 10 characters (real) or four of
//       20 (double). A field that starts with * has no value.
// Binary: numbers without gaps between rows. NaN fills the rest of the last record, which has 80
//       bytes.
#include "crg/records.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "femflex/byte_order.h"
#include "femflex/errors.h"
#include "femflex/lines.h"
#include "femflex/number.h"
#include "femflex/text.h"

namespace femflex::roads::crg {
namespace {

constexpr std::size_t kRecord = 80;  // bytes
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] void fail_binary(const DataPlace& place,
                              std::size_t byte,
                              const std::string& message) {
  Where where;
  where.file = place.file;
  where.byte = static_cast<std::int64_t>(byte);
  throw ParseError("truncated", message, where, "write the file again");
}

std::vector<double> binary_rows(std::string_view bytes,
                                const DataPlace& place,
                                bool is_double,
                                std::size_t channels) {
  constexpr bool kSwap = std::endian::native == std::endian::little;
  const std::string_view data = bytes.substr(place.offset);
  if (data.size() % kRecord != 0)
    fail_binary(
        place,
        bytes.size(),
        fmt::format(
            "the road data end {} bytes into a record of {}", data.size() % kRecord, kRecord));
  const std::size_t size = is_double ? sizeof(double) : sizeof(float);
  std::vector<double> values;
  values.reserve(data.size() / size);
  for (std::size_t at = 0; at < data.size(); at += size)
    values.push_back(is_double ? load<double>(data.data() + at, kSwap)
                               : static_cast<double>(load<float>(data.data() + at, kSwap)));
  const std::size_t rows = values.size() / channels;
  for (std::size_t k = rows * channels; k < values.size(); ++k)
    if (!std::isnan(values[k]))
      fail_binary(place, bytes.size(), fmt::format("the road data end inside of row {}", rows + 1));
  values.resize(rows * channels);
  const auto is_nan = [](double value) { return std::isnan(value); };
  const auto width = static_cast<std::ptrdiff_t>(channels);
  while (!values.empty() && std::all_of(values.end() - width, values.end(), is_nan))
    values.resize(values.size() - channels);
  return values;
}

/// One line of text, whose fields are appended to the values of all rows.
class TextLine {
 public:
  TextLine(const Lines& lines, const DataPlace& place, std::size_t width)
      : text_(lines.line()), is_last_(lines.at_end()), width_(width) {
    where_.file = place.file;
    where_.line = place.line + lines.number() - 1;
  }

  /// @param has_line_end  a line end follows the last line of the file
  void read(std::size_t fields, bool has_line_end, std::vector<double>& row) const {
    for (std::size_t k = 0; k < fields; ++k) {
      const std::string_view field = trimmed(
          k * width_ < text_.size() ? text_.substr(k * width_, width_) : std::string_view());
      const bool is_cut = is_last_ && !has_line_end && (k + 1) * width_ > text_.size();
      if (field.empty() || is_cut)
        throw ParseError(
            "truncated",
            fmt::format("field {} of {} is missing or cut short", k + 1, fields),
            where_,
            fmt::format("fields have {} characters; the last line needs an end", width_));
      row.push_back(number(field, k));
    }
    const std::size_t used = fields * width_;
    if (used < text_.size() && !trimmed(text_.substr(used)).empty())
      throw ParseError(
          "crg-field",
          fmt::format("the line has more than its {} fields of {} characters", fields, width_),
          where_);
  }

 private:
  double number(std::string_view field, std::size_t k) const {
    if (field.starts_with('*')) return kNoValue;
    const auto value = parse_real(field);
    if (!value)
      throw ParseError(
          "crg-field", fmt::format("field {}: '{}' is not a number", k + 1, field), where_);
    return *value;
  }

  std::string_view text_;
  bool is_last_;
  std::size_t width_;
  Where where_;
};

std::vector<double> text_rows(std::string_view bytes,
                              const DataPlace& place,
                              bool is_double,
                              std::size_t channels) {
  const std::size_t width = is_double ? 20 : 10;
  const std::size_t per_line = kRecord / width;
  const std::string_view data = bytes.substr(place.offset);
  const std::string_view kept = trimmed_right(data, is_white_space);
  const bool has_line_end = data.find_first_of("\r\n", kept.size()) != std::string_view::npos;
  Lines lines(has_line_end ? kept : data);
  std::vector<double> values;
  while (!lines.at_end()) {
    for (std::size_t done = 0; done < channels; done += per_line) {
      if (!lines.next()) {
        Where where;
        where.file = place.file;
        where.line = place.line + lines.number() - 1;
        throw ParseError(
            "truncated",
            fmt::format("the road data end inside of row {}", values.size() / channels + 1),
            where,
            "write the file again");
      }
      TextLine(lines, place, width).read(std::min(per_line, channels - done), has_line_end, values);
    }
  }
  return values;
}

}  // namespace

std::vector<double> read_rows(std::string_view bytes,
                              const DataPlace& place,
                              const Encoding& encoding,
                              std::size_t channels) {
  return encoding.is_text ? text_rows(bytes, place, encoding.is_double, channels)
                          : binary_rows(bytes, place, encoding.is_double, channels);
}

}  // namespace femflex::roads::crg
