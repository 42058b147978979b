// Reduction method `auto`: chooses a Craig-Bampton or a Craig-Chang set by the error of the
// interface frequency response.
#pragma once

#include "methods/basis.h"

namespace femflex::modal {

/// The smallest Craig-Bampton or Craig-Chang set found whose interface frequency response stays
/// within the tolerance.
Basis automatic_basis(const FeModel& model,
                      const ReduceOptions& options,
                      Diagnostics& diagnostics,
                      Progress& progress,
                      ReduceReport& report);

}  // namespace femflex::modal
