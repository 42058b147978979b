// The subjects of `femflex stress`: shapes of a model or body, a run, plain signals.
#pragma once

#include <string>
#include <vector>

#include "verbs/stress.h"
#include "verbs/stress_recovery.h"

namespace femflex::verbs {

/// The owner of the shapes, for pictures and messages.
struct ShapeSubject {
  const FeModel* model = nullptr;
  const FlexBody* body = nullptr;  ///< null: the shapes are the model's own
  const durability::ShapeSet* shapes = nullptr;
  std::vector<std::string> labels;  ///< one per shape that has stresses
};

StressOutcome stress_of_shapes(const StressRequest& request,
                               const Recovery& recovery,
                               const ShapeSubject& subject,
                               Diagnostics& diagnostics,
                               Progress& progress);

/// @throws UsageError  see tools::flexible_body_of(), tools::flex_file_of()
StressOutcome stress_of_run(const StressRequest& request,
                            const ResultInput& input,
                            Diagnostics& diagnostics,
                            Progress& progress);

/// Stresses of a body in a system that the inputs of `request.spectrum` drive at random.
/// @throws UsageError      no spectrum, or one that names no input; no such body
/// @throws NumericalError  no equilibrium, or nothing resists a motion
StressOutcome stress_of_random_inputs(const StressRequest& request,
                                      const tools::DocumentInput& input,
                                      Diagnostics& diagnostics,
                                      Progress& progress);

/// Damage per second of the signals whose densities are `request.spectrum`.
/// @throws UsageError  a density or frequency that cannot be
StressOutcome damage_of_spectra(const StressRequest& request);

/// Counts the cycles of `request.signals`.
/// @throws UsageError  no such column, a value that is not finite
StressOutcome cycles_of_signals(const StressRequest& request);

}  // namespace femflex::verbs
