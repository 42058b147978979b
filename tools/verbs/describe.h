// describe(): the content of any file that femflex reads, as one JSON document, for `femflex info`.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "document/json.h"
#include "verbs/describe_matrix.h"

namespace femflex::tools {

/// The content of a file as printed by `info --json`: a file of an FE code, an FE model, a body, a
/// system or a result.
/// @param samples  matrix entries to list
/// @param units    units to assume if the file gives none
/// @throws UsageError  no such file
/// @throws ParseError  a damaged file
Json describe(const std::filesystem::path& path,
              const std::vector<Sample>& samples,
              const std::optional<Units>& units,
              Diagnostics& diagnostics,
              Progress& progress);

}  // namespace femflex::tools
