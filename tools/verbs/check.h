// The verb check as a function: a model or a body in, a report on its physics out.
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
  /// A file of a model or a body, or a value that the caller keeps until the verb is done.
  std::variant<std::filesystem::path, const FeModel*, const FlexBody*> part;
  std::optional<Units> units;  ///< units of the file, if it gives none
};

/// Checks the physics of a model or a body: mass, symmetry, grounding, rigid motion, units.
/// @throws UsageError  no such file, another kind of file, units other than the model's
tools::CheckReport check(const CheckRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs
