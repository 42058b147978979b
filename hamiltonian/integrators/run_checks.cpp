// Checks the options of a run against the system. After a failed step, searches times and positions
// near the step for the part of the system that is not finite.
#include "integrators/run_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "femflex/errors.h"

#include "integrators/dynamics.h"
#include "integrators/methods.h"
#include "integrators/step_watch.h"

namespace femflex::hamiltonian {

bool all_finite(const std::vector<double>& values) {
  double sum = 0.0;  // sum of 0 times each number, which is 0 if all are finite
  for (const double value : values)
    sum += 0.0 * value;
  return sum == 0.0;
}

double largest(const std::vector<double>& values) {
  double max_value = 0.0;
  for (const double value : values)
    max_value = std::max(max_value, std::abs(value));
  return max_value;
}

std::string find_not_finite(const HamiltonianSystem& system,
                            const State& last,
                            const State& state) {
  std::vector<double> ahead(last.q.size());
  std::vector<double> speed(last.q.size());
  const double h = std::max(state.time - last.time, last.last_step);
  system.velocity(last.q, last.p, speed);
  for (std::size_t i = 0; i < ahead.size(); ++i)
    ahead[i] = last.q[i] + h * speed[i];
  const std::array<std::span<const double>, 3> places = {last.q, state.q, ahead};
  for (const double part : {0.0, 1e-9, 0.2, 0.5, 0.8, 1.0}) {
    for (const std::span<const double> q : places) {
      const std::string found = system.not_finite(last.time + part * h, q);
      if (!found.empty()) return found;
    }
  }
  return {};
}

void check_run(const HamiltonianSystem& system, const State& state, const RunOptions& options) {
  const Dynamics dynamics(system);
  if (state.q.size() != system.dof_count() || state.p.size() != system.dof_count())
    throw UsageError("state-size", "the state does not belong to this model");
  if (!std::isfinite(options.step) || options.step < 0.0)
    throw UsageError(
        "bad-step",
        "the step is " + short_number(options.step) +
            " s; expected a finite number of 0 or more, with 0 for an automatic choice",
        {},
        "give --dt");
  if (!std::isfinite(options.end) || options.end < state.time)
    throw UsageError("bad-end",
                     "the end of the run, " + short_number(options.end) +
                         " s, lies before its start at " + short_number(state.time) + " s",
                     {},
                     "give a later --end");
  if (method_of(options.integrator).needs_separable() && !system.is_separable())
    throw UsageError(
        "not-separable",
        std::string(name_of(options.integrator)) + " needs H = T(p) + V(q); this H mixes them",
        {},
        "use implicit-midpoint, rk4 or dormand-prince");
  if (method_of(options.integrator).is_adaptive && dynamics.first_load_ending_at_step() > 0)
    throw UsageError("counted-load",
                     "load " + std::to_string(dynamics.first_load_ending_at_step()) +
                         " ends after a number of steps, and dormand-prince chooses its steps",
                     {},
                     "give the time at which it ends, \"t\": [0, END], or a method of even steps");
}

}  // namespace femflex::hamiltonian
