// Checks whether mass, size, density and speed of sound of a model are plausible in its units.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "femflex/fe_model.h"
#include "femflex/units.h"

#include "body/check_model.h"

namespace femflex::tools {

/// Figures of a model, in the units of its file, that show whether these units are plausible.
struct UnitFigures {
  double mass = 0.0;
  double size = 0.0;     ///< longest side of the bounding box of the nodes
  double box = 0.0;      ///< volume of that box, no side below a twentieth of the longest
  double density = 0.0;  ///< density, if all elements are solids; 0: not known
  double wave = 0.0;     ///< speed of sound, accurate to a factor of about three; 0: not known
};
UnitFigures unit_figures(const FeModel& model, double mass);

/// Names a figure that no known material has in these units; empty if all are plausible.
std::string implausible(const UnitFigures& figures, const Units& units);

/// Reports missing units, and units in which no part can have these figures.
void check_units(const FeModel& model, CheckReport& report);

}  // namespace femflex::tools
