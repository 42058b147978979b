// Computes the modes, appends them to those of the model, and writes the model if a file is given.
#include "verbs/modes.h"

#include <future>
#include <optional>

#include "femflex/importer/fe_model_file.h"

namespace femflex::verbs {
namespace {

/// Writes a model, all but its modes at once and on a thread of its own if asked.
class Output {
 public:
  Output(const FeModel& model, const ModesRequest& request) : writer_(*request.output) {
    written_ = std::async(request.writes_early ? std::launch::async : std::launch::deferred,
                          [this, &model] { writer_.write_mesh_and_matrices(model); });
  }
  void finish(const FeModel& model) {
    written_.get();
    writer_.finish(model);
  }

 private:
  importer::FeModelWriter writer_;
  std::future<void> written_;  // waits for the thread when it is destroyed
};

}  // namespace

ModesOutcome modes(const ModesRequest& request, Diagnostics& diagnostics, Progress& progress) {
  ModesOutcome out;
  out.model = load(request.model, request.units, diagnostics, progress).take();
  std::optional<Output> output;
  if (request.output) output.emplace(out.model, request);
  const modal::ComputedModes computed =
      modal::compute_modes(out.model, request.modes, diagnostics, progress);
  out.model.modes = merged(out.model.modes, computed.modes);
  out.added = computed.modes.count();
  out.report = computed.report;
  if (output) output->finish(out.model);
  return out;
}

}  // namespace femflex::verbs
