// JsonSource: adapts JSON with comments and trailing commas to a parser of plain JSON, character by
// character, and tracks line and column. json_text.cpp uses it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "femflex/errors.h"

namespace femflex::tools {

/// A position in a text: offset [byte] from 0; line, and column in bytes, from 1.
struct TextPlace {
  std::size_t offset = 0;
  std::int64_t line = 1;
  std::int64_t column = 1;

  Where where(const std::string& file) const;
};
TextPlace text_place(std::string_view text, std::size_t offset);

/// Offset after the blanks and comments (//, /* */) at `offset`. A comment without an end is not
/// skipped.
std::size_t after_blanks(std::string_view text, std::size_t offset);

/// Passes the characters of a document to a parser of plain JSON, with these replacements, and
/// records the place of each value in the original:
///
///     in the document                   the parser reads
///     comments, commas before ] and }   a blank
///     control characters in a text      \u00XX
///     numbers                           0; number() returns the value
///     malformed numbers                 ?, which every parser rejects
///
/// std::from_chars, which also takes "1." and "-.5", reads numbers in a quarter of the time of the
/// parser's strtod.
class JsonSource {
 public:
  /// @param text  must outlive this object
  explicit JsonSource(std::string_view text);

  bool ends() const { return ends_; }
  /// The current character. If a value starts here, sets start() and number().
  char read() {
    if (begins_) {
      start_ = here();
      number_ = number_ahead_;
    }
    end_of_read_ = at_ + 1;
    return current_;
  }
  /// Moves to the next character.
  void next();

  /// Start of the value or name that was read last.
  const TextPlace& start() const { return start_; }
  /// The number that starts at start().
  double number() const { return number_; }
  /// Offset after the character that was read last.
  std::size_t end_of_read() const { return end_of_read_; }

 private:
  TextPlace here() const { return {at_, line_, static_cast<std::int64_t>(at_ - line_start_) + 1}; }
  // these functions prepare the character at at_: they set current_, pending_, begins_ and the
  // states below
  void classify();
  void classify_in_text();
  void classify_outside();
  void classify_number();
  void classify_comma();
  /// Replaces the text up to `end` by one blank, which is read next.
  void skip_to(std::size_t end);
  void count_lines_to(std::size_t end);

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::int64_t line_ = 1;
  TextPlace start_;
  double number_ = 0.0;
  double number_ahead_ = 0.0;  // the number that starts at current_
  std::size_t end_of_read_ = 0;
  std::string pending_;  // text that is read instead of the characters up to after_pending_
  std::size_t pending_at_ = 0;
  std::size_t after_pending_ = 0;
  char current_ = '\0';
  char before_ = '\0';  // the last character outside texts, except blanks
  bool ends_ = false;
  bool begins_ = false;   // current_ is the first character of a value or a name
  bool in_word_ = false;  // inside true, false, null or an unknown word
  bool in_text_ = false;
  bool is_escaped_ = false;
};

/// Iterator over a JsonSource; the end iterator has no source.
class JsonIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  explicit JsonIterator(JsonSource* source = nullptr) : source_(source) {}
  char operator*() const { return source_->read(); }
  JsonIterator& operator++() {
    source_->next();
    return *this;
  }
  bool operator==(const JsonIterator& other) const { return ends() == other.ends(); }
  bool operator!=(const JsonIterator& other) const { return ends() != other.ends(); }

 private:
  bool ends() const { return source_ == nullptr || source_->ends(); }

  JsonSource* source_;
};

}  // namespace femflex::tools
