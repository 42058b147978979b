#pragma once

#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"

#include "assembly/assembly_result.h"
#include "assembly/part_book.h"

namespace femflex::tools {

/// Solves what "solve" of the file requests.
/// @param part   number to solve; empty: the file's own choice, or its only assembly. For a part
/// other than the file's choice only poles are computed
/// @param report  adds what a recipient of the part can recover, and the error bound
/// @param fixed  ports held instead of those of the file, where given
/// @param diagnostics  warns of parts of other agents that are not passive, and of unstable poles
AssemblyResult run_assembly(PartBook& book,
                            const std::string& part,
                            const std::optional<std::vector<int>>& fixed,
                            bool report,
                            Diagnostics& diagnostics,
                            Progress& progress);

}  // namespace femflex::tools
