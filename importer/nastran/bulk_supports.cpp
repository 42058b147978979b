// Member functions of BulkModel that read supports (SPC, SPC1, SPCADD) and find the sets that act:
// those that the case control selects, or all sets if the deck has no case control.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "model/constraint_sets.h"
#include "nastran/bulk_model.h"

namespace femflex::importer {
namespace {

/// Set number given to an SPC or SPC1 whose set field is blank, as FEDEM writes them: it applies
/// whatever set the case control selects.
constexpr std::int64_t kAnySet = 0;

constexpr SetWords kSpc{"SPC", "SPC and SPC1", "spc-set", "which this file does not define"};

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

/// The set of a subcase: the last one chosen in it, else the last one chosen above them.
std::optional<std::int64_t> BulkModel::chosen_by(const std::vector<Selection>& selections,
                                                 std::int64_t subcase) const {
  std::optional<std::int64_t> own, common;
  for (const Selection& each : selections) {
    if (each.subcase == subcase) own = each.set;
    if (each.subcase == 0) common = each.set;
  }
  return own ? own : common;
}

/// The sets that the subcases choose, the first one first; a set chosen above the subcases counts
/// only if some subcase chooses none itself.
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

/// The SPC set of the first subcase that chooses one; absent if it is 0 or none chooses a set.
/// @param defined  sets that have SPC or SPC1 cards
std::optional<std::int64_t> BulkModel::chosen_constraints(const std::set<std::int64_t>& defined) {
  const std::vector<std::int64_t> sets = chosen_sets(selected_);
  warn_of_choices(kSpc,
                  sets,
                  "for another, import a deck whose first subcase chooses it",
                  {file_},
                  diagnostics_);
  if (sets.empty() || sets.front() == 0) return std::nullopt;
  const std::int64_t chosen = sets.front();
  if (!spcadd_.contains(chosen) && !defined.contains(chosen))
    diagnostics_.warn(
        "spc-set",
        fmt::format(
            "the case control chooses SPC set {}, {}: it adds no support", chosen, kSpc.missing),
        {file_});
  return chosen;
}

/// The sets that have SPC or SPC1 cards.
std::set<std::int64_t> BulkModel::defined_constraints() const {
  std::set<std::int64_t> sets;
  for (const Ranged& each : ranged_)
    if (each.target == nullptr && each.set != kAnySet) sets.insert(each.set);
  return sets;
}

/// The SPC sets whose cards support the model.
std::vector<std::int64_t> BulkModel::applied_constraints() {
  const std::set<std::int64_t> defined = defined_constraints();
  std::set<std::int64_t> used;
  if (!contents_.constraint_sets.case_control) {
    used = outermost_sets(spcadd_, defined);
    warn_of_all_constraints(used);
  } else if (const auto chosen = chosen_constraints(defined)) {
    used.insert(*chosen);
  }
  std::vector<std::int64_t> out{kAnySet};
  for (const std::int64_t set : used) {
    check_sum(kSpc, spcadd_, defined, set, {file_}, diagnostics_);
    const std::vector<std::int64_t> acting = acting_sets(spcadd_, set);
    out.insert(out.end(), acting.begin(), acting.end());
  }
  return out;
}

/// Declares the load cases incomplete in which an SPC prescribes a displacement.
/// @param applied  the SPC sets whose supports the model has
void BulkModel::find_moving_supports(const std::vector<std::int64_t>& applied) {
  constexpr const char* kMoving = "SPC with a displacement other than 0";
  const auto moves = [&](const std::vector<std::int64_t>& sets) {
    return std::any_of(ranged_.begin(), ranged_.end(), [&](const Ranged& each) {
      return each.moves &&
             (each.set == kAnySet || std::find(sets.begin(), sets.end(), each.set) != sets.end());
    });
  };
  RawLoads& loads = contents_.loads;
  if (loads.chosen.empty() && moves(applied)) loads.unread = kMoving;
  for (RawLoadChoice& choice : loads.chosen) {
    const std::int64_t set = chosen_by(selected_, choice.subcase).value_or(0);
    if (choice.unread.empty() && moves(acting_sets(spcadd_, set))) choice.unread = kMoving;
  }
}

/// Warns that several SPC sets apply at once, because there is no case control.
void BulkModel::warn_of_all_constraints(const std::set<std::int64_t>& sets) {
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
  const std::int64_t first = *unknown.begin();
  diagnostics_.warn(
      "spc-unknown",
      unknown.size() == 1
          ? fmt::format(
                "SPC or SPC1 hold point {}, which this file does not define: unless another "
                "file defines it, this support has no effect",
                first)
          : fmt::format("SPC or SPC1 hold {} points that this file does not define, the first is "
                        "{}: unless another file defines them, these supports have no effect",
                        unknown.size(),
                        first),
      {file_});
}

}  // namespace femflex::importer
