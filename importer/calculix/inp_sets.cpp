// Collects the sets of a deck. Ranges and sets of sets let a short deck name very many members, so
// their number is limited by the size of the deck.
#include "calculix/inp_sets.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "femflex/number.h"

#include "calculix/inp_scan.h"

namespace femflex::importer {
namespace {

/// A GENERATE range of at most this many ids is taken as it stands. Of a longer one only the ids
/// that occur in the deck are taken.
constexpr std::int64_t kMaxBlindRange = 10'000;
/// Members that the sets of any deck may have; a longer deck may have four a byte more.
constexpr std::int64_t kMembersOfAnyDeck = 16 * kMaxBlindRange;
/// Members that its lines may take from sets, such as loads on all nodes in each of many steps: a
/// gigabyte of loads.
constexpr std::int64_t kUsesOfAnyDeck = 20'000'000;

/// Sets of sets of sets: far more than any deck has, far fewer than the stack holds.
constexpr int kMostNested = 1000;

}  // namespace

void InpSets::add_line(const std::string& set,
                       const std::vector<std::string_view>& fields,
                       const Where& where) {
  Members& members = sets_[set];
  for (const std::string_view field : fields) {
    if (field.empty()) continue;
    const std::string name = names_.here(field);
    if (const auto id = parse_integer(name)) {
      members.push_back(*id);
    } else if (name != set) {
      references_[set].push_back({name, std::nullopt, members.size(), where});
    }
  }
}

void InpSets::add_range(const std::string& set,
                        const std::vector<std::string_view>& fields,
                        const Where& where) {
  if (fields.size() < 2) throw ParseError("entry", "GENERATE needs a first and a last id", where);
  Range range{inp_integer(fields[0], where), inp_integer(fields[1], where)};
  if (fields.size() > 2 && !fields[2].empty()) range.step = inp_integer(fields[2], where);
  constexpr std::int64_t kMaxId = std::int64_t{1} << 60;
  if (range.step < 1)
    throw ParseError("entry", fmt::format("the step {} is below 1", range.step), where);
  if (range.last < range.first || range.first < -kMaxId || range.last > kMaxId)
    throw ParseError(
        "entry",
        fmt::format("the range {} to {} with step {} is empty or exceeds the limit of ids",
                    range.first,
                    range.last,
                    range.step),
        where);
  references_[set].push_back({"", range, sets_[set].size(), where});
}

void InpSets::append_range(const Range& range, const Where& where, Members& out) {
  const std::int64_t count = (range.last - range.first) / range.step + 1;
  if (count > kMaxBlindRange) {
    const auto begin = std::lower_bound(ids_.begin(), ids_.end(), range.first);
    const auto end = std::upper_bound(begin, ids_.end(), range.last);
    count_uses(static_cast<std::size_t>(end - begin), where);  // all are looked at
    const std::size_t before = out.size();
    for (auto id = begin; id != end; ++id)
      if ((*id - range.first) % range.step == 0) out.push_back(*id);
    count_members(out.size() - before, where);
    return;
  }
  count_members(static_cast<std::size_t>(count), where);
  for (std::int64_t k = 0; k < count; ++k)  // counted, because last + step may overflow
    out.push_back(range.first + k * range.step);
}

void InpSets::resolve(Members ids, std::int64_t bytes, Diagnostics& diagnostics) {
  ids_ = std::move(ids);
  std::sort(ids_.begin(), ids_.end());
  ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
  bytes_ = bytes;
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
    append(each, depth, out, diagnostics);
  }
  copy_to(own.size());
  sets_[set] = std::move(out);
}

void InpSets::append(const Reference& reference,
                     int depth,
                     Members& out,
                     Diagnostics& diagnostics) {
  if (reference.range) return append_range(*reference.range, reference.where, out);
  const auto other = names_.find(sets_, reference.other);
  if (other != sets_.end()) {
    resolve(other->first, depth + 1, diagnostics);
    count_members(other->second.size(), reference.where);
    out.insert(out.end(), other->second.begin(), other->second.end());
  } else if (const auto id = names_.id_of(reference.other)) {
    out.push_back(*id);
  } else {
    diagnostics.warn("unknown-set",
                     fmt::format("a set names {}, which is neither an id nor a set of the deck",
                                 names_.bare(reference.other)),
                     reference.where);
  }
}

std::optional<InpSets::Members> InpSets::members_of(std::string_view field, const Where& where) {
  if (const auto id = parse_integer(field)) return Members{*id};
  if (const auto found = names_.find(sets_, field); found != sets_.end()) {
    count_uses(found->second.size(), where);
    return found->second;
  }
  if (const auto id = names_.id_of(field)) return Members{*id};
  return std::nullopt;
}

std::optional<InpSets::Members> InpSets::ordered_members_of(std::string_view field,
                                                            const Where& where) {
  std::optional<Members> out = members_of(field, where);
  const auto found = names_.find(sets_, field);
  if (!out || found == sets_.end() || unsorted_.contains(found->first)) return out;
  std::sort(out->begin(), out->end());
  out->erase(std::unique(out->begin(), out->end()), out->end());
  return out;
}

const InpSets::Members* InpSets::find(std::string_view name) const {
  const auto found = names_.find(sets_, name);
  return found == sets_.end() ? nullptr : &found->second;
}

std::map<std::string, InpSets::Members> InpSets::by_name() const {
  std::map<std::string, int> count;
  for (const auto& [stored, members] : sets_)
    ++count[names_.bare(stored)];
  std::map<std::string, Members> out;
  for (const auto& [stored, members] : sets_) {
    const std::string name = names_.bare(stored);
    out[count[name] == 1 ? name : stored] = members;
  }
  return out;
}

void InpSets::count_members(std::size_t count, const Where& where) {
  members_ += static_cast<std::int64_t>(count);
  check_count(members_, kMembersOfAnyDeck + 4 * bytes_, "the sets of the deck have", where);
}

void InpSets::count_uses(std::size_t count, const Where& where) {
  uses_ += static_cast<std::int64_t>(count);
  check_count(uses_, kUsesOfAnyDeck + 4 * bytes_, "the lines that name sets have", where);
}

void InpSets::check_count(std::int64_t count,
                          std::int64_t limit,
                          const char* what,
                          const Where& where) {
  if (count <= limit) return;
  throw ParseError(
      "entry",
      fmt::format("{} {} members; of a deck of this size at most {} are read", what, count, limit),
      where,
      "divide the deck, or name larger sets less often");
}

}  // namespace femflex::importer
