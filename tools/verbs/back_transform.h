#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "results/back_transform.h"

namespace femflex::verbs {

struct BackTransformRequest {
  std::filesystem::path result;
  std::optional<std::filesystem::path> flex;  ///< the body file; absent: the one of the simulation
  std::optional<Units> units;                 ///< of a body file that does not say
  tools::BackOptions options;
  std::filesystem::path output;  ///< the result to write
  std::string provenance;        ///< what it says of how it was made
};

/// Histories in the coordinates of the modes that the user chose, and node motion.
/// @throws UsageError, ModelError  see flexible_body_of(), flex_file_of(), back_transform()
tools::BackResult back_transform(const BackTransformRequest& request,
                                 Diagnostics& diagnostics,
                                 Progress& progress);

}  // namespace femflex::verbs
