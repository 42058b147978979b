// Expected values of the shared benchmarks, and runs that are compared with them; used by the tests
// of the multibody solver.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "femflex/mbd_solver/simulate.h"

namespace femflex::testing {

/// Expected values in one file of the shared benchmarks: value and absolute tolerance.
struct Expected {
  struct Entry {
    double value = 0.0, tolerance = 0.0;
  };
  std::map<std::string, Entry> entries;
  bool empty() const { return entries.empty(); }
};

/// Reads the expected values of a benchmark; empty if the shared folder is absent.
Expected expected_of(const std::string& benchmark);

/// Compares `value` with the entry called `name`.
void expect_entry(const Expected& expected, const std::string& name, double value);

/// Compares every entry NAME@t=T with T <= last with quantities[NAME](T). Skips names that are
/// missing in `quantities`. Returns the number of compared entries.
int expect_series(const Expected& expected,
                  const std::map<std::string, std::function<double(double)>>& quantities,
                  double last = 1e300);

/// The integrators this build has.
std::vector<mbd_solver::Integrator> methods();

/// Bound of an error: `loose` for generalised-alpha, which has order two, `tight` for the others.
double bound(mbd_solver::Integrator method, double tight, double loose);
/// Options of a run that is compared with a closed form. `step` applies to generalised-alpha.
mbd_solver::DynamicOptions accurate(mbd_solver::Integrator method,
                                    double end,
                                    double output,
                                    double step);

/// Simulates the system and expects that the run completes.
mbd_solver::SimulationSummary run(const mbd_solver::System& system,
                                  const mbd_solver::DynamicOptions& options,
                                  mbd_solver::Results& results);

}  // namespace femflex::testing
