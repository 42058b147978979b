// Converts the unit names of a `.tir` file, in upper or lower case, to SI factors.
#include "tir_units.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "femflex/text.h"
#include "femflex/unit_constants.h"

namespace femflex::tyres {
namespace {

struct UnitName {
  std::string_view name;  ///< lower case
  double si;
};

// Names and shortest abbreviations of "Units Supported in Tire Property Files" in the help of
// Adams Tire, further spellings of the same units, and symbols. Each may have a plural s.
constexpr auto kLengths = std::to_array<UnitName>({{"meter", 1.0},
                                                   {"metre", 1.0},
                                                   {"m", 1.0},
                                                   {"millimeter", 1e-3},
                                                   {"millimetre", 1e-3},
                                                   {"mm", 1e-3},
                                                   {"centimeter", 1e-2},
                                                   {"centimetre", 1e-2},
                                                   {"cm", 1e-2},
                                                   {"kilometer", 1e3},
                                                   {"kilometre", 1e3},
                                                   {"km", 1e3},
                                                   {"inch", kInch},
                                                   {"inches", kInch},
                                                   {"in", kInch},
                                                   {"foot", kFoot},
                                                   {"feet", kFoot},
                                                   {"ft", kFoot},
                                                   {"mile", 5280.0 * kFoot}});
constexpr auto kForces = std::to_array<UnitName>({{"newton", 1.0},
                                                  {"n", 1.0},
                                                  {"kilonewton", 1e3},
                                                  {"knewton", 1e3},
                                                  {"kn", 1e3},
                                                  {"kg_force", kStandardGravity},
                                                  {"kilogram_force", kStandardGravity},
                                                  {"kgf", kStandardGravity},
                                                  {"pound_force", kPoundForce},
                                                  {"lbf", kPoundForce},
                                                  {"kpound_force", 1e3 * kPoundForce},
                                                  {"ounce_force", kPoundForce / 16.0},
                                                  {"dyne", 1e-5}});
constexpr auto kAngles =
    std::to_array<UnitName>({{"radian", 1.0}, {"rad", 1.0}, {"degree", kDegree}, {"deg", kDegree}});
constexpr auto kTimes = std::to_array<UnitName>({{"second", 1.0},
                                                 {"sec", 1.0},
                                                 {"s", 1.0},
                                                 {"millisecond", 1e-3},
                                                 {"milli", 1e-3},
                                                 {"ms", 1e-3},
                                                 {"minute", 60.0},
                                                 {"min", 60.0},
                                                 {"hour", 3600.0}});
constexpr auto kPressures = std::to_array<UnitName>(
    {{"pascal", 1.0}, {"pa", 1.0}, {"kpa", 1e3}, {"bar", 1e5}, {"psi", kPsi}});

/// The factor of NAME in [UNITS]; `default_factor` if it is absent.
double unit_of(const TirFile& file,
               std::string_view name,
               std::span<const UnitName> known,
               double default_factor) {
  const TirEntry* entry = file.find(name, "UNITS");
  if (entry == nullptr) return default_factor;
  const std::string text = lower_case(entry->text);
  std::string names;
  for (const UnitName& unit : known) {
    const bool is_plural = unit.name.size() > 2 && text == std::string(unit.name) + 's';
    if (text == unit.name || is_plural) return unit.si;
    names += (names.empty() ? "" : ", ") + std::string(unit.name);
  }
  throw ParseError("unknown-unit",
                   fmt::format("{}: '{}' is not a known unit", name, entry->text),
                   file.where(*entry),
                   fmt::format("use one of {}", names));
}

}  // namespace

double TirUnits::factor(Dimension dimension) const {
  switch (dimension) {
    case Dimension::none:
      return 1.0;
    case Dimension::force:
      return force;
    case Dimension::length:
      return length;
    case Dimension::speed:
      return length / time;
    case Dimension::pressure:
      return pressure > 0.0 ? pressure : force / (length * length);
    case Dimension::stiffness:
      return force / length;
    case Dimension::damping:
      return force * time / length;
    case Dimension::force_per_angle:
      return force / angle;
    case Dimension::angle:
      return angle;
  }
  return 1.0;
}

TirUnits units_of(const TirFile& file) {
  TirUnits units;
  units.length = unit_of(file, "LENGTH", kLengths, 1.0);
  units.force = unit_of(file, "FORCE", kForces, 1.0);
  units.angle = unit_of(file, "ANGLE", kAngles, 1.0);
  units.time = unit_of(file, "TIME", kTimes, 1.0);
  units.pressure = unit_of(file, "PRESSURE", kPressures, 0.0);
  return units;
}

}  // namespace femflex::tyres
