// Computes modes of the component while it is held by its own constraints only; used by
// compute_modes().
#pragma once

#include "methods/mode_collector.h"

namespace femflex::modal {

/// Adds the modes of the component with only its own constraints: free normal modes, attachment and
/// residual attachment modes, static solutions under loads, moment-matching vectors.
void add_free_modes(const ModeWork& work);

}  // namespace femflex::modal
