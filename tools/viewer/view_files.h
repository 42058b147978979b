// The viewer page of body, FE and result files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"
#include "femflex/units.h"

namespace femflex::viewer {

/// The page that shows a body, an FE model or a result, or two of one kind side by side. Files of
/// an FE code complete each other to one model.
/// @param units  units of body files that give none
/// @param flex_files  body files of results, instead of those that the results name
/// @throws UsageError  another kind of file, or two kinds
std::string page_of_files(const std::vector<std::filesystem::path>& files,
                          const std::optional<Units>& units,
                          Diagnostics& diagnostics,
                          Progress& progress,
                          const std::vector<std::filesystem::path>& flex_files = {});

}  // namespace femflex::viewer
