// Computes the shapes of a Craig-Chang reduction: requests free normal modes, all rigid modes and
// residual attachment modes from compute_modes().
#include "methods/craig_chang.h"

namespace femflex::modal {

Basis craig_chang_basis(const FeModel& model,
                        const ReduceOptions& options,
                        Diagnostics& diagnostics,
                        Progress& progress,
                        ReduceReport& report) {
  ModeRequest request = free_normal_modes(model, options, diagnostics);
  request.residual_attachment = true;
  request.rigid = true;
  return computed_basis(model, request, diagnostics, progress, report);
}

}  // namespace femflex::modal
