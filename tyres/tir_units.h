// TirUnits: the [UNITS] block of a `.tir` file as factors to SI. make_tyre() uses it.
#pragma once

#include "femflex/tyres/tir_file.h"

#include "coefficient_names.h"

namespace femflex::tyres {

/// Each unit of the file in SI units.
struct TirUnits {
  double length = 1.0;    ///< [m]
  double force = 1.0;     ///< [N]
  double angle = 1.0;     ///< [rad]
  double time = 1.0;      ///< [s]
  double pressure = 0.0;  ///< [Pa]; 0: derived as force / length^2

  double factor(Dimension dimension) const;
};

/// @throws ParseError  an unknown unit
TirUnits units_of(const TirFile& file);

}  // namespace femflex::tyres
