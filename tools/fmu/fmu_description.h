// modelDescription.xml of an FMU, in the versions 2.0 and 3.0 of the standard.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fmu/fmu_model.h"

namespace femflex::fmu {

enum class Version : std::uint8_t { fmi2, fmi3 };

/// The document.
/// @param identifier  name of the library, a C identifier
/// @param step        proposed communication step [s]
std::string description_of(const FmuModel& model,
                           Version version,
                           const std::string& identifier,
                           double step);

/// Exponents of kg, m, s, A, K, mol, cd, rad, and the factor to them: "N" is kg m s^-2.
struct BaseUnit {
  int exponents[8] = {};
  double factor = 1.0;
};
/// The base units of a text such as "N m/rad", "mm/s^2" or "kN". Empty if it is not known.
std::optional<BaseUnit> base_unit(const std::string& unit);

}  // namespace femflex::fmu
