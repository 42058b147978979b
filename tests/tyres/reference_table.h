// The reference tables of tests/tyres/reference, for the tests of tyre laws: states with expected
// forces, and groups of coefficients.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "femflex/tyres/read_tyre.h"
#include "femflex/tyres/tyre_state.h"

namespace femflex::testing {

struct TyreCase {
  std::string group;
  tyres::TyreState state;
  tyres::TyreForces expected;
};

/// The sample file data/tyres/valid/<name>.
tyres::TirFile sample_tir(const std::string& name);

/// The sample file as a tyre. Expects that reading it gives no warnings.
tyres::Tyre sample_tyre(const std::string& name);

std::vector<TyreCase> tyre_cases(const std::string& name);

/// A tyre for each group of groups_<name>.csv: the sample file `file` with the values of the group.
/// A group "only_..." also takes the values of the group "only", which all of these groups share.
/// The group "all" is the unchanged sample file.
std::map<std::string, tyres::Tyre> tyres_of_groups(const std::string& name,
                                                   const tyres::TirFile& file);

}  // namespace femflex::testing
