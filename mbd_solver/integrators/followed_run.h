// A run whose steps are handed to somebody who follows them.
#pragma once

#include "femflex/mbd_solver/simulate.h"

#include "integrators/alpha_rule.h"

namespace femflex::mbd_solver {

/// simulate() with a follower of its steps; null: none.
/// @throws UsageError  steps of this integrator cannot be followed
SimulationSummary simulate_followed(const System& system,
                                    const DynamicOptions& options,
                                    ResultSink& sink,
                                    StepFollower* follower,
                                    Diagnostics& diagnostics,
                                    Progress& progress);

}  // namespace femflex::mbd_solver
