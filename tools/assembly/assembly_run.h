#pragma once

#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"

#include "assembly/assembly_result.h"
#include "assembly/part_book.h"

namespace femflex::tools {

/// Solves what the file asks for.
/// @param part   number to solve; empty: the file's own choice, or its only assembly. What the file
///               asks of another part does not count then: poles alone
/// @param report  adds what somebody who gets the part can recover, and the bound of its error
/// @param fixed  ports held instead of those of the file, where given
/// @param diagnostics  warns of parts of other agents that are not passive, and of unstable poles
AssemblyResult run_assembly(PartBook& book,
                            const std::string& part,
                            const std::optional<std::vector<int>>& fixed,
                            bool report,
                            Diagnostics& diagnostics,
                            Progress& progress);

}  // namespace femflex::tools
