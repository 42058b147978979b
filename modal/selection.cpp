// Parses selections of modes such as "dynamic:1-20,static:1" and finds their columns in a mode
// set.
#include "femflex/modal/selection.h"

#include <algorithm>
#include <cctype>
#include <string>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/number_list.h"
#include "femflex/text.h"

namespace femflex::modal {
namespace {

/// The modes of a set for messages: "dynamic:1-20, static:1-2".
std::string summary_of(const ModeSet& modes) {
  std::string text;
  for (const ModeKind kind : {ModeKind::dynamic,
                              ModeKind::static_,
                              ModeKind::constraint,
                              ModeKind::attachment,
                              ModeKind::residual_attachment,
                              ModeKind::inertia_relief,
                              ModeKind::modal_truncation,
                              ModeKind::krylov,
                              ModeKind::rigid,
                              ModeKind::given}) {
    std::vector<std::int64_t> numbers;
    for (const ModeInfo& mode : modes.modes)
      if (mode.kind == kind) numbers.push_back(mode.number);
    if (numbers.empty()) continue;
    std::sort(numbers.begin(), numbers.end());
    text += fmt::format(
        "{}{}:{}", text.empty() ? "" : ", ", name_of(kind), format_number_list(numbers));
  }
  return text.empty() ? "no modes" : text;
}

}  // namespace

std::vector<ModeSelection> parse_selection(std::string_view text) {
  std::vector<ModeSelection> selection;
  if (trimmed(text).empty())
    throw UsageError(
        "selection", "the selection is empty", {}, "write all, or dynamic:1-20,static:1");
  if (trimmed(text) == "all") return selection;
  bool numbers_may_follow = false;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    std::string_view item = trimmed(text.substr(at, comma - at));
    at = comma + 1;
    if (!item.empty() && std::isdigit(static_cast<unsigned char>(item.front())) != 0) {
      // a further item of the previous kind's list: "dynamic:1-3,7"
      if (!numbers_may_follow)
        throw UsageError("selection",
                         fmt::format("'{}' in '{}' has no kind of mode before it", item, text),
                         {},
                         "write a selection like dynamic:1-20,static:1,constraint:2");
      const std::vector<std::int64_t> more = parse_number_list(item);
      std::vector<std::int64_t>& numbers = selection.back().numbers;
      numbers.insert(numbers.end(), more.begin(), more.end());
      continue;
    }
    const std::size_t colon = item.find(':');
    ModeSelection next;
    next.kind = parse_mode_kind(trimmed(item.substr(0, colon)));
    if (colon != std::string_view::npos) next.numbers = parse_number_list(item.substr(colon + 1));
    numbers_may_follow = colon != std::string_view::npos;
    selection.push_back(std::move(next));
  }
  return selection;
}

std::vector<Eigen::Index> columns_of(const ModeSet& modes,
                                     const std::vector<ModeSelection>& selection) {
  std::vector<Eigen::Index> columns;
  if (selection.empty()) {
    for (Eigen::Index col = 0; col < modes.count(); ++col)
      columns.push_back(col);
    return columns;
  }
  std::vector<bool> is_chosen(modes.modes.size(), false);
  const auto take = [&](std::size_t col) {
    if (is_chosen[col])
      throw UsageError("selection",
                       fmt::format("mode {} is chosen twice", label_of(modes.modes[col])),
                       {},
                       "name each mode once");
    is_chosen[col] = true;
    columns.push_back(static_cast<Eigen::Index>(col));
  };
  for (const ModeSelection& wanted : selection) {
    if (wanted.numbers.empty()) {
      bool any = false;
      for (std::size_t col = 0; col < modes.modes.size(); ++col)
        if (modes.modes[col].kind == wanted.kind) {
          any = true;
          take(col);
        }
      if (!any)
        throw UsageError(
            "no-such-mode",
            fmt::format("the model has no {} modes", name_of(wanted.kind)),
            {},
            fmt::format("it holds {}; 'femflex modes' computes more", summary_of(modes)));
      continue;
    }
    for (const std::int64_t number : wanted.numbers) {
      const auto it =
          std::find_if(modes.modes.begin(), modes.modes.end(), [&](const ModeInfo& mode) {
            return mode.kind == wanted.kind && mode.number == number;
          });
      if (it == modes.modes.end())
        throw UsageError(
            "no-such-mode",
            fmt::format("the model has no mode {}:{}", name_of(wanted.kind), number),
            {},
            fmt::format("it holds {}; 'femflex modes' computes more", summary_of(modes)));
      take(static_cast<std::size_t>(it - modes.modes.begin()));
    }
  }
  return columns;
}

}  // namespace femflex::modal
