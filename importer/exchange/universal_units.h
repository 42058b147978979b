// The units of a universal file (data set 164).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "femflex/units.h"

namespace femflex::importer {

/// The set of units with this number, or, if the number is another one (9: the user's own), with
/// the factors of the second line: a length and a force of SI, divided by them, are those of the
/// file. Empty if no set has them.
std::optional<Units> universal_units(std::int64_t number, std::string_view factors);

}  // namespace femflex::importer
