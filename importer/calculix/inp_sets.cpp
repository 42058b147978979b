// Collects the sets of a deck. Ranges and sets of sets let a short deck name very many members, so
// their number is limited by the size of the deck.
#include "calculix/inp_sets.h"

#include <algorithm>

#include <fmt/format.h>

#include "femflex/number.h"
#include "femflex/text.h"

namespace femflex::importer {
namespace {

/// A GENERATE range of at most this many ids is taken as it stands. Of a longer one only the ids
/// that occur in the deck are taken.
constexpr std::int64_t kMaxBlindRange = 10'000;
/// Members that the sets of any deck may have; a longer deck may have four a byte more.
constexpr std::int64_t kMembersOfAnyDeck = 16 * kMaxBlindRange;

/// Sets of sets of sets: far more than any deck has, far fewer than the stack holds.
constexpr int kMostNested = 1000;

std::int64_t id_of(std::string_view field, const Where& where) {
  const auto value = parse_integer(field);
  if (!value)
    throw ParseError("entry", fmt::format("'{}' is not an integer", field.substr(0, 60)), where);
  return *value;
}

}  // namespace

std::string inp_label(std::string_view field) {
  std::string name = upper_case(unquoted(field));
  const std::size_t dot = name.find_last_of('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

void InpSets::add_line(const std::string& set,
                       const std::vector<std::string_view>& fields,
                       const Where& where) {
  Members& members = sets_[set];
  for (const std::string_view field : fields) {
    if (field.empty()) continue;
    const std::string label = inp_label(field);
    if (const auto id = parse_integer(label)) {
      members.push_back(*id);
    } else if (label != set) {
      references_[set].push_back({label, members.size(), where});
    }
  }
}

void InpSets::add_range(const std::string& set,
                        const std::vector<std::string_view>& fields,
                        const Where& where) {
  if (fields.size() < 2) throw ParseError("entry", "GENERATE needs first, last and step", where);
  const std::int64_t first = id_of(fields[0], where);
  const std::int64_t last = id_of(fields[1], where);
  const std::int64_t step = fields.size() > 2 && !fields[2].empty() ? id_of(fields[2], where) : 1;
  constexpr std::int64_t kMaxId = std::int64_t{1} << 60;
  if (step < 1 || last < first || first < -kMaxId || last > kMaxId)
    throw ParseError(
        "entry",
        fmt::format("the range {} to {} with step {} is empty or exceeds the limit of ids",
                    first,
                    last,
                    step),
        where);
  Members& members = sets_[set];
  const std::int64_t count = (last - first) / step + 1;
  if (count > kMaxBlindRange) {
    const Members& ids = scan_.ids();
    const auto begin = std::lower_bound(ids.begin(), ids.end(), first);
    const auto end = std::upper_bound(begin, ids.end(), last);
    count_members(static_cast<std::size_t>(end - begin), where);
    for (auto id = begin; id != end; ++id)
      if ((*id - first) % step == 0) members.push_back(*id);
    return;
  }
  count_members(static_cast<std::size_t>(count), where);
  for (std::int64_t k = 0; k < count; ++k)  // counted, because last + step may overflow
    members.push_back(first + k * step);
}

void InpSets::resolve(Diagnostics& diagnostics) {
  while (!references_.empty())
    resolve(std::string(references_.begin()->first), 0, diagnostics);
}

void InpSets::resolve(const std::string& set, int depth, Diagnostics& diagnostics) {
  const auto found = references_.find(set);
  if (found == references_.end()) return;
  const std::vector<Reference> references = std::move(found->second);
  references_.erase(found);  // a set that contains itself by way of others ends there
  if (depth > kMostNested)
    throw ParseError("entry",
                     fmt::format("sets of sets are nested more than {} deep", kMostNested),
                     references.front().where);
  Members out;
  std::size_t copied = 0;
  const Members own = sets_[set];
  const auto copy_to = [&](std::size_t end) {
    out.insert(out.end(),
               own.begin() + static_cast<std::ptrdiff_t>(copied),
               own.begin() + static_cast<std::ptrdiff_t>(end));
    copied = end;
  };
  for (const Reference& each : references) {
    copy_to(each.at);
    const auto other = sets_.find(each.other);
    if (other == sets_.end()) {
      diagnostics.warn(
          "unknown-set",
          fmt::format(
              "set {} names {}, which is neither an id nor a set of the deck", set, each.other),
          each.where);
      continue;
    }
    resolve(each.other, depth + 1, diagnostics);
    count_members(other->second.size(), each.where);
    out.insert(out.end(), other->second.begin(), other->second.end());
  }
  copy_to(own.size());
  sets_[set] = std::move(out);
}

std::optional<InpSets::Members> InpSets::members_of(std::string_view field, const Where& where) {
  const std::string label = inp_label(field);
  if (const auto id = parse_integer(label)) return Members{*id};
  const auto found = sets_.find(label);
  if (found == sets_.end()) return std::nullopt;
  count_members(found->second.size(), where);
  return found->second;
}

void InpSets::count_members(std::size_t count, const Where& where) {
  counted_ += static_cast<std::int64_t>(count);
  if (counted_ <= kMembersOfAnyDeck) return;  // the size of the deck takes a pass over its files
  const std::int64_t limit = kMembersOfAnyDeck + 4 * scan_.bytes();
  if (counted_ > limit)
    throw ParseError(
        "entry",
        fmt::format("the sets of the deck, and the lines that name them, have {} members; a deck "
                    "of this size may have {}",
                    counted_,
                    limit),
        where);
}

}  // namespace femflex::importer
