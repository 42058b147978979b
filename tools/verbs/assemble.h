#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"

#include "assembly/assembly_result.h"

namespace femflex::verbs {

struct AssembleRequest {
  std::filesystem::path assembly;
  std::string part;                                ///< to solve; empty: as the file says
  std::optional<std::vector<std::int64_t>> fixed;  ///< ports held instead of those of the file
  bool report = false;       ///< also what can be recovered from the part, and its error bound
  std::filesystem::path ca;  ///< certificates trusted in agents; empty: those of the system
  std::filesystem::path output, csv;  ///< dynamics in text form, responses; empty: no file
};

/// Joins dynamic-stiffness substructures: poles, transfer functions, responses.
/// @throws UsageError  nothing to write to a file that was asked for
/// @throws ParseError, ModelError  see load_assembly(), PartBook, run_assembly()
tools::AssemblyResult assemble(const AssembleRequest& request,
                               Diagnostics& diagnostics,
                               Progress& progress);

}  // namespace femflex::verbs
