// Writes text files with numbers formatted as Fortran programs do: std::to_chars gives correctly
// rounded digits, which are then arranged in the columns of each format.
#include "bytes/text_sink.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>

namespace femflex::flexfile {
namespace {

/// A number as digits and exponent: |value| = 0.d1d2d3... * 10^exponent.
struct Decimal {
  std::array<char, 32> digits{};
  int exponent = 0;
  bool is_negative = false;
};

/// Rounds to `count` significant digits; to_chars rounds correctly.
Decimal decimal(double value, int count) {
  Decimal out;
  if (value == 0.0) {  // also minus zero, because no format here uses its sign
    out.digits.fill('0');
    return out;
  }
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(),
                                 text.data() + text.size(),
                                 std::abs(value),
                                 std::chars_format::scientific,
                                 count - 1);
  out.is_negative = value < 0.0;
  out.digits[0] = text[0];
  std::size_t at = count > 1 ? 2 : 1;
  for (std::size_t k = 1; k < static_cast<std::size_t>(count); ++k)
    out.digits[k] = text[at++];
  ++at;  // the e
  const bool is_negative = text[at++] == '-';
  int exponent = 0;
  std::from_chars(text.data() + at, end.ptr, exponent);
  out.exponent = (is_negative ? -exponent : exponent) + 1;
  return out;
}

/// Writes E+05, E-12, or +123 without the letter if three digits are needed.
char* put_exponent(char* p, int exponent, char letter) {
  const int magnitude = std::abs(exponent);
  if (magnitude < 100) *p++ = letter;
  *p++ = exponent < 0 ? '-' : '+';
  if (magnitude >= 100) *p++ = static_cast<char>('0' + magnitude / 100);
  *p++ = static_cast<char>('0' + magnitude / 10 % 10);
  *p++ = static_cast<char>('0' + magnitude % 10);
  return p;
}

/// Writes 0.ddd or -.ddd with `count` digits; a minus sign replaces the zero.
char* put_fraction(char* p, const Decimal& number, std::size_t count) {
  *p++ = number.is_negative ? '-' : '0';
  *p++ = '.';
  for (std::size_t k = 0; k < count; ++k)
    *p++ = number.digits[k];
  return p;
}

}  // namespace

TextSink::TextSink(const std::filesystem::path& target)
    : file_(std::make_unique<io::AtomicFile>(target)) {
  buffer_.reserve(kCapacity + 4096);
}

void TextSink::integer(std::int64_t value, std::size_t width) {
  std::array<char, 24> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  const auto size = static_cast<std::size_t>(end.ptr - text.data());
  if (size < width) repeat(' ', width - size);
  put({text.data(), size});
}

void TextSink::e13(double value) {
  if (value == 0.0) {
    put("0.0000000E+00");
    return;
  }
  const Decimal number = decimal(value, 7);
  std::array<char, 16> text{};
  char* p = put_fraction(text.data(), number, 7);
  p = put_exponent(p, number.exponent, 'E');
  put({text.data(), static_cast<std::size_t>(p - text.data())});
}

void TextSink::e16(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(
      text.data(), text.data() + text.size(), value, std::chars_format::scientific, 16);
  put({text.data(), static_cast<std::size_t>(end.ptr - text.data())});
}

void TextSink::d11(double value) {
  const Decimal number = decimal(value, 12);
  std::array<char, 32> text{};
  char* p = text.data();
  *p++ = number.is_negative ? '-' : ' ';
  *p++ = number.digits[0];
  *p++ = '.';
  for (std::size_t k = 1; k < 12; ++k)
    *p++ = number.digits[k];
  p = put_exponent(p, value == 0.0 ? 0 : number.exponent - 1, 'D');
  put({text.data(), static_cast<std::size_t>(p - text.data())});
}

void TextSink::g18(double value) {
  const Decimal number = decimal(value, 12);
  std::array<char, 32> text{};
  char* p = text.data();
  if (value != 0.0 && number.exponent >= 0 && number.exponent <= 12) {
    // F form: 12 digits around the point, the sign or a blank before them, four blanks after
    if (number.exponent == 0) {
      p = put_fraction(p, number, 12);
    } else {
      *p++ = number.is_negative ? '-' : ' ';
      for (int k = 0; k < 12; ++k) {
        if (k == number.exponent) *p++ = '.';
        *p++ = number.digits[static_cast<std::size_t>(k)];
      }
      if (number.exponent == 12) *p++ = '.';
    }
    for (int k = 0; k < 4; ++k)
      *p++ = ' ';
  } else {
    p = put_fraction(p, number, 12);
    p = put_exponent(p, number.exponent, 'E');
  }
  put({text.data(), static_cast<std::size_t>(p - text.data())});
}

void TextSink::flush() {
  if (hash_) hash_->update(buffer_.data(), buffer_.size());
  if (!file_) return;
  file_->append(buffer_);
  flushed_ += buffer_.size();
  buffer_.clear();
}

std::string TextSink::hash() {
  flush();
  return hash_ ? hash_->hex() : std::string();
}

void TextSink::commit() {
  flush();
  file_->commit();
}

}  // namespace femflex::flexfile
