// Recovery of solids with the isoparametric B matrix; stress_map() calls it.
#pragma once

#include "femflex/elements/stress_map.h"

namespace femflex::elements {

StressMap solid_map(const Element& element, const StressRequest& request);

}  // namespace femflex::elements
