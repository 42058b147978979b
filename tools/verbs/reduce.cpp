// Loads the model and the preloaded models, reduces, writes the body files, and measures the time
// of each step.
#include "verbs/reduce.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/modal/correlation.h"

namespace femflex::verbs {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

/// K of a preloaded model, for the DOFs of `model`.
/// @throws ModelError  it has no K, other DOFs or other units
modal::PreloadedStiffness stiffness_under(const PreloadedModel& preloaded,
                                          const FeModel& model,
                                          const ReduceRequest& request,
                                          Diagnostics& diagnostics,
                                          Progress& progress) {
  const std::string name = name_of(preloaded.model);
  FeModel other = load(preloaded.model, request.units, diagnostics, progress).take();
  if (!other.stiffness)
    throw ModelError("no-matrices", fmt::format("{} holds no stiffness matrix", name));
  if (!(other.dofs == model.dofs) ||
      (other.units && model.units && other.units->moment() != model.units->moment()))
    throw ModelError("wrong-model",
                     fmt::format("{} has other DOFs or units than the model", name),
                     {},
                     "import both from the same deck");
  modal::PreloadedStiffness out;
  out.cause = preloaded.cause;
  out.amount = preloaded.amount;
  out.stiffness.swap(*other.stiffness);
  return out;
}

}  // namespace

ReduceOutcome reduce(const ReduceRequest& request, Diagnostics& diagnostics, Progress& progress) {
  // an unknown format fails here, before anything is computed; write_body() finds the format again
  for (const std::filesystem::path& output : request.outputs)
    static_cast<void>(flexfile::format_for_writing(output, {}));
  const Clock::time_point start = Clock::now();
  const Loaded<FeModel> model = load(request.model, request.units, diagnostics, progress);
  modal::ReduceOptions options = request.options;
  for (const PreloadedModel& preloaded : request.preloaded)
    options.preloaded.push_back(stiffness_under(preloaded, *model, request, diagnostics, progress));
  const Clock::time_point loaded = Clock::now();
  ReduceOutcome out;
  out.body = modal::reduce(*model, options, diagnostics, progress, &out.report);
  if (request.name) out.body.name = *request.name;
  out.body.provenance.options = request.provenance;
  const Clock::time_point reduced = Clock::now();
  for (const std::filesystem::path& output : request.outputs)
    flexfile::write_body(out.body, output, {}, diagnostics, progress);
  const Clock::time_point written = Clock::now();
  out.energy = modal::kinetic_energy_fractions(out.body, &*model);
  out.seconds = {
      seconds_of(loaded - start), seconds_of(reduced - loaded), seconds_of(written - reduced)};
  return out;
}

}  // namespace femflex::verbs
