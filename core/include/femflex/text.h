// Functions for text, independent of the locale: trim, split into words and change case by ASCII,
// skip a byte-order mark, escape for XML.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace femflex {

inline constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// True for the white space of ASCII.
inline constexpr bool is_white_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

inline constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The text without the byte-order mark of UTF-8 that editors and spreadsheets put in front of it.
inline constexpr std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

/// is_blank() as a type, so that the compiler can inline it.
struct IsBlank {
  constexpr bool operator()(char c) const { return is_blank(c); }
};

/// The text without the characters at its end for which `is_out` is true; blanks by default.
template <typename IsOut = IsBlank>
std::string_view trimmed_right(std::string_view text, IsOut is_out = {}) {
  while (!text.empty() && is_out(text.back()))
    text.remove_suffix(1);
  return text;
}

/// The text without the characters around it for which `is_out` is true; blanks by default.
template <typename IsOut = IsBlank>
std::string_view trimmed(std::string_view text, IsOut is_out = {}) {
  while (!text.empty() && is_out(text.front()))
    text.remove_prefix(1);
  return trimmed_right(text, is_out);
}

/// Takes the next word off the front of `text`; empty at the end.
inline std::string_view take_word(std::string_view& text) {
  while (!text.empty() && is_white_space(text.front()))
    text.remove_prefix(1);
  std::size_t size = 0;
  while (size < text.size() && !is_white_space(text[size]))
    ++size;
  const std::string_view word = text.substr(0, size);
  text.remove_prefix(size);
  return word;
}

inline std::string upper_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

inline std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// Escaped text for an XML, HTML or SVG element or a double-quoted attribute. Control characters,
/// which XML does not allow, become spaces.
inline std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r' ? ' ' : c;
    }
  }
  return out;
}

}  // namespace femflex
