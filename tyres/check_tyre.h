// check_forces(): checks whether the numbers of a file can be those of a tyre. Values must be in a
// plausible range, stiffnesses must not be negative, and forces at usual slips and loads must be
// finite and comparable to the load.
// make_tyre() calls it.
#pragma once

#include <string>

#include "femflex/diagnostics.h"
#include "femflex/tyres/tyre.h"

#include "coefficient_names.h"

namespace femflex::tyres {

/// Range of a value in SI units for any tyre. The limits are orders of magnitude beyond real tyres,
/// from toys to mining trucks, and far from the limits of floating-point numbers.
struct Sizes {
  double smallest = 0.0;  ///< lower limit of values that must be positive
  double largest = 0.0;   ///< upper limit of the absolute value
};
Sizes sizes_of(Dimension dimension);

/// The dimensionless coefficient of a file with the largest absolute value; for messages.
struct LargestCoefficient {
  std::string name;
  double value = 0.0;
};

/// Evaluates the tyre at usual loads, slips, camber angles and speeds, and at the ends of its
/// pressure range. Warns once if a force, a moment or a relaxation length is implausibly large for
/// the load and the radius. The limit is higher for forces of the linear tyre, which increase with
/// slip.
/// @throws ModelError  a force or moment is not finite; a stiffness or a relaxation length is
/// negative
void check_forces(const Tyre& tyre,
                  const LargestCoefficient& largest,
                  const std::string& file,
                  Diagnostics& notes);

}  // namespace femflex::tyres
