// modes(): the verb modes. Computes modes of an FE model and adds them to it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "verbs/input.h"

namespace femflex::verbs {

/// Input of modes().
struct ModesRequest {
  ModelInput model;
  std::optional<Units> units;  ///< units of a model that gives none
  modal::ModeRequest modes;
  std::optional<std::filesystem::path> output;  ///< file of the model with its modes; absent: not
                                                ///< written
  /// Writes the model on a second thread while its modes are computed; only for a program that uses
  /// HDF5 nowhere else at that time.
  bool writes_early = false;
};

/// Outcome of modes().
struct ModesOutcome {
  FeModel model;           ///< the model; its last modes are the computed ones
  std::int64_t added = 0;  ///< number of computed modes
  modal::SolveReport report;
};

/// Computes modes from K and M and adds them to the model.
/// @throws UsageError  see load()
/// @throws ModelError, NumericalError  see modal::compute_modes()
ModesOutcome modes(const ModesRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs
