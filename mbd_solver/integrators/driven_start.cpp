// What kinematics and series of equilibria check before they begin: number of rows, samples, work.
#include "integrators/driven_start.h"

#include <algorithm>

#include <fmt/format.h>

#include "femflex/errors.h"

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

}  // namespace femflex::mbd_solver
