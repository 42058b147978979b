// shell_map(): stress recovery of shells at both faces. Called by stress_map().
#pragma once

#include "femflex/elements/stress_map.h"

namespace femflex::elements {

StressMap shell_map(const Element& element, const StressRequest& request);

}  // namespace femflex::elements
