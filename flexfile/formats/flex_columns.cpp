// Reads numbers in fixed Fortran columns, for FLEX files. Each field is parsed strictly, so that a
// digit in the wrong column is an error.
#include "formats/flex_columns.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "femflex/text.h"

namespace femflex::flexfile {
namespace {

/// Number formed by `count` digits of `text` from `from` on; -1 if one of them is not a digit.
std::int64_t digits(std::string_view text, std::size_t from, std::size_t count) {
  std::int64_t value = 0;
  for (std::size_t k = from; k < from + count; ++k) {
    if (!is_digit(text[k])) return -1;
    value = 10 * value + (text[k] - '0');
  }
  return value;
}

/// Parses numbers as Fortran writes E13.7: 0.1234567E+01, " .1234567E+01", -.1234567E+01,
/// 0.1234567+101. False for anything else.
bool parse_e13(std::string_view field, double& value) {
  const bool is_negative = field[0] == '-';
  if ((field[0] != '0' && field[0] != ' ' && !is_negative) || field[1] != '.') return false;
  const std::int64_t mantissa = digits(field, 2, 7);
  const bool has_letter = field[9] == 'E';
  const char sign = has_letter ? field[10] : field[9];
  const std::int64_t size = has_letter ? digits(field, 11, 2) : digits(field, 10, 3);
  if (mantissa < 0 || size < 0 || (sign != '+' && sign != '-')) return false;
  // a 24-bit mantissa times or divided by an exact power of ten is rounded only once, so correctly
  static constexpr std::array<double, 23> power{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const std::int64_t exponent = (sign == '-' ? -size : size) - 7;
  const auto m = static_cast<double>(mantissa);
  if (exponent >= 0 && exponent <= 22) {
    value = m * power[static_cast<std::size_t>(exponent)];
  } else if (exponent < 0 && exponent >= -22) {
    value = m / power[static_cast<std::size_t>(-exponent)];
  } else {
    const std::string text = fmt::format("{}e{}", mantissa, exponent);
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end.ec != std::errc()) {
      if (mantissa != 0 && exponent > 0) return false;  // beyond the range of double
      value = 0.0;
    }
  }
  if (is_negative) value = -value;
  return true;
}

}  // namespace

void FlexColumns::begin_reals(std::string_view group, std::int64_t count) {
  group_ = group;
  remaining_ = count;
  width_ = 13;
  per_record_ = 6;
  in_record_ = 0;
}

void FlexColumns::begin_integers(std::string_view group, std::int64_t count, std::int64_t width) {
  group_ = group;
  remaining_ = count;
  width_ = width;
  per_record_ = 12;
  in_record_ = 0;
}

void FlexColumns::read_record() {
  in_record_ = std::min(remaining_, per_record_);
  if (lines_.at_end())
    lines_.fail("truncated",
                fmt::format("the file ends, but {} numbers are missing", remaining_),
                group_,
                -1,
                "export the file again");
  line_ = trimmed_right(lines_.next());
  column_ = 0;
  const auto size = static_cast<std::int64_t>(line_.size());
  const std::int64_t expected = in_record_ * width_;
  if (size == expected) return;
  // Reports the first invalid field, else that the record is too short or too long.
  for (std::int64_t from = 0; from + width_ <= std::min(size, expected); from += width_) {
    const std::string_view field =
        line_.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(width_));
    double ignored = 0.0;
    if (width_ == 13 && per_record_ == 6 && !parse_e13(field, ignored))
      bad_field(field, from + 1, "a number as Fortran E13.7 writes it");
  }
  lines_.fail(
      size < expected ? "short-record" : "long-record",
      fmt::format(
          "the record has {} columns, expected {} fields of {} columns", size, in_record_, width_),
      group_,
      std::min(size, expected) + 1,
      "columns are fixed: nothing may be inserted or left out");
}

double FlexColumns::real() {
  if (in_record_ == 0) read_record();
  const std::string_view field = line_.substr(static_cast<std::size_t>(column_), 13);
  double value = 0.0;
  if (!parse_e13(field, value))
    bad_field(field, column_ + 1, "a number as Fortran E13.7 writes it");
  column_ += 13;
  --in_record_;
  --remaining_;
  return value;
}

std::int64_t FlexColumns::integer() {
  if (in_record_ == 0) read_record();
  const std::string_view field =
      line_.substr(static_cast<std::size_t>(column_), static_cast<std::size_t>(width_));
  const std::string_view number = trimmed(field);
  std::int64_t value = 0;
  const auto end = std::from_chars(number.data(), number.data() + number.size(), value);
  if (field.back() == ' ' || end.ec != std::errc() || end.ptr != number.data() + number.size() ||
      value < 0)
    bad_field(field, column_ + 1, fmt::format("an integer as Fortran I{} writes it", width_));
  column_ += width_;
  --in_record_;
  --remaining_;
  return value;
}

void FlexColumns::bad_field(std::string_view field,
                            std::int64_t column,
                            const std::string& expected) const {
  lines_.fail("bad-number",
              fmt::format("columns {} to {} contain '{}', expected {}",
                          column,
                          column + width_ - 1,
                          field,
                          expected),
              group_,
              column,
              "if the file was scanned or edited, restore the columns");
}

}  // namespace femflex::flexfile
