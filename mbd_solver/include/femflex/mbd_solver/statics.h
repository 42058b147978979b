// solve_statics(): static equilibrium of a system under its loads at one time.
#pragma once

#include <optional>
#include <string>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/results.h"
#include "femflex/mbd_solver/state.h"
#include "femflex/mbd_solver/system.h"
#include "femflex/progress.h"

namespace femflex::mbd_solver {

/// Options of solve_statics().
struct StaticOptions {
  double time = 0.0;  ///< time at which loads and motions are evaluated [s]
  int max_iterations = 1000;
  double tolerance = 1e-10;  ///< relative tolerance of the last correction and of the force balance
  bool assemble = true;
  std::optional<State> from;  ///< absent: the initial state of the system
};

/// Result of solve_statics().
struct StaticSummary {
  bool converged = false;
  std::string reason;
  int iterations = 0;
  /// Largest unbalanced force [N]; torques and modal forces are divided by the system's size.
  double unbalanced = 0.0;
  /// The same relative to the largest force, or to the force that moves the system by 1e-9 of its
  /// size, if that is larger.
  double residual = 0.0;
  /// true if the tangent stiffness in the free directions is positive definite
  bool stable = true;
  /// number of directions without load and stiffness; the state is not moved along them
  Eigen::Index idle_directions = 0;
  AssemblyReport assembly;
  State state;
};

/// Finds an equilibrium near the first state and sends one row at `time` to `sink`.
StaticSummary solve_statics(const System& system,
                            const StaticOptions& options,
                            ResultSink& sink,
                            Diagnostics& diagnostics,
                            Progress& progress);

}  // namespace femflex::mbd_solver
