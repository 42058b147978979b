// Continues at the place where the parser stopped, follows the grammar of JSON up to the first
// character that it does not allow, and throws the error for this character.
#include "document/json_syntax.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/number.h"

#include "document/json_source.h"
#include "document/plain_text.h"

namespace femflex::tools {
namespace {

/// Checks the text from `offset` on against the grammar of plain JSON, up to the first error. Each
/// function either returns with at_ after the part that it has read, or throws the error.
class JsonSyntaxCheck {
 public:
  JsonSyntaxCheck(std::string_view text, const std::string& file, std::size_t offset)
      : text_(text), file_(file), at_(offset) {}

  /// Reads the rest from a state of the grammar. Throws at the first wrong character.
  [[noreturn]] void report(JsonNext next) {
    skip_blanks(at_);
    switch (next) {
      case JsonNext::value:
      case JsonNext::first_item:
        value(next);
      case JsonNext::item:
        if (peek() == ',') {
          skip_character();
          value(next);
        }
        fail(fmt::format("{} where ',' or ']' was expected", found()), missing_comma());
      case JsonNext::member:
        if (peek() != ',')
          fail(fmt::format("{} where ',' or '}}' was expected", found()), missing_comma());
        skip_character();
        name();
      case JsonNext::first_name:
        name();
      case JsonNext::colon:
        if (peek() != ':')
          fail(fmt::format("{} where ':' was expected", found()), "write \"name\": value");
        skip_character();
        value(JsonNext::member);
      case JsonNext::end:
        break;
    }
    fail("text after the end of the document", "remove it");
  }

 private:
  [[noreturn]] void fail(std::string message, std::string fix = {}) const {
    throw ParseError(
        "json", std::move(message), text_place(text_, at_).where(file_), std::move(fix));
  }
  bool ends() const { return at_ >= text_.size(); }
  char peek() const { return ends() ? '\0' : text_[at_]; }
  void skip_character() { skip_blanks(at_ + 1); }
  void skip_blanks(std::size_t from) {
    at_ = after_blanks(text_, from);
    if (text_.substr(std::min(at_, text_.size()), 2) == "/*")
      fail("a comment opens here and never ends", "close it with */");
  }
  /// What to do where an entry ends without a comma.
  std::string missing_comma() const {
    if (ends()) return "a bracket that opens above is not closed";
    const char c = peek();
    if (c == ']' || c == '}') return "brackets close in the order in which they open";
    return "put a comma between the entries";
  }
  /// The next character, for messages.
  std::string found() const {
    if (ends()) return "the end of the file";
    const char c = peek();
    if (static_cast<unsigned char>(c) < 0x20)
      return fmt::format("byte {:#04x}", static_cast<int>(c));
    return fmt::format("'{}'", c);
  }

  /// @param next  what the grammar allows after the value
  [[noreturn]] void value(JsonNext next) {
    const char c = peek();
    if (c == '"') text();
    if (c != '-' && (c < '0' || c > '9'))
      fail(fmt::format("{} where a value was expected", found()),
           "values are numbers, \"texts\", true, false, null, [...] and {...}");
    double number = 0.0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number);
    std::string_view token(begin, static_cast<std::size_t>(end - begin));
    const bool is_tiny = error == std::errc::result_out_of_range && take_real(token, number);
    if (error == std::errc::result_out_of_range && !is_tiny)
      fail("the number is beyond double precision");
    if ((error != std::errc() && !is_tiny) || !std::isfinite(number))
      fail(fmt::format("{} where a number was expected", found()));
    at_ += static_cast<std::size_t>(end - begin);
    if (std::isalnum(static_cast<unsigned char>(peek())) != 0 || peek() == '.')
      fail(fmt::format("{} inside a number", found()));
    if (next == JsonNext::value) fail("text after the end of the document", "remove it");
    fail(fmt::format(
        "{} where ',' or '{}' was expected", found(), next == JsonNext::member ? '}' : ']'));
  }

  [[noreturn]] void name() {
    if (peek() != '"') fail(fmt::format("{} where a \"name\" or '}}' was expected", found()));
    text();
  }

  [[noreturn]] void text() {
    const std::size_t opening = at_;
    ++at_;
    while (!ends() && peek() != '"' && peek() != '\n') {
      if (peek() == '\\') {
        escape();
        continue;
      }
      const std::size_t bytes = character_bytes(text_.substr(at_));
      if (bytes == 0)
        fail(fmt::format("byte {:#04x} is not UTF-8", static_cast<unsigned char>(peek())),
             "save the file as UTF-8");
      at_ += bytes;
    }
    at_ = opening;
    fail("a text opens here and does not end on its line", "close it with \"");
  }

  /// Reads four hexadecimal digits.
  unsigned hexadecimal() {
    unsigned code = 0;
    const std::string_view digits = text_.substr(std::min(at_, text_.size()), 4);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (error != std::errc() || end != digits.data() + 4) fail("\\u needs four hexadecimal digits");
    at_ += 4;
    return code;
  }

  /// Reads an escape sequence: a backslash and the characters after it.
  void escape() {
    const std::size_t begin = at_;
    const char kind = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    at_ += 2;
    if (std::string_view("\"\\/bfnrt").find(kind) != std::string_view::npos) return;
    if (kind != 'u')
      fail("an escape sequence that JSON does not define", "write a backslash as \\\\");
    const auto is_in = [](unsigned code, unsigned first) {
      return code >= first && code < first + 0x400U;
    };
    const unsigned code = hexadecimal();
    const bool is_high = is_in(code, 0xD800);  // first half of a surrogate pair
    if (!is_high && !is_in(code, 0xDC00)) return;
    if (is_high && text_.substr(at_, 2) == "\\u") {
      at_ += 2;
      if (is_in(hexadecimal(), 0xDC00)) return;
    }
    at_ = begin;
    fail("an incomplete character: \\ud800 to \\udfff must come in pairs");
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_;
};

}  // namespace

void throw_json_error(std::string_view text,
                      const std::string& file,
                      JsonNext next,
                      std::size_t offset) {
  JsonSyntaxCheck(text, file, offset).report(next);
}

std::size_t end_of_json_value(std::string_view text, std::size_t offset) {
  if (text[offset] == '"') {
    std::size_t at = offset + 1;
    while (at < text.size() && text[at] != '"')
      at += text[at] == '\\' ? 2 : 1;
    return at + 1;
  }
  for (const std::string_view word : {"true", "false", "null"})
    if (text.substr(offset, word.size()) == word) return offset + word.size();
  double number = 0.0;
  const char* begin = text.data() + offset;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), number);
  return offset + static_cast<std::size_t>(end - begin);
}

}  // namespace femflex::tools
