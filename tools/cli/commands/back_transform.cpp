#include "results/back_transform.h"

#include <filesystem>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/number_list.h"

#include "arguments.h"
#include "body/inputs.h"
#include "document/table.h"
#include "results/results_file.h"

namespace femflex::cli {
namespace {

using tools::Json;

Outcome run_back_transform(const Arguments& arguments, Session& session) {
  const std::filesystem::path output = arguments.need("--output");
  tools::BackOptions options;
  options.body = arguments.text("--body");
  options.route = arguments.text("--route");
  if (arguments.has("--nodes")) options.nodes = parse_number_list(arguments.text("--nodes"));
  const tools::ResultSeries series = tools::read_results(arguments.input(), session.diagnostics);
  options.body = tools::flexible_body_of(series, options.body);
  const std::filesystem::path flex =
      arguments.has("--flex") ? std::filesystem::path(arguments.text("--flex"))
                              : tools::flex_file_of(series, arguments.input(), options.body);
  const FlexBody body =
      tools::load_body(flex, session.units, session.diagnostics, *session.progress);
  const tools::BackResult result = tools::back_transform(series, body, options);
  tools::write_results(result.series, output, arguments.summary());

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
  std::vector<std::string> outputs{output.string()};
  if (arguments.has("--csv")) {
    tools::write_csv(result.series, arguments.text("--csv"));
    outputs.push_back(arguments.text("--csv"));
  }
  out.text = fmt::format("{} channels, {} rows by the route '{}' ({})\n",
                         channels.items().size(),
                         result.series.time.size(),
                         result.route,
                         result.why);
  for (const std::string& each : outputs)
    out.text += each + "\n";
  out.document["channels"] = std::move(channels);
  out.document["outputs"] = outputs;
  return out;
}

}  // namespace

Verb back_transform_verb() {
  return {
      "back-transform",
      "histories in the coordinates of the modes you chose, and node motion",
      "RESULT",
      1,
      1,
      {{"--flex", "", "BODY", "the body file; default: the one the simulation used", ""},
       {"--body", "", "NAME", "name of the body in the result; default: the only flexible one", ""},
       {"--nodes", "", "LIST", "nodes whose motion to add", ""},
       {"--route",
        "",
        "ROUTE",
        "eta = V diag(alpha) zeta, or through node motion",
        "direct",
        false,
        {"direct", "inverse", "least-squares"}},
       writes({"--output", "-o", "OUT.h5", "the result to write", ""}),
       writes({"--csv", "", "FILE", "the same as a table", ""})},
      {"femflex back-transform step.h5 --body dms --nodes 2-3 -o eta.h5 --csv eta.csv"},
      run_back_transform};
}

}  // namespace femflex::cli
