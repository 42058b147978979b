#pragma once

#include <cstdint>
#include <optional>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/reduce.h"
#include "femflex/progress.h"

namespace femflex::modal {

/// The chosen shapes of a reduction, before anything is done to them, in the units of the model.
struct Basis {
  ModeSet modes;                     ///< U, on rows of its own
  std::optional<Eigen::MatrixXd> k;  ///< U' K U where the method knows it without a product
};

/// How many normal modes to ask for; 0: all up to fmax_hz. The default number is a proposal: a
/// small model gives what it has.
std::int64_t wanted_modes(const ReduceOptions& options,
                          std::int64_t exist,
                          Diagnostics& diagnostics);

/// The free normal modes that `options` want.
ModeRequest free_normal_modes(const FeModel& model,
                              const ReduceOptions& options,
                              Diagnostics& diagnostics);

/// compute_modes() as a basis.
Basis computed_basis(const FeModel& model,
                     const ModeRequest& request,
                     Diagnostics& diagnostics,
                     Progress& progress,
                     ReduceReport& report);

/// Selects modes of the model, or computes those of the method that `options` name.
Basis choose_basis(const FeModel& model,
                   const ReduceOptions& options,
                   Diagnostics& diagnostics,
                   Progress& progress,
                   ReduceReport& report);

}  // namespace femflex::modal
