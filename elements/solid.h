// Recovery of solids: strain by the isoparametric B matrix.
#pragma once

#include "femflex/elements/stress_map.h"

namespace femflex::elements {

StressMap solid_map(const Element& element, const StressRequest& request);

}  // namespace femflex::elements
