// Loads body and model, compares them, and computes the kinetic energy by node if a report needs
// it.
#include "verbs/validate.h"

#include "femflex/modal/correlation.h"

namespace femflex::verbs {

ValidateOutcome validate(const ValidateRequest& request,
                         Diagnostics& diagnostics,
                         Progress& progress) {
  ValidateOutcome out;
  out.body = load(request.body, request.units, diagnostics, progress).take();
  const Loaded<FeModel> model = load(request.against, request.units, diagnostics, progress);
  out.validation = modal::validate(out.body, *model, request.options, diagnostics, progress);
  if (request.with_energy) out.energy = modal::kinetic_energy_fractions(out.body, &*model);
  return out;
}

}  // namespace femflex::verbs
