// The functions of the verb stress for its subjects: shapes of a model or body, a run, plain
// signals, random inputs.
#pragma once

#include <string>
#include <vector>

#include "verbs/stress.h"
#include "verbs/stress_recovery.h"

namespace femflex::verbs {

/// The owner of the shapes, for pictures and messages.
struct ShapeSubject {
  const FeModel* model = nullptr;
  const FlexBody* body = nullptr;  ///< null: the shapes are those of the model
  const durability::ShapeSet* shapes = nullptr;
  std::vector<std::string> labels;  ///< one per shape with stresses
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

/// Stresses of a body in a system whose inputs are random with the densities `request.spectrum`.
/// @throws UsageError      there is no spectrum, it refers to no input, or there is no such body
/// @throws NumericalError  there is no equilibrium, or a motion has no resistance
StressOutcome stress_of_random_inputs(const StressRequest& request,
                                      const tools::DocumentInput& input,
                                      Diagnostics& diagnostics,
                                      Progress& progress);

/// Damage per second of signals with the densities `request.spectrum`.
/// @throws UsageError  an invalid density or frequency
StressOutcome damage_of_spectra(const StressRequest& request);

/// Damage of the runs of `request.schedule`, each as often as it says.
/// @throws UsageError  there is no curve, or an option that belongs to one run
/// @throws ParseError  see tools::read_schedule()
/// @throws ModelError  a run is one of another model
StressOutcome stress_of_schedule(const StressRequest& request,
                                 Diagnostics& diagnostics,
                                 Progress& progress);

/// Counts the cycles of `request.signals`.
/// @throws UsageError  no such column, or a value that is not finite
StressOutcome cycles_of_signals(const StressRequest& request);

}  // namespace femflex::verbs
