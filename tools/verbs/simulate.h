// simulate(): the verb simulate. Runs the analyses of a system.
#pragma once

#include <filesystem>
#include <string>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"

#include "document/document.h"
#include "system/run_system.h"

namespace femflex::verbs {

/// Input of simulate().
struct SimulateRequest {
  tools::DocumentInput system;  ///< a system, or a formatted DADS input file
  tools::DocumentOptions document;
  tools::RunOverrides run;
  std::filesystem::path output;  ///< result file to write; empty: the result stays in memory
  std::string provenance;        ///< how the result was made; stored in it
};

/// Runs the analyses of the system: statics, modal, dynamics.
/// @throws UsageError, ParseError, ModelError, NumericalError  see read_any_system(), run_system()
tools::RunReport simulate(const SimulateRequest& request,
                          Diagnostics& diagnostics,
                          Progress& progress);

}  // namespace femflex::verbs
