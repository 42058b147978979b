#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/results.h"
#include "femflex/mbd_solver/state.h"
#include "femflex/mbd_solver/system.h"
#include "femflex/progress.h"

namespace femflex::mbd_solver {

/// The time integration methods.
enum class Integrator : std::uint8_t {
  generalised_alpha,  ///< Lie group, index 3, second order: the default
  runge_kutta,        ///< Dormand-Prince 5(4) on the index-1 form, projected: accurate
  bdf,                ///< stabilised index 2, variable order (SUNDIALS IDA)
};
/// "generalised-alpha", "runge-kutta", "bdf"
std::string_view name_of(Integrator integrator);
/// @throws UsageError
Integrator parse_integrator(std::string_view name);

/// Options of simulate().
struct DynamicOptions {
  double start = 0.0;        ///< [s]
  double end = 1.0;          ///< [s]
  double output_step = 0.0;  ///< [s] 0: every step
  Integrator integrator = Integrator::generalised_alpha;
  double rho = 0.8;         ///< spectral radius at infinite frequency, generalised-alpha
  double step = 1e-3;       ///< [s] fixed step, or the first one of adaptive integrators
  bool adaptive = false;    ///< generalised-alpha: step from the local error
  double max_step = 0.0;    ///< [s] 0: no limit
  double min_step = 1e-12;  ///< [s]
  double relative_tolerance = 1e-8;
  double absolute_tolerance = 1e-10;
  int max_newton = 12;
  /// bdf: take 2 if lightly damped modes make the steps of higher orders collapse
  int max_order = 5;
  /// error that Newton's method may leave in accelerations, per length of the system [1/s^2,
  /// rad/s^2]
  double newton_tolerance = 1e-6;
  double baumgarte = 0.0;        ///< [1/s] a = b of runge-kutta instead of projection; 0: project
  bool assemble = true;          ///< consistent initial conditions by projection
  std::optional<State> restart;  ///< go on from here instead of the initial state
};

enum class RunStatus : std::uint8_t { complete, step_failed };

struct SimulationSummary {
  RunStatus status = RunStatus::complete;
  std::string reason;     ///< why a step could not be made, with body or mode
  double end_time = 0.0;  ///< [s] reached
  std::int64_t steps = 0;
  std::int64_t rejected_steps = 0;
  std::int64_t iterations = 0;  ///< Newton iterations or right-hand sides
  std::int64_t factorisations = 0;
  double cpu_seconds = 0.0;
  double real_time_factor = 0.0;  ///< simulated time over CPU time
  /// largest |E - E0 - work| over the largest energy of the run
  double energy_drift = 0.0;
  double constraint_violation = 0.0;  ///< largest |Phi| at outputs
  AssemblyReport assembly;
  State final_state;
};

/// Moves the system through time and streams rows to `sink`. Every error of the system is reported
/// before the run starts; a step that cannot be made ends the run with a reason.
/// @throws ModelError      the system contradicts itself
/// @throws NumericalError  loops that do not close
SimulationSummary simulate(const System& system,
                           const DynamicOptions& options,
                           ResultSink& sink,
                           Diagnostics& diagnostics,
                           Progress& progress);

/// Consistent initial state by projection, without moving time.
State assemble(const System& system, AssemblyReport& report, Diagnostics& diagnostics);

/// Channels that simulate() would send.
std::vector<Channel> channels_of(const System& system);

}  // namespace femflex::mbd_solver
