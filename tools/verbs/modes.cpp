// Computes the modes, appends them to those of the model, and writes the model if a file is given.
#include "verbs/modes.h"

#include "femflex/importer/fe_model_file.h"

namespace femflex::verbs {

ModesOutcome modes(const ModesRequest& request, Diagnostics& diagnostics, Progress& progress) {
  ModesOutcome out;
  out.model = load(request.model, request.units, diagnostics, progress).take();
  const modal::ComputedModes computed =
      modal::compute_modes(out.model, request.modes, diagnostics, progress);
  out.model.modes = merged(out.model.modes, computed.modes);
  out.added = computed.modes.count();
  out.report = computed.report;
  if (request.output) importer::write_fe_model(out.model, *request.output);
  return out;
}

}  // namespace femflex::verbs
