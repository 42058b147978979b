// Assembles cards of NASTRAN bulk data from lines in fixed, large or free fields.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::importer {

/// One bulk data entry with all its continuation lines. Fields are views into the file and valid
/// until the sink returns.
struct BulkCard {
  std::string_view name;  ///< upper case, without the `*` of large fields
  /// fields after the name; continuations follow, 8 per line (4 per large-field line); surrounding
  /// blanks are kept
  std::vector<std::string_view> fields;
  std::int64_t line = 0;  ///< number of the first line, 1-based
  const std::string* file = nullptr;
  std::int64_t superelement = 0;
};

/// Receives the cards of a deck.
class CardSink {
 public:
  CardSink() = default;
  CardSink(const CardSink&) = delete;
  CardSink& operator=(const CardSink&) = delete;
  CardSink(CardSink&&) = delete;
  CardSink& operator=(CardSink&&) = delete;
  virtual ~CardSink() = default;
  virtual void card(const BulkCard& card) = 0;
};

/// Assembles cards from lines: small fields (8 columns), large fields (16, name or continuation
/// with `*`) and free fields (commas); tabs go to the next stop of 8; `$` begins a comment; a
/// continuation has a blank, `+...` or `*...` in its first field, whatever marker ends the previous
/// line; a free-field line of more than ten fields continues itself, 8 data fields at a time; `=`,
/// `==`, `=(n)` or `=n`, and `*(x)` or `*x` replicate the previous card.
class CardAssembler {
 public:
  explicit CardAssembler(CardSink& sink) : sink_(sink) {}
  /// Adds the next line of bulk data; passes on the previous card if this line begins a new one.
  void line(std::string_view text, std::int64_t number, const std::string& file);
  /// Passes on the last card. Call at ENDDATA, before an INCLUDE and at the end.
  void flush();
  void set_superelement(std::int64_t id) { superelement_ = id; }

  struct OddLines {
    std::int64_t count = 0;
    std::int64_t first_line = 0;  ///< 1-based
    std::string file;             ///< that of the first line
    void add(std::int64_t number, const std::string& name) {
      if (++count > 1) return;
      first_line = number;
      file = name;
    }
  };
  /// Continuations whose mark differs from the one at the end of the line before them.
  const OddLines& crossed_lines() const { return crossed_; }
  /// Continuations without a card before them.
  const OddLines& lost_lines() const { return lost_; }

 private:
  void begin(std::string_view name, std::int64_t number, const std::string& file);
  void fixed_fields(std::string_view text, std::size_t first, bool large);
  void free_fields(std::string_view text);
  /// True if `field`, which follows the last data field of a line, is a continuation mark.
  /// @param rest  of the line after it
  /// @param has_mark_field  false if data before it went on without a mark
  /// @throws ParseError  it may be data as well
  bool is_mark_after_data(std::string_view field, std::string_view rest, bool has_mark_field) const;
  void replicate(std::string_view text, std::int64_t number, const std::string& file);
  void make_replica(std::int64_t number, const std::string& file);
  /// Compares the mark of a continuation with that of the line before it. Without marks, or with
  /// `+` alone, the line continues the one before it.
  void check_mark(std::string_view own, std::int64_t number, const std::string& file);
  /// Counts a continuation without a card before it. @throws ParseError  below a replication
  void lose(std::int64_t number, const std::string& file);
  /// Stores a rewritten text until its card has been passed on.
  std::string_view keep(std::string text);

  CardSink& sink_;
  BulkCard card_;
  bool has_card_ = false;  ///< card_ has been begun
  std::string mark_;       ///< continuation mark at the end of the last line; may be empty
  std::int64_t line_ = 0;  ///< number of the current line
  OddLines crossed_, lost_;
  /// texts to which the name and fields of the current card refer: rewritten lines, names in upper
  /// case, fields of replicas
  std::deque<std::string> texts_;
  BulkCard last_;  ///< the last card passed on, for replication
  std::deque<std::string> last_texts_;
  /// fields of the replication above: `=`, `==`, `*(x)` or a text; none below any other card
  std::optional<std::vector<std::string>> pattern_;
  std::int64_t replicas_ = 0;
  std::int64_t superelement_ = 0;
};

}  // namespace femflex::importer
