// Assembles NASTRAN bulk data cards from the lines of a deck. A line in an irregular form (blanks
// between fields, tabs) is first rewritten with commas or in fixed columns.
#include "nastran/bulk_cards.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/number.h"
#include "femflex/text.h"

#include "nastran/deck.h"

namespace femflex::importer {
namespace {

/// Maximum number of replicated cards, so that a file of a few bytes cannot produce an unlimited
/// number of cards.
constexpr std::int64_t kMaxReplicas = 1'000'000;

/// The line with tabs replaced by blanks up to the next stop of 8.
std::string with_tabs_expanded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\t')
      out.append(8 - out.size() % 8, ' ');
    else
      out += c;
  }
  return out;
}

constexpr std::size_t kFields = 8;  // data fields of a line
constexpr std::size_t kWidth = 8;   // columns of a small field

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

/// Puts commas between the fields of a line that separates them by blanks (NASTRAN-95), or whose
/// first comma comes after the second field (`CBUSH   10211,  10010, ...`). If the line begins with
/// eight blanks, the name is blank.
std::string with_commas(std::string_view text) {
  const std::size_t comma = std::min(text.find(','), text.size());
  std::string out;
  bool in_field = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool blank = text[k] == ' ' || text[k] == '\t';
    if (k >= comma) {
      out += text.substr(comma);
      break;
    }
    if (!blank && !in_field && (!out.empty() || k >= 8)) out += ',';
    if (!blank) out += text[k];
    in_field = !blank;
  }
  return out;
}

/// True for a line that with_commas() must rewrite: the first eight columns, or the text before the
/// first comma, hold a card name and more; or eight blanks and a field come before the first comma.
/// @param comma  position of the first comma, or npos
bool is_blank_separated(std::string_view text, std::size_t comma) {
  const std::string_view head =
      trimmed(comma == std::string_view::npos ? text.substr(0, 8) : text.substr(0, comma));
  if (comma != std::string_view::npos && comma > 8 && trimmed(text.substr(0, 8)).empty())
    return !head.empty();
  const std::size_t blank = head.find(' ');  // tabs are handled elsewhere
  if (blank == std::string_view::npos) return false;
  if (trimmed(head.substr(blank)) == "*") return false;  // `CORD2R *`: large fields
  std::string_view name = head.substr(0, blank);
  if (!name.empty() && name.back() == '*') name.remove_suffix(1);
  return is_bulk_name(upper_case(name));
}

/// The number after `sign` in `=(5)`, `=5`, `*(0.9)` or `*.9`; none for anything else.
std::optional<double> number_after(std::string_view field, char sign) {
  if (field.size() < 2 || field[0] != sign) return std::nullopt;
  field.remove_prefix(1);
  if (field[0] == '(' && field.back() == ')') field = field.substr(1, field.size() - 2);
  return parse_real(field);
}

/// A field of the next replica: the old number plus `step`, of the same type as the old one unless
/// a whole number increases by a fraction; none if it is blank, text, or too large.
std::optional<std::string> incremented(std::string_view old, double step) {
  constexpr double kMaxInteger = 9007199254740992.0;  // 2^53: integers that a double holds exactly
  const auto integer = parse_integer(old);
  if (integer && std::floor(step) == step) {
    const double sum = static_cast<double>(*integer) + step;
    for (const double value : {static_cast<double>(*integer), step, sum})
      if (std::abs(value) > kMaxInteger) return std::nullopt;
    return fmt::format("{}", *integer + static_cast<std::int64_t>(step));
  }
  const auto real = parse_real(old);
  if (!real || !std::isfinite(*real + step)) return std::nullopt;
  return fmt::format("{:#}", *real + step);  // with a decimal point
}

/// The fields after the name of a replication line in free or in fixed fields.
std::vector<std::string> free_pattern(std::string_view line) {
  std::vector<std::string> out;
  for (std::size_t comma = line.find(','); comma != std::string_view::npos;) {
    line.remove_prefix(comma + 1);
    comma = line.find(',');
    out.emplace_back(trimmed(line.substr(0, comma)));
  }
  return out;
}

std::vector<std::string> fixed_pattern(std::string_view line) {
  std::vector<std::string> out;
  for (std::size_t k = kWidth; k < std::min(line.size(), (kFields + 1) * kWidth); k += kWidth)
    out.emplace_back(trimmed(line.substr(k, kWidth)));
  return out;
}

/// True for a text that can only be a continuation mark if it stands after the last data field.
bool is_mark(std::string_view field) {
  return !field.empty() && (field.front() == '+' || field.front() == '*');
}

/// True for blanks and commas alone.
bool is_blank_list(std::string_view text) {
  return trimmed(text, [](char c) { return IsBlank{}(c) || c == ','; }).empty();
}

/// True for the words of a list of ids, which are data.
bool is_list_word(std::string_view field) {
  const std::string upper = upper_case(field);
  return upper == "THRU" || upper == "BY" || upper == "EXCEPT";
}

/// The number of cards that `=`, `==`, `=(n)` or `=n` makes; 0 if the text is something else.
std::int64_t copies_of(std::string_view head, std::int64_t limit) {
  if (head == "=" || head == "==") return 1;
  const auto count = number_after(head, '=');
  if (!count || *count < 1.0 || std::floor(*count) != *count) return 0;
  return *count > static_cast<double>(limit) ? limit + 1 : static_cast<std::int64_t>(*count);
}

}  // namespace

std::string_view CardAssembler::keep(std::string text) {
  texts_.push_back(std::move(text));
  return texts_.back();
}

void CardAssembler::flush() {
  if (!has_card_) return;
  has_card_ = false;
  sink_.card(card_);
  std::swap(card_, last_);
  if (texts_.empty() && last_texts_.empty()) return;
  std::swap(texts_, last_texts_);
  texts_.clear();
}

void CardAssembler::begin(std::string_view name, std::int64_t number, const std::string& file) {
  name = trimmed(name);
  if (!name.empty() && name.back() == '*') name = trimmed(name.substr(0, name.size() - 1));
  if (std::any_of(name.begin(), name.end(), is_lower)) name = keep(upper_case(name));
  card_.name = name;
  card_.fields.clear();
  card_.line = number;
  card_.file = &file;
  card_.superelement = superelement_;
  has_card_ = true;
}

void CardAssembler::fixed_fields(std::string_view text, std::size_t first, bool large) {
  const std::size_t width = large ? 16 : 8;
  const std::size_t fields = large ? 4 : 8;
  constexpr std::size_t kMarkColumn = 72;  // offset of the tenth field (columns 73 to 80)
  mark_.clear();
  if (text.size() > kMarkColumn) mark_ = trimmed(text.substr(kMarkColumn, 8));
  const std::size_t begin = card_.fields.size();
  card_.fields.resize(begin + fields);
  for (std::size_t k = 0; k < fields && first + k * width < text.size(); ++k)
    card_.fields[begin + k] = text.substr(first + k * width, width);
}

void CardAssembler::free_fields(std::string_view text) {
  // the first field is the name or a continuation mark; a `*` in it means large fields, 4 per line
  const std::size_t comma = text.find(',');
  const std::string_view head = trimmed(text.substr(0, comma));
  const bool large = !head.empty() && (head.back() == '*' || head.front() == '*');
  const std::size_t per_line = large ? 4 : 8;
  std::size_t taken = 0;       // data fields of the line, or of what continues it behind commas
  bool has_mark_field = true;  // false once data went on without a mark
  std::string_view rest = comma == std::string_view::npos ? "" : text.substr(comma + 1);
  bool has_more = comma != std::string_view::npos;
  mark_.clear();
  while (has_more) {
    const std::size_t end = rest.find(',');
    const std::string_view field = trimmed(rest.substr(0, end));
    has_more = end != std::string_view::npos;
    if (has_more) rest.remove_prefix(end + 1);
    if (taken == per_line) {
      taken = 0;
      has_mark_field = is_mark_after_data(field, has_more ? rest : "", has_mark_field);
      if (has_mark_field) {
        mark_ = field;
        if (is_blank_list(rest)) break;
        continue;
      }
    }
    card_.fields.push_back(field);
    ++taken;
  }
  while (taken % per_line != 0) {
    card_.fields.emplace_back();
    ++taken;
  }
}

bool CardAssembler::is_mark_after_data(std::string_view field,
                                       std::string_view rest,
                                       bool has_mark_field) const {
  if (is_mark(field)) return true;
  const bool is_last = is_blank_list(rest);
  if (is_last && !parse_real(field) && !is_list_word(field)) return true;
  if (!field.empty() && !(is_last && has_mark_field)) return false;
  throw ParseError("free-field",
                   fmt::format("{} after the last data field of a free-field line may be a "
                               "continuation mark or data",
                               field.empty() ? "a blank" : fmt::format("'{}'", field)),
                   {*card_.file, line_, -1, -1, std::string(card_.name)},
                   "write the continuation on a line of its own that begins with a comma");
}

void CardAssembler::check_mark(std::string_view own, std::int64_t number, const std::string& file) {
  own = trimmed(own);
  // the first character may differ, because a `*` stands for large fields
  if (own.size() < 2 || mark_.size() < 2) return;
  if (upper_case(own.substr(1)) == upper_case(std::string_view(mark_).substr(1))) return;
  crossed_.add(number, file);
}

void CardAssembler::lose(std::int64_t number, const std::string& file) {
  if (pattern_)
    throw ParseError("replication",
                     "a line continues a replicated card, which is not supported",
                     {file, number},
                     "write the cards in full");
  lost_.add(number, file);
}

void CardAssembler::line(std::string_view text, std::int64_t number, const std::string& file) {
  if (const std::size_t comment = text.find('$'); comment != std::string_view::npos)
    text = text.substr(0, comment);
  std::size_t comma = text.find(',');
  if (is_blank_separated(text, comma)) {
    text = keep(with_commas(text));
    comma = text.find(',');
  }
  const bool is_free = comma != std::string_view::npos;
  if (!is_free && text.find('\t') != std::string_view::npos) text = keep(with_tabs_expanded(text));
  const std::size_t first_char = text.find_first_not_of(" \t");
  if (first_char == std::string_view::npos) return;
  const char first = text[0];
  const std::string_view head = is_free ? trimmed(text.substr(0, comma)) : text.substr(0, 8);
  const bool is_replication = !text.empty() && text[first_char] == '=';
  if (is_replication) {
    replicate(text, number, file);
    return;
  }
  const bool is_continuation = is_free ? head.empty() || head.front() == '+' || head.front() == '*'
                                       : first == '+' || first == '*' || first_char >= 8;
  line_ = number;
  if (is_continuation && !has_card_) {
    lose(number, file);
    return;
  }
  if (is_continuation) check_mark(head, number, file);
  if (!is_continuation) {
    // a rewritten line is in texts_, but begins the next card: flush() must not take it away
    if (!texts_.empty() && texts_.back().data() == text.data()) {
      std::string saved = std::move(texts_.back());
      texts_.pop_back();
      flush();
      texts_.push_back(std::move(saved));
      text = texts_.back();
    } else {
      flush();
    }
    pattern_.reset();
  }
  if (is_free) {
    if (!is_continuation) begin(text.substr(0, comma), number, file);
    free_fields(text);
    return;
  }
  const std::string_view mark = trimmed(text.substr(0, 8));
  const bool large = is_continuation ? first == '*' : !mark.empty() && mark.back() == '*';
  if (!is_continuation) begin(text.substr(0, 8), number, file);
  fixed_fields(text, 8, large);
}

void CardAssembler::replicate(std::string_view text, std::int64_t number, const std::string& file) {
  const std::string line(text);  // flush() frees kept texts
  flush();
  const auto fail = [&](const std::string& message) {
    throw ParseError("replication", message, {file, number}, "write the cards in full");
  };
  if (last_.file == nullptr) fail("`=` replicates the previous card, but this is the first one");
  const std::size_t comma = line.find(',');
  const bool is_free = comma != std::string::npos;
  std::string_view head = trimmed(line);
  head = head.substr(0, head.find_first_of(", \t"));
  const std::int64_t copies = copies_of(head, kMaxReplicas);
  if (copies == 0)
    fail(fmt::format("'{}' is not `=`, `==` or `=(n)` with n an integer above 0", head));
  std::vector<std::string> pattern;
  if (is_free)
    pattern = free_pattern(line);
  else if (head.size() <= kWidth)
    pattern = fixed_pattern(line);
  const bool is_bare = std::all_of(
      pattern.begin(), pattern.end(), [](const std::string& field) { return field.empty(); });
  if (head == "==") pattern = {"=="};
  pattern.resize(std::max(pattern.size(), kFields));
  if (!is_bare || head == "=" || head == "==") pattern_ = std::move(pattern);
  if (!pattern_)
    fail("`=(n)` repeats the increments of the line above, which is not a replication");
  for (std::size_t k = kFields; k < pattern_->size(); ++k)
    if (const std::string& field = (*pattern_)[k];
        !field.empty() && field != "==" && field.front() != '+')
      fail("a replication has at most nine fields");
  replicas_ += copies;
  if (replicas_ > kMaxReplicas)
    fail(fmt::format("the file replicates more than {} cards", kMaxReplicas));
  for (std::int64_t copy = 0; copy < copies; ++copy)
    make_replica(number, file);
}

void CardAssembler::make_replica(std::int64_t number, const std::string& file) {
  const BulkCard model = last_;
  std::deque<std::string> texts;
  std::vector<std::string_view> fields = model.fields;
  for (std::size_t k = 0; k < std::min(pattern_->size(), kFields); ++k) {
    const std::string& change = (*pattern_)[k];
    if (change == "==") break;
    if (k >= fields.size()) fields.emplace_back();
    if (change == "=") continue;
    if (change.starts_with('*')) {
      const auto step = number_after(change, '*');
      const std::string_view old = trimmed(fields[k]);
      const auto next = step ? incremented(old, *step) : std::nullopt;
      if (!next)
        throw ParseError(
            "replication",
            fmt::format("field {}: '{}' cannot be increased by '{}'", k + 2, old, change),
            {file, number, -1, -1, std::string(model.name)},
            "write the card in full");
      texts.push_back(*next);
    } else {
      texts.push_back(change);
    }
    fields[k] = texts.back();
  }
  // fields may be views of the previous card's texts: each gets its own copy
  begin(keep(std::string(model.name)), number, file);
  for (const std::string_view field : fields)
    card_.fields.push_back(keep(std::string(field)));
  flush();
}

}  // namespace femflex::importer
