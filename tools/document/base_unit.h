// base_unit(): converts units such as "N m/rad" to base units. fmu_block.cpp uses it to compare
// units.
#pragma once

#include <optional>
#include <string>

namespace femflex::tools {

/// Exponents of kg, m, s, A, K, mol, cd, rad, and the factor to SI: "N" is kg m s^-2.
struct BaseUnit {
  int exponents[8] = {};
  double factor = 1.0;
};
/// The base units of a text such as "N m/rad", "mm/s^2" or "kN"; empty if the unit is unknown.
std::optional<BaseUnit> base_unit(const std::string& unit);

}  // namespace femflex::tools
