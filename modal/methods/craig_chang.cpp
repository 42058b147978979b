#include "methods/craig_chang.h"

#include <utility>

#include "femflex/modal/compute_modes.h"

namespace femflex::modal {

Basis craig_chang_basis(const FeModel& model,
                        const ReduceOptions& options,
                        Diagnostics& diagnostics,
                        Progress& progress,
                        ReduceReport& report) {
  ModeRequest request;
  request.normal = wanted_modes(options, model.dofs.size(), diagnostics);
  if (options.normal != 0) request.fmax_hz = options.fmax_hz;
  request.residual_attachment = true;
  request.rigid = true;
  request.solve = options.solve;
  ComputedModes computed = compute_modes(model, request, diagnostics, progress);
  report.solve = computed.report;
  return {std::move(computed.modes), {}};
}

}  // namespace femflex::modal
