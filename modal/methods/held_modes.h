// Computes modes of the component with its interface fixed; used by compute_modes().
#pragma once

#include "methods/mode_collector.h"

namespace femflex::modal {

/// Adds the modes of the component with its interface fixed: constraint and fixed-interface normal
/// modes, static solutions under loads and rigid accelerations.
void add_held_modes(const ModeWork& work);

}  // namespace femflex::modal
