// `femflex back-transform`: computes histories of a run in the coordinates of the modes that the
// user chose before orthogonalisation, and node motion. Defines the options, the JSON document and
// the text output.
#include "verbs/back_transform.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "femflex/modal/back_transform.h"

#include "arguments.h"
#include "commands/outputs.h"
#include "fields.h"
#include "results/results_file.h"

namespace femflex::cli {
namespace {

using tools::BackOptions;
using tools::Json;
using verbs::BackTransformRequest;

Outcome run_back_transform(const Arguments& arguments, Session& session) {
  if (!arguments.is_script()) static_cast<void>(arguments.need("--output"));
  auto request = request_of<BackTransformRequest>(arguments);
  request.result = result_input(arguments.input_value());
  request.units = session.units;
  request.provenance = arguments.summary();
  tools::BackResult result = verbs::back_transform(request, session.diagnostics, *session.progress);

  Outcome out;
  out.document["route"] = result.route;
  Json advice = Json::object();
  advice["recommended"] = result.recommended;
  advice["why"] = result.why;
  advice["condition_V"] = result.condition_V;
  advice["condition_U"] = result.condition_U;
  out.document["advice"] = std::move(advice);
  out.document["rows"] = result.series.time.size();
  Json channels = Json::list();
  for (const mbd_solver::Channel& channel : result.series.channels)
    channels.push_back(channel.name);
  std::vector<std::string> outputs;
  if (request.output) outputs.push_back(request.output->string());
  if (arguments.has("--csv")) {
    tools::write_csv(result.series, arguments.text("--csv"));
    outputs.push_back(arguments.text("--csv"));
  }
  out.text = fmt::format("{} channels, {} rows by the route '{}' ({})\n",
                         channels.items().size(),
                         result.series.time.size(),
                         result.route,
                         result.why);
  out.document["channels"] = std::move(channels);
  list_outputs(out, outputs);
  out.result = std::make_shared<tools::ResultSeries>(std::move(result.series));
  return out;
}

std::vector<Option> back_transform_options() {
  return {
      {.name = "--flex",
       .value = "BODY",
       .help = "the body file; default: the one the simulation used",
       .set = to(&BackTransformRequest::flex)},
      {.name = "--body",
       .value = "NAME",
       .help = "name of the body in the result; default: the only flexible one",
       .set = to(at(&BackTransformRequest::options, &BackOptions::body))},
      {.name = "--model",
       .value = "MODEL.fe.h5",
       .help = "for a body file that holds processed shapes alone, such as a FLEX file of DADS: "
               "the model with the modes that it was made of",
       .set = to(&BackTransformRequest::model)},
      {.name = "--select",
       .value = "LIST",
       .help = "with --model: these modes, dynamic:1-20,static:1,constraint:2; default: all",
       .set = to(at(&BackTransformRequest::select), modal::parse_selection)},
      {.name = "--channels",
       .value = "LIST",
       .help =
           "columns that are the modal coordinates, one per mode; default: BODY/zeta/1, ..., or "
           "all columns of a table",
       .is_repeated = true,
       .set = to(at(&BackTransformRequest::options, &BackOptions::channels), names_at_commas)},
      {.name = "--nodes",
       .value = "LIST",
       .help = "nodes whose motion to add",
       .set = to(at(&BackTransformRequest::options, &BackOptions::nodes))},
      {.name = "--route",
       .value = "ROUTE",
       .help = "eta = V diag(alpha) zeta, or through node motion; default: the one that loses "
               "the fewest digits",
       .choices = modal::back_route_names(),
       .set = to(at(&BackTransformRequest::options, &BackOptions::route))},
      {.name = "--output",
       .short_name = "-o",
       .value = "OUT.h5",
       .help = "the result to write",
       .is_output = true,
       .set = to(&BackTransformRequest::output)},
      {.name = "--csv", .value = "FILE", .help = "the same as a table", .is_output = true},
  };
}

}  // namespace

Verb back_transform_verb() {
  return {.name = "back-transform",
          .summary = "histories in the coordinates of the modes you chose, and node motion",
          .inputs = "RESULT|TABLE.csv",
          .fewest_inputs = 1,
          .most_inputs = 1,
          .options = back_transform_options(),
          .examples = {"femflex back-transform step.h5 --body dms --nodes 2-3 -o eta.h5 --csv "
                       "eta.csv",
                       "femflex back-transform history.csv --flex dads.flex --model dms.fe.h5 "
                       "--select static:1,constraint:1 -o eta.h5"},
          .run = run_back_transform,
          .takes_values = true,
          .hands_over = true};
}

}  // namespace femflex::cli
