// The verb back-transform as a function: request in, histories in the chosen modes out.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "results/back_transform.h"
#include "verbs/input.h"

namespace femflex::verbs {

/// Input of back_transform().
struct BackTransformRequest {
  ResultInput result;
  std::optional<BodyInput> flex;  ///< the body; absent: read from the file that the result names
  std::optional<Units> units;     ///< units of a body file that gives none
  tools::BackOptions options;
  std::optional<std::filesystem::path> output;  ///< the result to write; absent: no file
  std::string provenance;                       ///< how the result was made, stored in it
};

/// Histories in the coordinates of the modes that the user chose, and node motion.
/// @throws UsageError, ModelError  see flexible_body_of(), flex_file_of(), back_transform()
tools::BackResult back_transform(const BackTransformRequest& request,
                                 Diagnostics& diagnostics,
                                 Progress& progress);

}  // namespace femflex::verbs
