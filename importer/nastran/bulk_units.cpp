// Finds the units of DTI,UNITS by their names and compares the unit of mass with that of force.
// Names are those of the reference guides of NASTRAN and OptiStruct.
#include "nastran/bulk_units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "femflex/unit_constants.h"

namespace femflex::importer {
namespace {

/// Name of a unit and the factor that converts it to SI.
struct NamedFactor {
  std::string_view name;
  double factor = 1.0;
};

constexpr std::array kLengths{NamedFactor{"M", 1.0},
                              NamedFactor{"CM", 1e-2},
                              NamedFactor{"MM", 1e-3},
                              NamedFactor{"UM", 1e-6},
                              NamedFactor{"IN", kInch},
                              NamedFactor{"FT", kFoot},
                              NamedFactor{"YD", 3.0 * kFoot},
                              NamedFactor{"KM", 1e3}};
constexpr std::array kMasses{NamedFactor{"KG", 1.0},
                             NamedFactor{"G", 1e-3},
                             NamedFactor{"GRAM", 1e-3},
                             NamedFactor{"MG", 1e-6},
                             NamedFactor{"UG", 1e-9},
                             NamedFactor{"MGG", 1e3},
                             NamedFactor{"T", 1e3},
                             NamedFactor{"TONNE", 1e3},
                             NamedFactor{"SLUG", kSlug},
                             NamedFactor{"SLINCH", kSlinch},
                             NamedFactor{"OZM", kPound / 16.0},
                             NamedFactor{"LB", kPound},
                             NamedFactor{"LBM", kPound},
                             NamedFactor{"KLBM", 1e3 * kPound}};
constexpr std::array kForces{NamedFactor{"N", 1.0},
                             NamedFactor{"KN", 1e3},
                             NamedFactor{"MN", 1e-3},
                             NamedFactor{"UN", 1e-6},
                             NamedFactor{"NN", 1e-9},
                             NamedFactor{"DYNE", 1e-5},
                             NamedFactor{"KGF", kStandardGravity},
                             NamedFactor{"OZF", kPoundForce / 16.0},
                             NamedFactor{"LBF", kPoundForce},
                             NamedFactor{"KLBF", 1e3 * kPoundForce}};
constexpr std::array kTimes{NamedFactor{"S", 1.0},
                            NamedFactor{"SEC", 1.0},
                            NamedFactor{"MS", 1e-3},
                            NamedFactor{"US", 1e-6},
                            NamedFactor{"MIN", 60.0},
                            NamedFactor{"H", 3600.0}};
constexpr double kMegagram = 1e3;  // [kg]

/// Units are equal within this fraction; decks round WTMASS to three digits, .00259.
constexpr double kEqual = 0.01;

/// The factor to SI; 0 if the unit is unknown.
template <typename Table>
double factor_of(const Table& table, std::string_view name) {
  const auto found = std::find_if(
      table.begin(), table.end(), [&](const NamedFactor& each) { return each.name == name; });
  return found == table.end() ? 0.0 : found->factor;
}

bool is_equal(double a, double b, double tolerance = kEqual) {
  return std::abs(a - b) <= tolerance * std::abs(b);
}

/// The set with a name that has these factors, or `units`.
Units named(const Units& units) {
  constexpr double kRounding = 1e-9;
  for (const std::string& candidate : unit_names()) {
    const Units known = parse_units(candidate);
    if (is_equal(known.length, units.length, kRounding) &&
        is_equal(known.mass, units.mass, kRounding) && is_equal(known.time, units.time, kRounding))
      return known;
  }
  return units;
}

}  // namespace

std::optional<Units> consistent_units(const DeclaredUnits& declared,
                                      double mass_factor,
                                      Diagnostics& diagnostics) {
  Units units{.name = "dti",
              .length = factor_of(kLengths, declared.length),
              .mass = factor_of(kMasses, declared.mass),
              .time = factor_of(kTimes, declared.time)};
  const double force = factor_of(kForces, declared.force);
  if (units.mass == 0.0 || units.length == 0.0 || units.time == 0.0) {
    diagnostics.warn("units",
                     "DTI,UNITS has unknown units of mass, length or time: it is ignored",
                     declared.where);
    return std::nullopt;
  }
  const double by_force = force * units.time * units.time / units.length;
  if (declared.mass == "MG" && is_equal(by_force, kMegagram)) {
    units.mass = kMegagram;  // of decks that do not say MGG
  } else if (declared.mass == "MG" && force == 0.0) {
    diagnostics.warn(
        "units", "DTI,UNITS: MG is read as milligram; a megagram is MGG", declared.where);
  }
  const double by_mass = units.mass / mass_factor;
  const bool fits_cards = mass_factor != 1.0 && is_equal(units.mass, by_force);
  if ((force == 0.0 && mass_factor != 1.0) ||
      (force != 0.0 && !fits_cards && !is_equal(by_mass, by_force))) {
    diagnostics.warn(
        "units",
        fmt::format(
            "DTI,UNITS {}, {}, {}, {} with WTMASS = {}: the unit of mass of the matrices is "
            "{:.6g} kg by that of mass, but {} by that of force: the units stay unknown; "
            "correct the card or WTMASS, or give --units",
            declared.mass,
            declared.force.empty() ? "no force" : declared.force,
            declared.length,
            declared.time,
            mass_factor,
            by_mass,
            force == 0.0 ? "unknown" : fmt::format("{:.6g} kg", by_force)),
        declared.where);
    return std::nullopt;
  }
  if (force != 0.0) units.mass = by_force;
  return named(units);
}

}  // namespace femflex::importer
