// Time integration of a multibody system: simulate(), its options and its summary. tools/system/
// and tools/runs/ call it.
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
  generalised_alpha,  ///< Lie group, index 3, second order; the default
  /// Dormand-Prince 5(4) for high accuracy: on the index-1 form with projection, or in the
  /// coordinates of joints if the system is a tree of rigid bodies
  runge_kutta,
  bdf,  ///< stabilised index 2, variable order (SUNDIALS IDA)
};
/// "generalised-alpha", "runge-kutta", "bdf"
std::string_view name_of(Integrator integrator);
/// @throws UsageError  no such integrator; the message lists all
Integrator parse_integrator(std::string_view name);
std::vector<std::string> integrator_names();

/// The velocities with which a run begins from a given state.
enum class RestartVelocity : std::uint8_t {
  of_state,    ///< the state is taken as it is
  of_motions,  ///< the state is at rest: those that motions prescribe
  of_system,   ///< the same, with those that the system gives its bodies and joints
};

/// Options of simulate().
struct DynamicOptions {
  double start = 0.0;        ///< [s]
  double end = 1.0;          ///< [s]
  double output_step = 0.0;  ///< [s]; 0: a row at every step
  Integrator integrator = Integrator::generalised_alpha;
  double rho = 0.8;         ///< generalised-alpha: spectral radius at infinite frequency
  double step = 1e-3;       ///< [s] fixed step, or the first one of adaptive integrators
  bool adaptive = false;    ///< generalised-alpha: choose the step from the local error
  double max_step = 0.0;    ///< [s]; 0: no limit
  double min_step = 1e-12;  ///< [s]
  double relative_tolerance = 1e-8;
  double absolute_tolerance = 1e-10;
  int max_newton = 12;
  /// bdf: highest order; use 2 if lightly damped modes make the steps of higher orders very small
  int max_order = 5;
  /// error that Newton's method may leave in accelerations: linear ones divided by the system's
  /// length [1/s^2], angular ones [rad/s^2]
  double newton_tolerance = 1e-6;
  /// [1/s] runge-kutta: Baumgarte coefficients a = b, used instead of projection; 0: use projection
  double baumgarte = 0.0;
  bool assemble = true;          ///< make the initial conditions consistent by projection
  std::optional<State> restart;  ///< continue from this state instead of the initial one
  RestartVelocity restart_velocity = RestartVelocity::of_state;
};

/// Estimate of what the disabled modes of a flexible body would add to a run, for example the
/// shapes of `reduce --left-out`. Sizes are root mean squares over the rows.
struct LeftOutReport {
  struct Node {
    std::int64_t node = 0;
    double displacement = 0.0;  ///< [m] of the node in the body frame, with left_out
    double left_out = 0.0;      ///< [m] displacement that the disabled modes would add
  };
  std::string body;
  std::vector<Node> nodes;  ///< of the interface, and those that the system names
  Node worst;               ///< the one with the largest Node::left_out
  std::string cause;        ///< the load from which most of it comes: "force payload_left"
  double share = 0.0;       ///< share of the loads that the enabled modes cannot represent
  /// Number of disabled modes, in their order, that would reduce the missing displacement at the
  /// worst node to 1 %; the frequency of the last of them; and the displacement that is then still
  /// missing [m].
  std::int64_t more_modes = 0;
  double up_to_hz = 0.0;
  double rest = 0.0;
  bool reaches_goal = false;  ///< false: more than 1 % is missing with all disabled modes
};

enum class RunStatus : std::uint8_t { complete, step_failed };

/// Result of simulate(), in addition to the rows that the sink received.
struct SimulationSummary {
  RunStatus status = RunStatus::complete;
  std::string reason;     ///< why a step failed, naming the body or mode
  std::string remedy;     ///< what to do about it; empty: not known
  double end_time = 0.0;  ///< [s] time reached
  std::int64_t steps = 0;
  std::int64_t rejected_steps = 0;
  std::int64_t iterations = 0;  ///< number of Newton iterations or right-hand-side evaluations
  std::int64_t factorisations = 0;
  double cpu_seconds = 0.0;
  double real_time_factor = 0.0;  ///< simulated time divided by CPU time
  /// largest |E - E0 - work| divided by the largest energy of the run
  double energy_drift = 0.0;
  double constraint_violation = 0.0;  ///< largest |Phi| at output rows
  AssemblyReport assembly;
  std::vector<LeftOutReport> left_out;  ///< one per body with disabled modes
  State final_state;
};

/// Integrates the system over time and sends rows to `sink`. All errors in the system definition
/// are reported before the run starts. If a step fails, the run ends and SimulationSummary::reason
/// says why.
/// @throws ModelError      the system definition is inconsistent
/// @throws NumericalError  the joints of a loop cannot be closed
SimulationSummary simulate(const System& system,
                           const DynamicOptions& options,
                           ResultSink& sink,
                           Diagnostics& diagnostics,
                           Progress& progress);

/// Makes the initial state consistent with the constraints by projection, at the start time.
State assemble(const System& system, AssemblyReport& report, Diagnostics& diagnostics);

/// Channels that simulate() sends if System::outputs and options stay the same.
std::vector<Channel> channels_of(const System& system);

}  // namespace femflex::mbd_solver
