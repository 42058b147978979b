// simulate_followed(): simulate() with a StepFollower that receives the steps. run_tangent.cpp
// calls it.
#pragma once

#include "femflex/mbd_solver/simulate.h"

#include "integrators/alpha_rule.h"

namespace femflex::mbd_solver {

/// @param follower  receives the steps; null: none
/// @throws UsageError  the integrator's steps cannot be followed
SimulationSummary simulate_followed(const System& system,
                                    const DynamicOptions& options,
                                    ResultSink& sink,
                                    StepFollower* follower,
                                    Diagnostics& diagnostics,
                                    Progress& progress);

}  // namespace femflex::mbd_solver
