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

/// The number after `sign` in `=(5)`, `=5`, `*(0.9)` or `*.9`; empty for anything else.
std::optional<double> number_after(std::string_view field, char sign) {
  if (field.size() < 2 || field[0] != sign) return std::nullopt;
  field.remove_prefix(1);
  if (field[0] == '(' && field.back() == ')') field = field.substr(1, field.size() - 2);
  return parse_real(field);
}

/// A field of the next replica: the old text, increased by `step` if it is a number.
std::string incremented(const std::string& old, double step) {
  if (const auto integer = parse_integer(old); integer && std::floor(step) == step)
    return fmt::format("{}", *integer + static_cast<std::int64_t>(step));
  if (const auto real = parse_real(old)) return fmt::format("{:.17g}", *real + step);
  return old;
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
  constexpr std::size_t kMarkColumn = 72;  // the last of ten fields of eight columns
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
  std::size_t taken = 0;
  std::string_view rest = comma == std::string_view::npos ? "" : text.substr(comma + 1);
  bool has_more = comma != std::string_view::npos;
  mark_.clear();
  while (has_more) {
    const std::size_t end = rest.find(',');
    const std::string_view field = trimmed(rest.substr(0, end));
    has_more = end != std::string_view::npos;
    if (has_more) rest.remove_prefix(end + 1);
    // the field after the last one of a line is the continuation mark
    if (taken % (per_line + 1) == per_line &&
        (!has_more || field.empty() || field.front() == '+' || field.front() == '*')) {
      mark_ = field;
      taken = 0;
      continue;
    }
    card_.fields.push_back(field);
    ++taken;
  }
  while (taken % per_line != 0) {
    card_.fields.emplace_back();
    ++taken;
  }
}

void CardAssembler::check_mark(std::string_view own, std::int64_t number, const std::string& file) {
  own = trimmed(own);
  // the first character may differ, because a `*` stands for large fields
  if (own.size() < 2 || mark_.size() < 2) return;
  if (upper_case(own.substr(1)) == upper_case(std::string_view(mark_).substr(1))) return;
  if (++crossed_.count > 1) return;
  crossed_.first_line = number;
  crossed_.file = file;
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
  if (is_continuation && !has_card_) return;  // continues a line that was not a card
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
  if (last_.file == nullptr)
    throw ParseError("replication",
                     "`=` replicates the previous card, but there is none",
                     {file, number},
                     "write the card in full");
  std::int64_t copies = 1;
  const std::string_view head = trimmed(std::string_view(line).substr(0, line.find(',')));
  if (const auto count = number_after(head, '=')) {
    constexpr double kMaxCount =
        1e9;  // far above kMaxReplicas; larger numbers do not fit an integer
    copies =
        *count >= 0 && *count < kMaxCount ? static_cast<std::int64_t>(*count) : kMaxReplicas + 1;
  } else {
    card_.fields.clear();
    if (line.find(',') != std::string::npos)
      free_fields(line);
    else
      fixed_fields(line, 8, false);
    marks_.assign(card_.fields.begin(), card_.fields.end());
  }
  replicas_ += copies;
  if (replicas_ > kMaxReplicas)
    throw ParseError("replication",
                     fmt::format("the file replicates more than {} cards", kMaxReplicas),
                     {file, number},
                     "write the cards in full");
  for (std::int64_t copy = 0; copy < copies; ++copy)
    make_replica(number, file);
}

void CardAssembler::make_replica(std::int64_t number, const std::string& file) {
  const BulkCard model = last_;
  std::deque<std::string> texts;
  std::vector<std::string_view> fields = model.fields;
  for (std::size_t k = 0; k < marks_.size(); ++k) {
    const std::string_view mark = trimmed(marks_[k]);
    if (mark == "==") break;
    if (k >= fields.size()) fields.emplace_back();
    if (mark == "=") continue;
    const auto step = number_after(mark, '*');
    texts.push_back(step ? incremented(std::string(trimmed(fields[k])), *step) : std::string(mark));
    fields[k] = texts.back();
  }
  // fields may be views of the previous card's texts: each gets its own copy
  begin(keep(std::string(model.name)), number, file);
  for (const std::string_view field : fields)
    card_.fields.push_back(keep(std::string(field)));
  flush();
}

}  // namespace femflex::importer
