// The units that DTI,UNITS of a NASTRAN deck declares, together with PARAM,WTMASS.
#pragma once

#include <optional>
#include <string>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/units.h"

namespace femflex::importer {

/// The fields of DTI,UNITS in upper case.
struct DeclaredUnits {
  std::string mass, force, length, time;
  Where where;
};

/// The consistent units of the matrices. They hold `mass_factor` (WTMASS) times the masses of the
/// cards, so that their unit of mass is that of force * time^2 / length.
/// @return nothing, with a warning, if a unit is unknown or the units do not fit each other
std::optional<Units> consistent_units(const DeclaredUnits& declared,
                                      double mass_factor,
                                      Diagnostics& diagnostics);

}  // namespace femflex::importer
