// info(): the verb info. Describes each file as a JSON document.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "document/json.h"
#include "verbs/describe.h"

namespace femflex::verbs {

/// Input of info().
struct InfoRequest {
  std::vector<std::filesystem::path> files;
  std::vector<tools::Sample> samples;  ///< matrix entries to show
  std::optional<Units> units;          ///< units of files that give none
};

/// Describes any file known to femflex: one document per file, see tools::describe().
/// @throws UsageError, ParseError
std::vector<tools::Json> info(const InfoRequest& request,
                              Diagnostics& diagnostics,
                              Progress& progress);

}  // namespace femflex::verbs
