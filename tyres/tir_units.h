// TirUnits: the [UNITS] block of a `.tir` file as SI factors. make_tyre() uses it.
#pragma once

#include "femflex/tyres/tir_file.h"

#include "coefficient_names.h"

namespace femflex::tyres {

/// Each unit of the file in SI units. MASS of the block is not read: none of the values that a tyre
/// takes from the file has the dimension of a mass.
struct TirUnits {
  double length = 1.0;    ///< [m]
  double force = 1.0;     ///< [N]
  double angle = 1.0;     ///< [rad]
  double time = 1.0;      ///< [s]
  double pressure = 0.0;  ///< [Pa]; 0: derived as force / length^2

  /// The unit of the file for this dimension, in the SI unit.
  double factor(Dimension dimension) const;
};

/// @throws ParseError  an unknown unit
TirUnits units_of(const TirFile& file);

}  // namespace femflex::tyres
