// Member functions of BulkModel that read supports (SPC, SPC1, SPCADD) and find the sets that act:
// those that the case control selects, or all if there is none.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "nastran/bulk_model.h"

namespace femflex::importer {
namespace {

/// Set number given to an SPC or SPC1 whose set field is blank, as FEDEM writes them: it applies
/// whatever set the case control selects.
constexpr std::int64_t kAnySet = 0;

}  // namespace

void BulkModel::spc(const BulkFields& f, std::string_view /*name*/) {
  const std::int64_t set = f.integer_or(0, kAnySet);
  for (std::size_t k = 1; k + 1 < f.size() && k < 7; k += 3)
    if (!f.blank(k)) {
      const std::int64_t id = f.integer(k);
      // no target: finish() adds the DOFs to the fixed ones if the set is selected
      ranged_.push_back({nullptr,
                         set,
                         f.components(k + 1),
                         {{id, id, 1, {}}},
                         k + 2 < f.size() && f.real_or(k + 2, 0.0) != 0.0});
    }
}

void BulkModel::spc1(const BulkFields& f, std::string_view /*name*/) {
  ranged_.push_back({nullptr, f.integer_or(0, kAnySet), f.components(1), id_ranges(f, 2)});
}

void BulkModel::spcadd(const BulkFields& f, std::string_view /*name*/) {
  std::vector<std::int64_t>& sum = spcadd_[f.integer(0)];
  for (std::size_t k = 1; k < f.size(); ++k)
    if (!f.blank(k)) sum.push_back(f.integer(k));
}

/// The set of a subcase: the last one chosen in it, else above the subcases.
std::optional<std::int64_t> BulkModel::chosen_by(const std::vector<Selection>& selections,
                                                 std::int64_t subcase) const {
  std::optional<std::int64_t> own, common;
  for (const Selection& each : selections) {
    if (each.subcase == subcase) own = each.set;
    if (each.subcase == 0) common = each.set;
  }
  return own ? own : common;
}

/// The sets that the subcases choose, the first one first; those chosen above them alone do not act
/// if every subcase has its own.
std::vector<std::int64_t> BulkModel::chosen_sets(const std::vector<Selection>& selections) const {
  std::vector<std::int64_t> subcases = subcases_;
  if (subcases.empty()) subcases.push_back(0);
  std::vector<std::int64_t> out;
  for (const std::int64_t subcase : subcases)
    if (const auto set = chosen_by(selections, subcase);
        set && std::find(out.begin(), out.end(), *set) == out.end())
      out.push_back(*set);
  return out;
}

/// The SPC set of the first subcase that has one; absent if the case control selects none.
std::optional<std::int64_t> BulkModel::chosen_constraints() {
  const std::vector<std::int64_t> sets = chosen_sets(selected_);
  if (sets.empty()) return std::nullopt;
  const std::int64_t chosen = sets.front();
  for (const Selection& each : selected_)
    if (each.set != chosen) {
      diagnostics_.warn("spc-set",
                        fmt::format("the case control chooses SPC sets {} and {}: {} is used; for "
                                    "the other, import a deck whose first subcase chooses it",
                                    chosen,
                                    each.set,
                                    chosen),
                        {file_});
      break;
    }
  const bool is_defined = spcadd_.contains(chosen) ||
                          std::any_of(ranged_.begin(), ranged_.end(), [&](const Ranged& each) {
                            return each.target == nullptr && each.set == chosen;
                          });
  if (!is_defined)
    diagnostics_.warn("spc-set",
                      fmt::format("the case control chooses SPC set {}, which this file does not "
                                  "define: no support acts",
                                  chosen),
                      {file_});
  return chosen;
}

/// The SPC sets that act if the case control selects `set`: also those of its SPCADD.
std::vector<std::int64_t> BulkModel::with_sums(std::optional<std::int64_t> set) const {
  std::vector<std::int64_t> out{kAnySet};
  if (!set) return out;
  out.push_back(*set);
  if (const auto it = spcadd_.find(*set); it != spcadd_.end())
    out.insert(out.end(), it->second.begin(), it->second.end());
  return out;
}

/// Declares the load cases incomplete in which an SPC prescribes a displacement.
/// @param applied  the SPC sets whose supports the model has
void BulkModel::find_moving_supports(const std::vector<std::int64_t>& applied) {
  constexpr const char* kMoving = "SPC with a displacement other than 0";
  const auto moves = [&](const std::vector<std::int64_t>* sets) {
    return std::any_of(ranged_.begin(), ranged_.end(), [&](const Ranged& each) {
      return each.moves &&
             (sets == nullptr || std::find(sets->begin(), sets->end(), each.set) != sets->end());
    });
  };
  RawLoads& loads = contents_.loads;
  if (loads.chosen.empty() && moves(case_control_ ? &applied : nullptr)) loads.unread = kMoving;
  for (RawLoadChoice& choice : loads.chosen) {
    const std::vector<std::int64_t> sets = with_sums(chosen_by(selected_, choice.subcase));
    if (choice.unread.empty() && moves(&sets)) choice.unread = kMoving;
  }
}

/// Warns that several SPC sets apply at once, because there is no case control.
void BulkModel::warn_of_all_constraints() {
  std::set<std::int64_t> sets;
  for (const Ranged& ranged : ranged_)
    if (ranged.target == nullptr && ranged.set != kAnySet) sets.insert(ranged.set);
  std::set<std::int64_t> summed;
  for (const auto& [id, parts] : spcadd_) {
    sets.insert(id);
    summed.insert(parts.begin(), parts.end());
  }
  for (const std::int64_t id : summed)
    sets.erase(id);
  if (sets.size() > 1)
    diagnostics_.warn("spc-set",
                      fmt::format("there is no case control: the supports of all SPC sets, {}, are "
                                  "used; give the deck with its case control to use one",
                                  fmt::join(sets, ", ")),
                      {file_});
}

/// Warns of supports on points that are not in a deck with grids.
void BulkModel::warn_of_unknown_supports() {
  if (grid_ids_.empty()) return;
  std::set<std::int64_t> unknown;
  for (const Dof& dof : contents_.fixed)
    if (!std::binary_search(grid_ids_.begin(), grid_ids_.end(), dof.node) &&
        !std::binary_search(scalar_ids_.begin(), scalar_ids_.end(), dof.node))
      unknown.insert(dof.node);
  if (unknown.empty()) return;
  diagnostics_.warn("spc-unknown",
                    fmt::format("SPC or SPC1 hold {} points that this file does not define, the "
                                "first is {}: unless another file defines them, these supports "
                                "have no effect",
                                unknown.size(),
                                *unknown.begin()),
                    {file_});
}

}  // namespace femflex::importer
