// page_of_files(): the viewer page for files of bodies, FE models and results. The verb view calls
// it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"
#include "femflex/units.h"

namespace femflex::viewer {

/// The page that shows a body, an FE model or a result, or two of the same kind side by side.
/// Several files of an FE code are combined into one model.
/// @param units  units of body files that give none
/// @param flex_files  body files to use instead of those listed in the results
/// @throws UsageError  no file, files of another kind or of two kinds, or bodies of no result
std::string page_of_files(const std::vector<std::filesystem::path>& files,
                          const std::optional<Units>& units,
                          Diagnostics& diagnostics,
                          Progress& progress,
                          const std::vector<std::filesystem::path>& flex_files = {});

}  // namespace femflex::viewer
