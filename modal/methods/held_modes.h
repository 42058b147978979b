// Computes modes of the component with its interface fixed; used by compute_modes().
#pragma once

#include "methods/mode_collector.h"

namespace femflex::modal {

/// Adds constraint modes, fixed-interface normal modes, static solutions under loads and under
/// rigid accelerations, and modal truncation vectors.
void add_held_modes(const ModeWork& work);

}  // namespace femflex::modal
