#pragma once

#include "methods/basis.h"

namespace femflex::modal {

/// Free normal modes with the rigid ones, and the residual flexibility of the interface: attachment
/// modes less the share of the normal modes [MacNeal 1971], [Rubin 1975], [Craig 1977].
/// docs/theory/modal.md eq. (8).
Basis craig_chang_basis(const FeModel& model,
                        const ReduceOptions& options,
                        Diagnostics& diagnostics,
                        Progress& progress,
                        ReduceReport& report);

}  // namespace femflex::modal
