// The two steps of a run, for callers that make many runs: from a loaded document to a system, and
// from a system to result rows. A cache saves reading the same files again.
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

/// read_system() for a document that load_document() has loaded from `input`, unchanged or with
/// other numbers.
/// @param cache  keeps what files hold for the next document; may be null
SystemDocument read_loaded_system(const Json& document,
                                  const DocumentInput& input,
                                  const DocumentOptions& options,
                                  ReadCache* cache,
                                  Diagnostics& diagnostics,
                                  Progress& progress);

/// The analyses to run: those of the document, as changed by `overrides`.
/// @throws UsageError  there are none
std::vector<Analysis> analyses_of(const SystemDocument& document, const RunOverrides& overrides);

/// The analyses of run_system() with their rows to `sink`, without a result file.
RunReport run_analyses(const SystemDocument& document,
                       const RunOverrides& overrides,
                       mbd_solver::ResultSink& sink,
                       Diagnostics& diagnostics,
                       Progress& progress);

}  // namespace femflex::tools
