// Whether the numbers of a file are those of a tyre: the size of each, and forces at usual slips
// and loads that are finite and of the size of the load.
#pragma once

#include <string>

#include "femflex/diagnostics.h"
#include "femflex/tyres/tyre.h"

#include "coefficient_names.h"

namespace femflex::tyres {

/// Sizes between which a value in SI units may be that of a tyre. They lie orders of magnitude
/// beyond any real tyre, from toys to mining trucks, and far within the range of numbers.
struct Sizes {
  double smallest = 0.0;  ///< of values that must be positive
  double largest = 0.0;   ///< of the absolute value
};
Sizes sizes_of(Dimension dimension);

/// The dimensionless coefficient of a file with the largest absolute value, for messages.
struct LargestCoefficient {
  std::string name;
  double value = 0.0;
};

/// Evaluates the tyre at usual loads, slips, camber angles, speeds and at the ends of its range of
/// pressure. Warns once if a force, a moment or a relaxation length is out of all proportion to the
/// load and the radius. The limit is wider for forces of the linear tyre, which rise with slip.
/// @throws ModelError  a force or moment is not finite
void check_forces(const Tyre& tyre,
                  const LargestCoefficient& largest,
                  const std::string& file,
                  Diagnostics& notes);

}  // namespace femflex::tyres
