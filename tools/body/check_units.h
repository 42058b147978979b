// check_units(): checks whether mass, size, density and speed of sound of a model are plausible in
// its units. check_model() calls it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "femflex/fe_model.h"
#include "femflex/units.h"

#include "body/check_model.h"

namespace femflex::tools {

/// Properties of a model in the units of its file, which show whether these units are plausible.
struct UnitFigures {
  double mass = 0.0;
  double size = 0.0;     ///< longest side of the bounding box of the nodes
  double box = 0.0;      ///< volume of that bounding box; each side is taken as at least 1/20 of
                         ///< the longest
  double density = 0.0;  ///< density if all elements are solids; 0: unknown
  double wave = 0.0;     ///< speed of sound within a factor of about three; 0: unknown
};
/// Computes the figures of a model.  @param mass  mass of the model in the units of its file
UnitFigures unit_figures(const FeModel& model, double mass);

/// Describes, in SI units, the first property that is impossible for a real part ("a density of
/// 7.8e+12 kg/m3"); empty if all are plausible.
std::string implausible(const UnitFigures& figures, const Units& units);

/// Adds findings to `report` if units are missing or implausible; needs report.mass.
void check_units(const FeModel& model, CheckReport& report);

}  // namespace femflex::tools
