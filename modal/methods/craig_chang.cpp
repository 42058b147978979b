// Computes the shapes of a Craig-Chang reduction: requests free normal modes, all rigid modes and
// residual attachment modes from compute_modes().
#include "methods/craig_chang.h"

namespace femflex::modal {

Basis craig_chang_basis(const FeModel& model,
                        const ReduceOptions& options,
                        Diagnostics& diagnostics,
                        Progress& progress,
                        ReduceReport& report) {
  ModeRequest request = free_normal_modes(options);
  request.residual_attachment = true;
  request.rigid = true;
  Basis basis = computed_basis(model, request, diagnostics, progress, report);
  warn_of_fewer_modes(options, normal_count(basis.modes), diagnostics);
  return basis;
}

}  // namespace femflex::modal
