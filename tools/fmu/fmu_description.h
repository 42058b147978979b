// description_of(): writes modelDescription.xml of an FMU, for FMI 2.0 and 3.0. make_fmu calls it.
#pragma once

#include <cstdint>
#include <string>

#include "fmu/fmu_model.h"

namespace femflex::fmu {

enum class Version : std::uint8_t { fmi2, fmi3 };

/// The text of modelDescription.xml.
/// @param identifier  name of the library, a C identifier
/// @param step        proposed communication step [s]
std::string description_of(const FmuModel& model,
                           Version version,
                           const std::string& identifier,
                           double step);

}  // namespace femflex::fmu
