#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/modal/reduce.h"
#include "femflex/progress.h"

namespace femflex::modal {

/// The chosen shapes of a reduction, before anything is done to them, in the units of the model.
struct Basis {
  ModeSet modes;                     ///< U, on rows of its own
  std::optional<Eigen::MatrixXd> k;  ///< U' K U where the method knows it without a product
};

/// Selects (given) or computes the shapes that `options` ask for.
Basis choose_basis(const FeModel& model,
                   const ReduceOptions& options,
                   Diagnostics& diagnostics,
                   Progress& progress,
                   ReduceReport& report);

}  // namespace femflex::modal
