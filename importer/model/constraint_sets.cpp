// Finds the sets of constraints that act, and checks the cards that combine sets.
#include "model/constraint_sets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace femflex::importer {

std::vector<std::int64_t> acting_sets(const SetSums& sums, std::int64_t set) {
  const auto it = sums.find(set);
  return it != sums.end() ? it->second : std::vector<std::int64_t>{set};
}

std::set<std::int64_t> outermost_sets(const SetSums& sums, std::set<std::int64_t> existing) {
  for (const auto& [id, parts] : sums)
    for (const std::int64_t part : parts)
      existing.erase(part);
  for (const auto& [id, parts] : sums)
    existing.insert(id);
  return existing;
}

void check_sum(const SetWords& words,
               const SetSums& sums,
               const std::set<std::int64_t>& existing,
               std::int64_t set,
               const Where& where,
               Diagnostics& diagnostics) {
  const auto it = sums.find(set);
  if (it == sums.end()) return;
  const std::string sum = fmt::format("{}ADD {}", words.kind, set);
  for (const std::int64_t part : it->second) {
    if (sums.contains(part))
      throw ModelError(words.code,
                       part == set
                           ? fmt::format("{} names itself", sum)
                           : fmt::format("{} names {}, another {}ADD", sum, part, words.kind),
                       where,
                       fmt::format("name the sets of {} cards themselves", words.kind));
    if (!existing.contains(part))
      diagnostics.warn(words.code,
                       fmt::format("{} names {} set {}, {}", sum, words.kind, part, words.missing),
                       where);
  }
  if (existing.contains(set))
    diagnostics.warn(words.code,
                     fmt::format("{} is used instead of the {} of set {}", sum, words.cards, set),
                     where);
}

void warn_of_choices(const SetWords& words,
                     const std::vector<std::int64_t>& chosen,
                     const char* other,
                     const Where& where,
                     Diagnostics& diagnostics) {
  const std::set<std::int64_t> sets(chosen.begin(), chosen.end());
  if (sets.size() < 2) return;
  const std::int64_t first = chosen.front();
  diagnostics.warn(words.code,
                   fmt::format("the subcases choose {} sets {}: {} is used; {}",
                               words.kind,
                               fmt::join(sets, ", "),
                               first == 0 ? "none" : std::to_string(first),
                               other),
                   where);
}

}  // namespace femflex::importer
