// Reads the system and runs its analyses by tools::run_system().
#include "verbs/simulate.h"

#include "femflex/errors.h"

#include "document/document.h"

namespace femflex::verbs {

tools::RunReport simulate(const SimulateRequest& request,
                          Diagnostics& diagnostics,
                          Progress& progress) {
  const tools::SystemDocument document =
      tools::read_any_system(request.system, request.document, diagnostics, progress);
  try {
    return tools::run_system(
        document, request.run, request.output, request.provenance, diagnostics, progress);
  } catch (const ModelError& error) {
    throw tools::with_file(error, request.system);
  }
}

}  // namespace femflex::verbs
