// check(): the verb check. Reports on the physics of a model or a body.
#pragma once

#include <filesystem>
#include <optional>
#include <variant>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/flex_body.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "body/check_model.h"

namespace femflex::verbs {

/// Input of check().
struct CheckRequest {
  /// A file of a model or a body, or a value that the caller keeps until the verb has finished.
  std::variant<std::filesystem::path, const FeModel*, const FlexBody*> part;
  std::optional<Units> units;  ///< units of a file that gives none
};

/// Checks the physics of a model or a body: mass, symmetry, grounding, rigid motion, units.
/// @throws UsageError  no such file, a file of another kind, or other units than those of the model
tools::CheckReport check(const CheckRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs
