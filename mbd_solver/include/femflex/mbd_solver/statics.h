#pragma once

#include <string>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/results.h"
#include "femflex/mbd_solver/state.h"
#include "femflex/mbd_solver/system.h"
#include "femflex/progress.h"

namespace femflex::mbd_solver {

/// Options of solve_statics().
struct StaticOptions {
  double time = 0.0;  ///< at which loads and motions are taken [s]
  int max_iterations = 200;
  double tolerance = 1e-10;  ///< of the correction and of the force balance, relative
  bool assemble = true;
};

/// Result of solve_statics().
struct StaticSummary {
  bool converged = false;
  std::string reason;
  int iterations = 0;
  double residual = 0.0;  ///< unbalanced force over the largest force
  bool stable = true;     ///< the tangent stiffness on the free directions is positive
  AssemblyReport assembly;
  State state;
};

/// Equilibrium near the initial state; one row at `time` goes to `sink`.
StaticSummary solve_statics(const System& system,
                            const StaticOptions& options,
                            ResultSink& sink,
                            Diagnostics& diagnostics,
                            Progress& progress);

}  // namespace femflex::mbd_solver
