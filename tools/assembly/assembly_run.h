// run_assembly(): solves one part of an assembly file: poles, transfer functions, frequency
// responses, responses over time. The verb assemble and the service call it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"

#include "assembly/assembly_result.h"
#include "assembly/part_book.h"

namespace femflex::tools {

/// Computes what the member "solve" of the file requests.
/// @param part   number of the part to solve; empty: the part that the file names, or its only
/// assembly. For any other part only poles are computed
/// @param fixed  ports to fix instead of those that the file names; absent: those of the file
/// @param report  true: also reports what a recipient can recover from the part, and the error
/// bound
/// @param diagnostics  receives warnings of remote parts that are not passive, and of unstable
/// poles
AssemblyResult run_assembly(PartBook& book,
                            const std::string& part,
                            const std::optional<std::vector<int>>& fixed,
                            bool report,
                            Diagnostics& diagnostics,
                            Progress& progress);

}  // namespace femflex::tools
