// Recovery of rods and springs between two nodes; stress_map() calls it.
#pragma once

#include "femflex/elements/stress_map.h"

namespace femflex::elements {

StressMap rod_map(const Element& element, const StressRequest& request);

StressMap spring_map(const Element& element, const StressRequest& request);

}  // namespace femflex::elements
