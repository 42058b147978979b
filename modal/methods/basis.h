// Basis: the shapes with which a reduction begins. choose_basis() gets them by the method that the
// options name.
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

/// The chosen shapes of a reduction before any processing, in the units of the model.
struct Basis {
  ModeSet modes;                     ///< U, with its own row map
  std::optional<Eigen::MatrixXd> k;  ///< U' K U if the method gives it without a product
};

/// Number of normal modes to compute; 0: all up to fmax_hz.
std::int64_t wanted_modes(const ReduceOptions& options);
/// True if that number is the default, which is an upper limit: all modes are taken if fewer exist.
bool takes_default_number(const ReduceOptions& options);
/// Number of normal modes in a set.
std::int64_t normal_count(const ModeSet& modes);
/// Warns if fewer normal modes were found than the default number.
void warn_of_fewer_modes(const ReduceOptions& options,
                         std::int64_t found,
                         Diagnostics& diagnostics);

/// The request for the free normal modes of `options`.
ModeRequest free_normal_modes(const ReduceOptions& options);

/// The modes of compute_modes() as a basis.
Basis computed_basis(const FeModel& model,
                     const ModeRequest& request,
                     Diagnostics& diagnostics,
                     Progress& progress,
                     ReduceReport& report);

/// Selects modes of the model, or computes those of the method in `options`.
Basis choose_basis(const FeModel& model,
                   const ReduceOptions& options,
                   Diagnostics& diagnostics,
                   Progress& progress,
                   ReduceReport& report);

}  // namespace femflex::modal
