// Selects by the subject what is computed: stresses of shapes, stresses of a run, or cycles of
// signals.
#include "verbs/stress.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "verbs/stress_exports.h"
#include "verbs/stress_recovery.h"
#include "verbs/stress_subjects.h"

namespace femflex::verbs {
namespace {

using durability::ShapeSet;

void refuse_run_options(const StressRequest& request) {
  const std::array<std::pair<bool, const char*>, 10> needs_run{
      {{!request.histories.empty(), "--history"},
       {!request.forces.empty(), "--forces"},
       {request.gauges.has_value(), "--gauges"},
       {request.curve.has_value(), "--curve"},
       {request.with_left_out, "--with-left-out"},
       {request.preload.has_value(), "--preload"},
       {request.output.has_value(), "--output"},
       {request.with_report, "--report"},
       {request.coordinates.has_value(), "--coordinates"},
       {!request.loads_at.empty(), "--loads-at"}}};
  for (const auto& [is_given, name] : needs_run)
    if (is_given)
      throw UsageError("usage",
                       fmt::format("{} needs a run", name),
                       {},
                       "give the result of a simulation: femflex stress R.h5");
}

/// Stresses of the model's own shapes.
StressOutcome stress_of_model(const StressRequest& request,
                              const FeModel& model,
                              Diagnostics& diagnostics,
                              Progress& progress) {
  const std::vector<std::int64_t>& read = model.stresses.stress.shapes;
  const bool all_read = !read.empty() && std::cmp_equal(read.size(), model.modes.count());
  const ShapeSet shapes = durability::shapes_of(model);
  std::vector<std::string> labels;
  if (computes_own_shapes(request, model)) {
    for (const ModeInfo& mode : model.modes.modes)
      labels.push_back(label_of(mode));
    const Recovery recovery = computed_recovery(request, model, shapes, request.elements);
    return stress_of_shapes(
        request, recovery, {&model, nullptr, &shapes, std::move(labels)}, diagnostics, progress);
  }
  Recovery recovery;
  recovery.sources = model.stresses.stress.sources;
  recovery.source =
      std::make_unique<durability::ReadStress>(model, request.places, request.elements);
  for (const std::int64_t k : read)
    labels.push_back(label_of(model.modes.modes[static_cast<std::size_t>(k)]));
  if (!all_read)
    diagnostics.warn("no-stress",
                     fmt::format("{} of {} shapes have no stresses in the FE code's file",
                                 model.modes.count() - std::ssize(read),
                                 model.modes.count()));
  return stress_of_shapes(
      request, recovery, {&model, nullptr, &shapes, std::move(labels)}, diagnostics, progress);
}

}  // namespace

StressOutcome stress(const StressRequest& request, Diagnostics& diagnostics, Progress& progress) {
  const bool is_plain = !request.subject.has_value();
  const int others = static_cast<int>(request.signals.has_value()) +
                     static_cast<int>(request.schedule.has_value()) +
                     static_cast<int>(is_plain && request.spectrum.has_value());
  if (others != (is_plain ? 1 : 0))
    throw UsageError("usage",
                     "stress takes either a model, body, run or system, or a schedule, or signals",
                     {},
                     "name one file, or --schedule S.json, or --rainflow TABLE.csv, or --spectrum "
                     "DENSITIES.csv");
  if (request.schedule) return stress_of_schedule(request, diagnostics, progress);
  check_exports(request);
  if (is_plain || std::holds_alternative<tools::DocumentInput>(*request.subject)) {
    if (request.page || request.picture || request.with_report || request.coordinates ||
        request.loads || request.preload)
      throw UsageError("usage",
                       "pictures, reports, coordinates, load cases and preload need a run",
                       {},
                       "leave them out with --rainflow and --spectrum");
    if (is_plain && (request.gauges || !request.histories.empty() || !request.forces.empty()))
      throw UsageError("usage",
                       "gauges, histories of places and section forces need a run",
                       {},
                       "leave them out with --rainflow and --spectrum");
    if (request.signals) return cycles_of_signals(request);
    if (is_plain) return damage_of_spectra(request);
    return stress_of_random_inputs(
        request, std::get<tools::DocumentInput>(*request.subject), diagnostics, progress);
  }
  if (request.spectrum)
    throw UsageError("usage",
                     "--spectrum drives the inputs of a system",
                     {},
                     "give the system (JSON), or no file for plain signals");
  if (!std::holds_alternative<ResultInput>(*request.subject)) refuse_run_options(request);
  if (std::holds_alternative<BodyInput>(*request.subject) &&
      (request.flex || !request.body.empty()))
    throw UsageError("usage",
                     "--flex and --body belong to a run, and a body file is given",
                     {},
                     "leave them out, or give the result of a simulation");
  if (const auto* input = std::get_if<ModelInput>(&*request.subject)) {
    if (request.model || request.flex || !request.body.empty())
      throw UsageError("usage",
                       "--model, --flex and --body belong to a body or a run, and a model is given",
                       {},
                       "leave them out, or give the body or the result of a simulation");
    const Loaded<FeModel> model = load(*input, request.units, diagnostics, progress);
    return stress_of_model(request, *model, diagnostics, progress);
  }
  if (const auto* input = std::get_if<BodyInput>(&*request.subject)) {
    const Loaded<FlexBody> body = load(*input, request.units, diagnostics, progress);
    const Loaded<FeModel> model =
        model_for(request, *body, folder_of(*input), diagnostics, progress);
    std::vector<std::string> labels;
    for (std::size_t k = 0; k < body->modes.size(); ++k)
      labels.push_back(std::to_string(k + 1));
    const ShapeSet shapes = durability::shapes_of(*body);
    return stress_of_shapes(request,
                            recovery_of(request, *model, shapes, request.elements),
                            {&*model, &*body, &shapes, std::move(labels)},
                            diagnostics,
                            progress);
  }
  return stress_of_run(request, std::get<ResultInput>(*request.subject), diagnostics, progress);
}

}  // namespace femflex::verbs
