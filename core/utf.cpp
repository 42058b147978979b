// Decodes and encodes UTF-8 [The Unicode Standard, section 3.9, tables 3-6 and 3-7], and encodes
// UTF-16.
#include "femflex/utf.h"

#include <cstddef>

namespace femflex {
namespace {

constexpr char32_t kReplacement = 0xFFFD;  // stands for what is not valid

/// A sequence of bytes, by its first one.
struct SequenceKind {
  std::size_t size = 0;  // number of bytes; 0: no sequence begins so
  char32_t bits = 0;     // what the first byte gives of the code point
  char32_t least = 0;    // smallest code point that needs as many bytes
};

SequenceKind sequence_of(unsigned char first) {
  if (first < 0x80) return {1, first, 0};
  if (first >= 0xC2 && first < 0xE0) return {2, first & 0x1FU, 0x80};
  if (first >= 0xE0 && first < 0xF0) return {3, first & 0x0FU, 0x800};
  if (first >= 0xF0 && first < 0xF5) return {4, first & 0x07U, 0x10000};
  return {};
}

bool is_code_point(char32_t point) {
  const bool is_surrogate = point >= 0xD800 && point < 0xE000;
  return point <= 0x10FFFF && !is_surrogate;
}

/// Takes one code point off the front, or one byte that begins no valid sequence as U+FFFD.
char32_t take_code_point(std::string_view& text) {
  const SequenceKind kind = sequence_of(static_cast<unsigned char>(text.front()));
  char32_t point = kind.bits;
  bool is_valid = kind.size > 0 && kind.size <= text.size();
  for (std::size_t k = 1; is_valid && k < kind.size; ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    is_valid = (byte & 0xC0U) == 0x80U;
    point = (point << 6U) | (byte & 0x3FU);
  }
  is_valid = is_valid && point >= kind.least && is_code_point(point);
  text.remove_prefix(is_valid ? kind.size : 1);
  return is_valid ? point : kReplacement;
}

}  // namespace

std::u32string code_points(std::string_view utf8) {
  std::u32string out;
  while (!utf8.empty())
    out += take_code_point(utf8);
  return out;
}

std::string utf8_of(std::u32string_view points) {
  std::string out;
  for (const char32_t given : points) {
    const char32_t point = is_code_point(given) ? given : kReplacement;
    // a first byte with the highest bits, then bytes of six bits each
    if (point < 0x80) {
      out += static_cast<char>(point);
      continue;
    }
    unsigned more = 1;
    if (point >= 0x800) more = point < 0x10000 ? 2 : 3;
    const unsigned mark = 0xFF00U >> (more + 1) & 0xFFU;  // as many ones as bytes
    out += static_cast<char>(mark | (point >> (6 * more)));
    while (more-- > 0)
      out += static_cast<char>(0x80U | ((point >> (6 * more)) & 0x3FU));
  }
  return out;
}

std::u16string utf16_of(std::string_view utf8) {
  std::u16string out;
  for (const char32_t point : code_points(utf8)) {
    if (point < 0x10000) {
      out += static_cast<char16_t>(point);
      continue;
    }
    const char32_t rest = point - 0x10000;
    out += static_cast<char16_t>(0xD800 + (rest >> 10U));
    out += static_cast<char16_t>(0xDC00 + (rest & 0x3FFU));
  }
  return out;
}

}  // namespace femflex
