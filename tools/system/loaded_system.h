// The two steps of a run, for sweeps and gradients, which make many runs: from a loaded document to
// a system (in system_json.cpp), and from a system to result rows (in run_system.cpp).
#pragma once

#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/results.h"
#include "femflex/progress.h"

#include "document/document.h"
#include "document/read_cache.h"
#include "system/run_system.h"
#include "system/system_json.h"

namespace femflex::tools {

/// As read_system(), for a document that load_document() has loaded from `input` and that may have
/// been changed.
/// @param cache  keeps the content of files for the next document; may be null
SystemDocument read_loaded_system(const Json& document,
                                  const DocumentInput& input,
                                  const DocumentOptions& options,
                                  ReadCache* cache,
                                  Diagnostics& diagnostics,
                                  Progress& progress);

/// The analyses of a system, with `overrides` applied.
/// @throws UsageError  there are no analyses
std::vector<Analysis> analyses_of(const SystemDocument& system, const RunOverrides& overrides);

/// Runs the analyses as run_system() does, with rows sent to `sink` instead of a result file.
RunReport run_analyses(const SystemDocument& system,
                       const RunOverrides& overrides,
                       mbd_solver::ResultSink& sink,
                       Diagnostics& diagnostics,
                       Progress& progress);

}  // namespace femflex::tools
