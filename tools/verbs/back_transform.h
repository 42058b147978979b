// back_transform(): the verb back-transform. Computes histories of a result in the modes chosen
// before orthogonalisation, and node motion.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/modal/selection.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "results/back_transform.h"
#include "verbs/input.h"

namespace femflex::verbs {

/// Input of back_transform().
struct BackTransformRequest {
  ResultInput result;
  std::optional<BodyInput> flex;  ///< the body; absent: read from the file to which the result
                                  ///< refers
  /// The model from whose modes the body was made, for a body file without these modes.
  std::optional<ModelInput> model;
  std::vector<modal::ModeSelection> select;  ///< modes of `model` to use; empty: all
  std::optional<Units> units;                ///< units of a file that gives none
  tools::BackOptions options;
  std::optional<std::filesystem::path> output;  ///< the result to write; absent: no file
  std::string provenance;                       ///< how the result was made; stored in it
};

/// Transforms the modal histories of a result to the modes chosen before orthogonalisation, and
/// computes node motion.
/// @throws UsageError, ModelError  see flexible_body_of(), flex_file_of(), back_transform(),
///                     modal::take_chosen_modes()
tools::BackResult back_transform(const BackTransformRequest& request,
                                 Diagnostics& diagnostics,
                                 Progress& progress);

}  // namespace femflex::verbs
