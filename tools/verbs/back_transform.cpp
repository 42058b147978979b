// Loads result and body, transforms the histories, and writes the new result if a file is given.
#include "verbs/back_transform.h"

#include <utility>

#include "femflex/errors.h"
#include "femflex/modal/back_transform.h"

namespace femflex::verbs {
namespace {

/// Loads a result file, a value, or a table of another program.
Loaded<tools::ResultSeries> history_of(const ResultInput& input, Diagnostics& diagnostics) {
  const auto* path = std::get_if<std::filesystem::path>(&input);
  if (path != nullptr && tools::is_csv_table(*path))
    return Loaded<tools::ResultSeries>(tools::read_csv(*path));
  return load(input, diagnostics);
}

/// The given body, or the body to which the result refers. A table refers to none.
BodyInput body_input_of(const BackTransformRequest& request, const tools::ResultSeries& series) {
  const bool has_owner = tools::has_modal_coordinates(series) && request.options.channels.empty();
  if (request.flex && !has_owner)
    return body_of_run(request.flex, series, request.result, request.options.body);
  if (!tools::has_modal_coordinates(series))
    throw UsageError("no-flex-file",
                     "the table does not say which body its columns belong to",
                     {name_of(request.result)},
                     "give the body file with --flex");
  return body_of_run(
      request.flex, series, request.result, tools::flexible_body_of(series, request.options.body));
}

}  // namespace

tools::BackResult back_transform(const BackTransformRequest& request,
                                 Diagnostics& diagnostics,
                                 Progress& progress) {
  if (!request.model && !request.select.empty())
    throw UsageError("usage", "--select chooses modes of a model", {}, "add --model MODEL.fe.h5");
  const Loaded<tools::ResultSeries> series = history_of(request.result, diagnostics);
  const BodyInput flex = body_input_of(request, *series);
  Loaded<FlexBody> body = load(flex, request.units, diagnostics, progress);
  if (request.model) {
    FlexBody own = std::move(body).take();
    modal::take_chosen_modes(
        own, *load(*request.model, request.units, diagnostics, progress), request.select);
    body = Loaded<FlexBody>(std::move(own));
  }
  tools::BackResult out = tools::back_transform(*series, *body, request.options);
  out.series.attributes.emplace_back("options", request.provenance);
  if (request.output) tools::write_results(out.series, *request.output, request.provenance);
  return out;
}

}  // namespace femflex::verbs
