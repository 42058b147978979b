// JsonSource: feeds JSON with comments and trailing commas to a parser of plain JSON, one character
// at a time. These become blanks, control characters in texts become \u00XX, and each number
// becomes one 0 whose value number() keeps. Errors such as a line end inside a text pass through,
// so that the parser rejects them.
#include "document/json_source.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "femflex/number.h"
#include "femflex/text.h"

namespace femflex::tools {
namespace {

bool is_json_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_json_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// True if a number may end at `offset`.
bool ends_json_number(std::string_view text, std::size_t offset) {
  return offset >= text.size() || is_json_blank(text[offset]) ||
         std::string_view(",]}:/").find(text[offset]) != std::string_view::npos;
}

}  // namespace

Where TextPlace::where(const std::string& file) const {
  Where out;
  out.file = file;
  out.line = line;
  out.column = column;
  return out;
}

TextPlace text_place(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_end = before.rfind('\n');
  const std::size_t line_start = line_end == std::string_view::npos ? 0 : line_end + 1;
  return {offset,
          std::count(before.begin(), before.end(), '\n') + 1,
          static_cast<std::int64_t>(offset - line_start) + 1};
}

std::size_t after_blanks(std::string_view text, std::size_t offset) {
  std::size_t at = offset;
  while (at < text.size()) {
    if (is_json_blank(text[at])) {
      ++at;
    } else if (text[at] == '/' && text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else if (text[at] == '/' && text.substr(at, 2) == "/*") {
      const std::size_t end = text.find("*/", at + 2);
      if (end == std::string_view::npos) break;
      at = end + 2;
    } else {
      break;
    }
  }
  return at;
}

JsonSource::JsonSource(std::string_view text) : text_(text) {
  classify();
}

void JsonSource::next() {
  if (pending_at_ < pending_.size()) {
    begins_ = false;
    if (++pending_at_ < pending_.size()) {
      current_ = pending_[pending_at_];
      return;
    }
    at_ = after_pending_;
    pending_.clear();
    pending_at_ = 0;
  } else {
    ++at_;
  }
  classify();
}

void JsonSource::classify() {
  begins_ = false;
  ends_ = at_ >= text_.size();
  if (ends_) return;
  current_ = text_[at_];
  if (in_text_)
    classify_in_text();
  else
    classify_outside();
}

void JsonSource::classify_in_text() {
  if (current_ == '"' && !is_escaped_) {
    in_text_ = false;
    before_ = '"';
  }
  const bool was_escaped = is_escaped_;
  is_escaped_ = current_ == '\\' && !was_escaped;
  if (was_escaped || static_cast<unsigned char>(current_) >= 0x20 || current_ == '\n') return;
  pending_ = fmt::format("\\u{:04x}", static_cast<unsigned>(current_));
  after_pending_ = at_ + 1;
  current_ = pending_.front();
}

void JsonSource::classify_outside() {
  const char c = current_;
  const bool was_in_word = in_word_;
  in_word_ = is_json_letter(c);
  if (is_json_blank(c) || c == '/') {
    skip_to(after_blanks(text_, at_));
    return;
  }
  if (c == ',') {
    classify_comma();
    return;
  }
  before_ = c;
  in_text_ = c == '"';
  begins_ = in_text_ || c == '{' || c == '[' || (in_word_ && !was_in_word);
  if (is_digit(c) || c == '-') classify_number();
}

void JsonSource::classify_number() {
  begins_ = true;
  const char* begin = text_.data() + at_;
  const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number_ahead_);
  const std::size_t after = at_ + static_cast<std::size_t>(end - begin);
  std::string_view token = text_.substr(at_, after - at_);
  const bool is_in_range =
      error == std::errc() ||
      (error == std::errc::result_out_of_range && take_real(token, number_ahead_));  // 1e-400 is 0
  const bool is_number =
      is_in_range && std::isfinite(number_ahead_) && ends_json_number(text_, after);
  pending_.assign(1, is_number ? '0' : '?');
  after_pending_ = std::max(after, at_ + 1);
  current_ = pending_.front();
}

void JsonSource::classify_comma() {
  const bool follows_value =
      before_ != '\0' && before_ != ',' && before_ != '[' && before_ != '{' && before_ != ':';
  const std::size_t end = after_blanks(text_, at_ + 1);
  if (follows_value && end < text_.size() && (text_[end] == ']' || text_[end] == '}'))
    skip_to(end);
  else
    before_ = ',';
}

void JsonSource::skip_to(std::size_t end) {
  if (end == at_) return;  // a slash that does not start a comment
  count_lines_to(end);
  at_ = end - 1;
  current_ = ' ';
}

void JsonSource::count_lines_to(std::size_t end) {
  for (std::size_t i = at_; i < end; ++i) {
    if (text_[i] != '\n') continue;
    ++line_;
    line_start_ = i + 1;
  }
}

}  // namespace femflex::tools
