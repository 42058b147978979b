// mass_of(): the mass of one element from its density and size, to compare with a mass matrix.
#pragma once

#include "femflex/elements/element.h"

namespace femflex::elements {

/// Mass of an element [kg]: density times volume of a solid with curved sides, area times thickness
/// of a shell, area times length of a bar, beam or rod. Springs have none. Mass that a property
/// adds (NSM) is not in it.
/// @return  NaN if the section does not give thickness or area
double mass_of(const Element& element);

}  // namespace femflex::elements
