// The verb convert as a function: a body in, the same body in another file format out.
#pragma once

#include <filesystem>
#include <optional>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "verbs/input.h"

namespace femflex::verbs {

/// Input of convert().
struct ConvertRequest {
  BodyInput body;
  std::optional<Units> units;  ///< units of a body file that gives none
  std::filesystem::path output;
  flexfile::WriteOptions options;
};

/// Outcome of convert().
struct ConvertOutcome {
  FlexBody body;  ///< as it was read
};

/// Writes a body in another file format.
/// @throws UsageError  an unknown format, or one that cannot be written; see load()
ConvertOutcome convert(const ConvertRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs
