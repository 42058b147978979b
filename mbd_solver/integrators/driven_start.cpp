// What kinematics and series of equilibria check before they begin: number of rows, samples, work;
// and their loop over rows.
#include "integrators/driven_start.h"

#include <algorithm>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "integrators/row_times.h"
#include "integrators/run_start.h"

namespace femflex::mbd_solver {

void check_driven_options(const Model& model,
                          const DrivenOptions& options,
                          const char* analysis,
                          Diagnostics& diagnostics) {
  check_rows(options.start, options.end, options.output_step);
  if (model.network.has_samples || !model.network.guests.empty())
    throw ModelError(
        "sampled",
        fmt::format("{}: blocks that sample, and FMUs, need a dynamic analysis", analysis),
        {},
        "take \"type\": \"dynamic\"");
  if (std::any_of(model.outputs.probes.begin(), model.outputs.probes.end(), [](const Probe& probe) {
        return probe.what == Probe::What::input_work;
      }))
    diagnostics.warn("work-not-computed",
                     fmt::format("{}: energy/work stays as it is, since nothing is integrated; a "
                                 "dynamic analysis sums it",
                                 analysis));
}

void drive_rows(Engine& engine,
                const State& state,
                const std::function<void(double t)>& advance,
                const DrivenRows& rows) {
  const Model& model = engine.model;
  const auto& [options, sink, summary, progress] = rows;
  sink.begin(model.outputs.channels);
  std::vector<double> row(model.outputs.probes.size());
  const RowTimes times(options.start, options.end, options.output_step);
  for (std::int64_t k = 0; k <= times.count(); ++k) {
    advance(times(k));
    engine.set_all(state);
    read_row(model, engine.ws, row);
    sink.append(state.time, row);
    if (sink.keeps_states()) sink.keep(state);
    ++summary.rows;
    summary.constraint_violation = std::max(summary.constraint_violation, engine.largest_phi());
    summary.end_time = state.time;
    progress.step(state.time - options.start);
  }
}

}  // namespace femflex::mbd_solver
