// Motion that joints and motions prescribe (kinematics and inverse dynamics), and a series of
// equilibria while motions and loads go slowly (compliance): run_kinematics(), run_quasi_statics().
#pragma once

#include <cstdint>
#include <optional>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/results.h"
#include "femflex/mbd_solver/state.h"
#include "femflex/mbd_solver/statics.h"
#include "femflex/mbd_solver/system.h"
#include "femflex/progress.h"

namespace femflex::mbd_solver {

/// The times of the rows, and where to begin.
struct DrivenOptions {
  double start = 0.0, end = 1.0;  ///< [s]
  double output_step = 0.01;      ///< [s] from row to row
  std::optional<State> from;      ///< absent: the initial state of the system
};

struct DrivenSummary {
  std::int64_t rows = 0;
  std::int64_t iterations = 0;        ///< of equilibria; 0 for kinematics
  double constraint_violation = 0.0;  ///< largest |Phi|
  double end_time = 0.0;              ///< [s]
  State final_state;
};

/// Positions, velocities and accelerations that joints and motions prescribe at each row, and the
/// forces of joints and motions that they take: those of a motion drive it (inverse dynamics).
///
///     Phi(q, t) = 0,  G v = -Phi_t,  G a = -bias,  M a + G' lambda = Q
///
/// @throws ModelError      joints and motions leave something free; it is named
/// @throws NumericalError  at some time the joints do not close
DrivenSummary run_kinematics(const System& system,
                             const DrivenOptions& options,
                             ResultSink& sink,
                             Diagnostics& diagnostics,
                             Progress& progress);

/// Equilibria at the times of the rows, each found from the one before. Forces that depend on a
/// path, as those of leaf springs, follow it from row to row; velocities and accelerations are
/// zero.
/// @param statics  tolerance and iterations of each one
/// @throws NumericalError  there is no equilibrium at some time
DrivenSummary run_quasi_statics(const System& system,
                                const DrivenOptions& options,
                                const StaticOptions& statics,
                                ResultSink& sink,
                                Diagnostics& diagnostics,
                                Progress& progress);

}  // namespace femflex::mbd_solver
