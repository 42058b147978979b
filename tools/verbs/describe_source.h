// describe_source(): the content of a file of an FE code as JSON.
#pragma once

#include <filesystem>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"

#include "document/json.h"
#include "verbs/describe_matrix.h"

namespace femflex::tools {

/// What the file itself says: nodes, elements, matrices, modes, stresses and what is not read.
/// @param samples  matrix entries to list
Json describe_source(const std::filesystem::path& path,
                     const std::vector<Sample>& samples,
                     Diagnostics& diagnostics,
                     Progress& progress);

}  // namespace femflex::tools
