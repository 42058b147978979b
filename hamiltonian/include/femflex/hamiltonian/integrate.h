// Integrates a Hamiltonian system over time: run(), with its methods, options and results, and the
// largest stable step of each method.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/hamiltonian/hamiltonian_system.h"
#include "femflex/progress.h"

namespace femflex::hamiltonian {

enum class Integrator : std::uint8_t {
  euler,                ///< explicit, order 1
  semi_implicit_euler,  ///< symplectic, order 1; momenta first, then positions with the new momenta
  adams_bashforth_2,
  adams_bashforth_3,
  leapfrog,  ///< Stoermer-Verlet, kick-drift-kick, symplectic, order 2
  runge_kutta_4,
  symplectic_4,       ///< Blanes-Moan composition of six stages, order 4
  implicit_midpoint,  ///< symplectic, order 2
  dormand_prince,     ///< order 5, adaptive steps
};

/// "euler", "semi-implicit-euler", "ab2", "ab3", "leapfrog", "rk4", "symplectic4",
/// "implicit-midpoint", "dormand-prince".
std::string_view name_of(Integrator integrator);
/// @throws UsageError  no such method; the message lists all
Integrator parse_integrator(std::string_view name);
std::vector<std::string> integrator_names();

struct RunOptions {
  Integrator integrator = Integrator::leapfrog;
  /// [s]; 0: the step stored in the state or, if there is none, a fifth of the stable step
  double step = 0.0;
  bool prefer_stored_step =
      false;                 ///< true: a step stored in the state takes precedence over `step`
  double end = 0.0;          ///< [s]
  double output_step = 0.0;  ///< [s]; 0: a hundred samples in all
  double relative_tolerance = 1e-8;  ///< relative tolerance of dormand_prince
  double absolute_tolerance = 1e-10;
  int threads = 1;  ///< number of threads for large networks; results do not depend on it
};

/// The values of a run at one sample.
struct Sample {
  const State& state;
  Energy energy;
  double work = 0.0;  ///< work of loads, dissipation and supports since the start [J]
};

class SampleSink {
 public:
  SampleSink() = default;
  SampleSink(const SampleSink&) = delete;
  SampleSink& operator=(const SampleSink&) = delete;
  SampleSink(SampleSink&&) = delete;
  SampleSink& operator=(SampleSink&&) = delete;
  virtual ~SampleSink() = default;
  virtual void sample(const Sample& sample) = 0;
};

enum class RunStatus : std::uint8_t {
  finished,
  unstable,       ///< energy or a coordinate grew without limit
  not_converged,  ///< the implicit step did not converge, or the adaptive step became too small
  stopped         ///< stopped on request; `state` is exactly where the run stopped
};

struct RunResult {
  RunStatus status = RunStatus::finished;
  std::string message;  ///< why the run ended early, and a remedy
  State state;          ///< the last finite one
  double step = 0.0;    ///< last step used (the first one of dormand_prince) [s]
  double stable_step = std::numeric_limits<double>::infinity();  ///< smallest stable step found [s]
  std::int64_t steps = 0;
  std::int64_t rejected_steps = 0;
  Energy start, end;
  double work = 0.0;
  double broken_energy = 0.0;  ///< energy lost with the springs that broke [J]
  /// largest |H + broken_energy - H0 - work|, divided by the largest of |H0|, kinetic energy and
  /// |work| so far
  double largest_energy_error = 0.0;
};

/// Largest stable step of `integrator` for one damped oscillator: the computed amplitude does not
/// double in `duration`. Infinity if every step is stable, 0 if no step is.
double stable_step(Integrator integrator, const FastestMotion& fastest, double duration);
/// The same for every motion of a system near `state`. For a damped system the result never exceeds
/// the true limit, and is up to a third less.
/// @param fastest  system.fastest_motion(state)
double stable_step(Integrator integrator,
                   const HamiltonianSystem& system,
                   const State& state,
                   const FastestMotion& fastest,
                   double duration);

/// Runs from `state` to options.end. A run that diverges ends with status `unstable`, a run that
/// the user stops with `stopped`. Neither throws, so that the results so far are not lost.
/// @param diagnostics  receives a warning if the step exceeds the stable one
/// @throws UsageError  an impossible step or end; a method that the system does not allow
RunResult run(const HamiltonianSystem& system,
              State state,
              const RunOptions& options,
              SampleSink* sink,
              Diagnostics& diagnostics,
              Progress& progress);

}  // namespace femflex::hamiltonian
