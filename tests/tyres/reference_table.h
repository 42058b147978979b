// The tables of tests/tyres/reference: states, forces, and the values that a group of coefficients
// sets in a sample file.
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

/// The sample file as a tyre; expects that there is nothing to tell.
tyres::Tyre sample_tyre(const std::string& name);

std::vector<TyreCase> tyre_cases(const std::string& name);

/// A tyre for each group of groups_<name>.csv, made of the sample file; `only` has the coefficients
/// that every group has.
std::map<std::string, tyres::Tyre> tyres_of_groups(const std::string& name,
                                                   const tyres::TirFile& file);

}  // namespace femflex::testing
