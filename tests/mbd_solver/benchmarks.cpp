// Reads the expected values from JSON files in the shared folder. Without this folder there are
// none.
#include "benchmarks.h"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "integrators/integrator.h"
#include "support/support.h"

namespace femflex::testing {

Expected expected_of(const std::string& benchmark) {
  Expected expected;
  const auto shared = shared_folder();
  if (shared.empty()) return expected;
  std::ifstream file(shared / "benchmarks" / (benchmark + ".json"));
  const nlohmann::json json = nlohmann::json::parse(file);
  for (const auto& [name, entry] : json["expected"].items())
    expected.entries[name] = {entry["value"].get<double>(), entry["tol"].get<double>()};
  return expected;
}

void expect_entry(const Expected& expected, const std::string& name, double value) {
  const auto it = expected.entries.find(name);
  ASSERT_NE(it, expected.entries.end()) << name;
  EXPECT_NEAR(value, it->second.value, tolerance(it->second.tolerance)) << name;
}

int expect_series(const Expected& expected,
                  const std::map<std::string, std::function<double(double)>>& quantities,
                  double last) {
  int count = 0;
  for (const auto& [name, entry] : expected.entries) {
    const std::size_t at = name.find("@t=");
    if (at == std::string::npos) continue;
    const auto quantity = quantities.find(name.substr(0, at));
    if (quantity == quantities.end()) continue;
    const double t = std::stod(name.substr(at + 3));
    if (t > last) continue;
    EXPECT_NEAR(quantity->second(t), entry.value, tolerance(entry.tolerance)) << name;
    ++count;
  }
  return count;
}

std::vector<mbd_solver::Integrator> methods() {
  using mbd_solver::Integrator;
  std::vector<Integrator> all = {Integrator::generalised_alpha, Integrator::runge_kutta};
  if (mbd_solver::bdf_available()) all.push_back(Integrator::bdf);
  return all;
}

double bound(mbd_solver::Integrator method, double tight, double loose) {
  return tolerance(method == mbd_solver::Integrator::generalised_alpha ? loose : tight);
}

mbd_solver::DynamicOptions accurate(mbd_solver::Integrator method,
                                    double end,
                                    double output,
                                    double step) {
  mbd_solver::DynamicOptions o;
  o.end = end;
  o.output_step = output;
  o.integrator = method;
  o.step = step;
  o.rho = 0.95;
  o.newton_tolerance = 1e-9;
  o.relative_tolerance = 1e-10;
  o.absolute_tolerance = 1e-12;
  return o;
}

mbd_solver::SimulationSummary run(const mbd_solver::System& system,
                                  const mbd_solver::DynamicOptions& options,
                                  mbd_solver::Results& results) {
  Diagnostics diagnostics;
  const mbd_solver::SimulationSummary summary =
      simulate(system, options, results, diagnostics, no_progress());
  EXPECT_EQ(summary.status, mbd_solver::RunStatus::complete) << summary.reason;
  return summary;
}

}  // namespace femflex::testing
