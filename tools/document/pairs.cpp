// Finds choices "{a|b}" in keys and texts, copies the member once per choice, and replaces all
// choices in each copy.
#include "document/pairs.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace femflex::tools {
namespace {

/// A choice such as "{left|right}" in a text.
struct Choice {
  std::size_t begin = 0, end = 0;  // offsets of the braces
  std::vector<std::string> items;
};

/// The first choice in `text` from offset `from` on; empty if there is none.
std::optional<Choice> next_choice(const std::string& text, std::size_t from) {
  for (std::size_t open = text.find('{', from); open != std::string::npos;
       open = text.find('{', open + 1)) {
    const std::size_t close = text.find_first_of("{}", open + 1);
    if (close == std::string::npos || text[close] == '{') continue;
    Choice out{open, close + 1, {}};
    std::size_t at = open + 1;
    for (std::size_t bar = text.find('|', at); bar < close; bar = text.find('|', at)) {
      out.items.push_back(text.substr(at, bar - at));
      at = bar + 1;
    }
    if (out.items.empty()) continue;
    out.items.push_back(text.substr(at, close - at));
    return out;
  }
  return std::nullopt;
}

/// `text` with each choice replaced by its item `index`.
/// @param value  value that contains the text, for messages
/// @param count  number of items that every choice must have
std::string chosen(const Json& value,
                   const std::string& text,
                   std::size_t index,
                   std::size_t count) {
  std::string out;
  std::size_t from = 0;
  while (const std::optional<Choice> choice = next_choice(text, from)) {
    if (choice->items.size() != count)
      value.fail("pair-count",
                 fmt::format("'{}' offers {} choices where its member has {}",
                             text.substr(choice->begin, choice->end - choice->begin),
                             choice->items.size(),
                             count),
                 "give one choice for each name of the member");
    out += text.substr(from, choice->begin - from) + choice->items[index];
    from = choice->end;
  }
  return out + text.substr(from);
}

/// Replaces the choices in all texts and keys of `value`.
void choose(Json& value, std::size_t index, std::size_t count) {
  if (value.is_text()) {
    Json text(chosen(value, value.text(), index, count));
    text.set_where(value.where());
    value = std::move(text);
  } else if (value.is_list()) {
    for (Json& item : value.items())
      choose(item, index, count);
  } else if (value.is_object()) {
    for (Json::Member& member : value.members()) {
      member.key = chosen(member.value, member.key, index, count);
      choose(member.value, index, count);
    }
  }
}

void expand_list(Json& list) {
  std::vector<Json> out;
  for (Json& item : list.items()) {
    const std::optional<Choice> choice =
        item.is_text() ? next_choice(item.text(), 0) : std::optional<Choice>();
    for (std::size_t i = 0; choice && i < choice->items.size(); ++i) {
      out.push_back(item);
      choose(out.back(), i, choice->items.size());
    }
    if (choice) continue;
    expand_pairs(item);
    out.push_back(std::move(item));
  }
  list.items() = std::move(out);
}

}  // namespace

void expand_pairs(Json& document) {
  if (document.is_list()) expand_list(document);
  if (!document.is_object()) return;
  std::vector<Json::Member> out;
  const auto add = [&](Json::Member member) {
    const bool is_duplicate = std::any_of(
        out.begin(), out.end(), [&](const Json::Member& other) { return other.key == member.key; });
    if (is_duplicate)
      member.value.fail("name-twice",
                        fmt::format("'{}' appears twice after the pairs are expanded", member.key));
    out.push_back(std::move(member));
  };
  for (Json::Member& member : document.members()) {
    const std::optional<Choice> choice = next_choice(member.key, 0);
    if (!choice) {
      expand_pairs(member.value);
      add(std::move(member));
      continue;
    }
    const std::size_t count = choice->items.size();
    for (std::size_t i = 0; i < count; ++i) {
      Json::Member copy = member;
      copy.key = chosen(member.value, member.key, i, count);
      choose(copy.value, i, count);
      add(std::move(copy));
    }
  }
  document.members() = std::move(out);
}

}  // namespace femflex::tools
