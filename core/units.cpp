// Finds a set of units by its name, and lists the names in the error where there is none.
#include "femflex/units.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/errors.h"
#include "femflex/unit_constants.h"

namespace femflex {
namespace {

const std::array<Units, 8>& table() {
  static const std::array<Units, 8> units{{
      {"m-kg-s", 1.0, 1.0, 1.0},
      {"mm-t-s", 1e-3, 1e3, 1.0},
      {"mm-kg-s", 1e-3, 1.0, 1.0},
      {"mm-kg-ms", 1e-3, 1.0, 1e-3},
      {"mm-g-ms", 1e-3, 1e-3, 1e-3},
      {"cm-g-s", 1e-2, 1e-3, 1.0},
      {"in-lbf-s", kInch, kSlinch, 1.0},
      {"ft-lbf-s", kFoot, kSlug, 1.0},
  }};
  return units;
}

}  // namespace

Units parse_units(std::string_view name) {
  for (const Units& units : table())
    if (units.name == name) return units;
  throw UsageError("unknown-units",
                   fmt::format("'{}' is not a set of units", name),
                   {},
                   fmt::format("use one of {}", fmt::join(unit_names(), ", ")));
}

std::vector<std::string> unit_names() {
  std::vector<std::string> names;
  for (const Units& units : table())
    names.push_back(units.name);
  return names;
}

}  // namespace femflex
