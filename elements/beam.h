// Recovery of bars and beams, called by stress_map(): axial force, torsion, bending in two planes
// with shear flexibility.
#pragma once

#include "femflex/elements/stress_map.h"

namespace femflex::elements {

StressMap beam_map(const Element& element, const StressRequest& request);

}  // namespace femflex::elements
