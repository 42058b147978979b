// Finds the sets of single-point or multipoint constraints that act when a subcase chooses one:
// SPCADD and MPCADD combine sets in the same way.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"

namespace femflex::importer {

/// The sets that each SPCADD or MPCADD combines, by its own set.
using SetSums = std::map<std::int64_t, std::vector<std::int64_t>>;

/// The words of messages for one kind of constraint.
struct SetWords {
  const char* kind;     ///< SPC or MPC
  const char* cards;    ///< that define a set: `SPC and SPC1`
  const char* code;     ///< of warnings and errors
  const char* missing;  ///< said of a set without cards: `which does not exist`
};

/// The sets whose cards act if `set` is chosen: those that its SPCADD or MPCADD combines, else
/// itself. Altair OptiStruct, SPCADD and MPCADD, comment 2: if cards have the same set as an SPCADD
/// or MPCADD, only the latter is used.
std::vector<std::int64_t> acting_sets(const SetSums& sums, std::int64_t set);

/// The sets that stand for themselves: those of SPCADD or MPCADD, and those that none of them
/// names.
/// @param existing  sets that have cards
std::set<std::int64_t> outermost_sets(const SetSums& sums, std::set<std::int64_t> existing);

/// Checks the SPCADD or MPCADD of a set that acts, if it has one: warns of cards that do not act
/// and of sets that do not exist.
/// @param existing  sets that have cards
/// @throws ModelError  it names itself or another sum
void check_sum(const SetWords& words,
               const SetSums& sums,
               const std::set<std::int64_t>& existing,
               std::int64_t set,
               const Where& where,
               Diagnostics& diagnostics);

/// Warns if subcases choose several sets, of which the first one is used. Set 0 is none.
/// @param other  how to use another one
void warn_of_choices(const SetWords& words,
                     const std::vector<std::int64_t>& chosen,
                     const char* other,
                     const Where& where,
                     Diagnostics& diagnostics);

}  // namespace femflex::importer
