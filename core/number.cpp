// Reads numbers from text with std::from_chars. Exponents as Fortran and NASTRAN write them
// (1.5D+02, 7.27-4) are first rewritten with an 'e'.
#include "femflex/number.h"

#include <array>
#include <charconv>
#include <system_error>

#include "femflex/text.h"

namespace femflex {
namespace {

constexpr bool is_sign(char c) {
  return c == '+' || c == '-';
}

constexpr bool is_exponent_letter(char c) {
  return c == 'E' || c == 'e' || c == 'D' || c == 'd' || c == 'Q' || c == 'q';
}

std::string_view without_leading_blanks(std::string_view text) {
  std::size_t k = 0;
  while (k < text.size() && (text[k] == ' ' || text[k] == '\t'))
    ++k;
  return text.substr(k);
}

/// Sets `value` of a number that from_chars reports as out of range to 0. Returns true if the
/// number is too small (`is_tiny`), false if it overflows.
bool value_out_of_range(bool is_tiny, double& value) {
  value = 0.0;
  return is_tiny;
}

/// Reads a number with mantissa [first, middle) and exponent digits [exponent, last), which are
/// separated by a letter or sign that from_chars does not know: joins them by an `e`. Returns false
/// if the number overflows or has more than 510 characters.
bool read_joined(
    const char* first, const char* middle, const char* exponent, const char* last, double& value) {
  std::array<char, 512> buffer{};
  const auto mantissa = static_cast<std::size_t>(middle - first);
  const auto tail = static_cast<std::size_t>(last - exponent);
  if (mantissa + tail + 1 > buffer.size()) return false;
  char* out = buffer.data();
  for (const char* p = first; p != middle; ++p)
    *out++ = *p;
  *out++ = 'e';
  for (const char* p = exponent; p != last; ++p)
    *out++ = *p;
  const auto [end, error] = std::from_chars(buffer.data(), out, value);
  if (error == std::errc::result_out_of_range) return value_out_of_range(*exponent == '-', value);
  return error == std::errc{};
}

}  // namespace

bool take_real(std::string_view& text, double& value) noexcept {
  const std::string_view rest = without_leading_blanks(text);
  const char* p = rest.data();
  const char* const end = p + rest.size();
  const char* first = p;
  if (p != end && is_sign(*p)) {
    if (*p == '+') first = p + 1;  // from_chars does not accept it
    ++p;
  }
  // from_chars would accept "inf" and "nan", which no supported format has
  if (p == end || !(is_digit(*p) || (*p == '.' && p + 1 != end && is_digit(p[1])))) return false;
  const auto [stop, error] = std::from_chars(first, end, value);
  if (error == std::errc::invalid_argument) return false;
  const char* last = stop;
  if (error == std::errc::result_out_of_range) {
    const char* e = first;
    while (e != stop && *e != 'e' && *e != 'E')
      ++e;
    if (!value_out_of_range(e == stop ? *p == '.' || *p == '0' : e + 1 != stop && e[1] == '-',
                            value))
      return false;
  } else if (stop != end && (is_sign(*stop) || is_exponent_letter(*stop))) {
    // an exponent that from_chars does not know: 1.5D+02, 7.27-4. A second `E` is not a number.
    bool has_exponent = false;
    for (const char* q = first; q != stop && !has_exponent; ++q)
      has_exponent = *q == 'e' || *q == 'E';
    const char* q = stop;
    const bool has_letter = is_exponent_letter(*q);
    if (has_letter) ++q;
    const char* exponent = q;
    if (q != end && is_sign(*q)) {
      if (*q == '+') exponent = q + 1;
      ++q;
    }
    // a sign without a letter is an exponent only when digits and no new mantissa follow it
    const char* digits = q;
    while (q != end && is_digit(*q))
      ++q;
    const bool starts_number = !has_letter && q != end && (*q == '.' || is_exponent_letter(*q));
    if (!has_exponent && q != digits && !starts_number && (has_letter || q - digits <= 3)) {
      if (!read_joined(first, stop, exponent, q, value)) return false;
      last = q;
    }
  }
  text = std::string_view(last, static_cast<std::size_t>(end - last));
  return true;
}

bool take_integer(std::string_view& text, std::int64_t& value) noexcept {
  const std::string_view rest = without_leading_blanks(text);
  const char* first = rest.data();
  const char* const end = first + rest.size();
  if (first != end && *first == '+' && first + 1 != end && is_digit(first[1])) ++first;
  // up to 18 digits fit 64 bits; longer integers go through from_chars
  constexpr std::ptrdiff_t kShort = 18;
  const char* const digits = first != end && *first == '-' ? first + 1 : first;
  const char* p = digits;
  std::int64_t read = 0;
  for (; p != end && p - digits < kShort && is_digit(*p); ++p)
    read = 10 * read + (*p - '0');
  if (p == digits) return false;
  if (p == end || !is_digit(*p)) {
    value = digits == first ? read : -read;
    text = std::string_view(p, static_cast<std::size_t>(end - p));
    return true;
  }
  const auto [stop, error] = std::from_chars(first, end, read);
  if (error != std::errc{}) return false;
  value = read;
  text = std::string_view(stop, static_cast<std::size_t>(end - stop));
  return true;
}

std::optional<double> parse_real(std::string_view field) noexcept {
  std::string_view text = trimmed(field);
  double value = 0.0;
  if (!take_real(text, value) || !text.empty()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_integer(std::string_view field) noexcept {
  std::string_view text = trimmed(field);
  std::int64_t value = 0;
  if (!take_integer(text, value) || !text.empty()) return std::nullopt;
  return value;
}

}  // namespace femflex
