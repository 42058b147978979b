// The systems of units that ANSYS files name or number.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "femflex/units.h"

namespace femflex::importer {

/// A system of /UNITS.
struct AnsysUnits {
  std::int64_t number;
  std::string_view name;    ///< in upper case
  std::string_view system;  ///< as parse_units() takes it; empty if it has no such name

  std::optional<Units> units() const;
};

/// The system with this number or name; null for user-defined ones and none.
const AnsysUnits* find_ansys_units(std::int64_t number);
const AnsysUnits* find_ansys_units(std::string_view name);

}  // namespace femflex::importer
