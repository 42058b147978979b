// The table of the command /UNITS; result files have its numbers.
#include "ansys/units.h"

#include <algorithm>
#include <array>

namespace femflex::importer {
namespace {

constexpr std::array<AnsysUnits, 7> kSystems{{{1, "SI", "m-kg-s"},
                                              {2, "CGS", "cm-g-s"},
                                              {3, "BFT", ""},
                                              {4, "BIN", ""},
                                              {5, "MKS", "m-kg-s"},
                                              {6, "MPA", "mm-t-s"},
                                              {7, "UMKS", ""}}};

template <typename IsMeant>
const AnsysUnits* find_system(IsMeant is_meant) {
  const auto found = std::find_if(kSystems.begin(), kSystems.end(), is_meant);
  return found == kSystems.end() ? nullptr : &*found;
}

}  // namespace

std::optional<Units> AnsysUnits::units() const {
  if (system.empty()) return std::nullopt;
  return parse_units(system);
}

const AnsysUnits* find_ansys_units(std::int64_t number) {
  return find_system([&](const AnsysUnits& each) { return each.number == number; });
}

const AnsysUnits* find_ansys_units(std::string_view name) {
  return find_system([&](const AnsysUnits& each) { return each.name == name; });
}

}  // namespace femflex::importer
