// Computes the shapes of a Craig-Chang reduction: free normal modes and residual attachment modes
// (MacNeal-Rubin).
#pragma once

#include "methods/basis.h"

namespace femflex::modal {

/// Free normal modes with the rigid ones, and the residual flexibility of the interface: attachment
/// modes minus the part that the normal modes represent [MacNeal 1971], [Rubin 1975], [Craig 1977].
/// docs/theory/modal.md eq. (8).
Basis craig_chang_basis(const FeModel& model,
                        const ReduceOptions& options,
                        Diagnostics& diagnostics,
                        Progress& progress,
                        ReduceReport& report);

}  // namespace femflex::modal
