// The verb back-transform as a function: a result in; its histories in the modes chosen before
// orthogonalisation, and node motion, out.
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
  std::optional<BodyInput> flex;  ///< the body; absent: read from the file that the result names
  /// The model whose modes the body was made from, for a body file that lacks them.
  std::optional<ModelInput> model;
  std::vector<modal::ModeSelection> select;  ///< which modes of `model`; empty: all
  std::optional<Units> units;                ///< units of a file that gives none
  tools::BackOptions options;
  std::optional<std::filesystem::path> output;  ///< the result to write; absent: no file
  std::string provenance;                       ///< how the result was made, stored in it
};

/// Transforms the modal histories of a result to the modes chosen before orthogonalisation, and
/// computes node motion.
/// @throws UsageError, ModelError  see flexible_body_of(), flex_file_of(), back_transform(),
///                     modal::take_chosen_modes()
tools::BackResult back_transform(const BackTransformRequest& request,
                                 Diagnostics& diagnostics,
                                 Progress& progress);

}  // namespace femflex::verbs
