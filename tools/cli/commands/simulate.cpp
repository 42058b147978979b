// `femflex simulate`: runs the analyses of a system. Defines the options, the JSON document, the
// text output and the HTML page.
#include "verbs/simulate.h"

#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "arguments.h"
#include "commands/document_options.h"
#include "commands/outputs.h"
#include "commands/run_options.h"
#include "fields.h"
#include "report/reports.h"
#include "results/results_file.h"

namespace femflex::cli {
namespace {

using tools::RunOverrides;
using verbs::SimulateRequest;

SimulateRequest simulate_request(const Arguments& arguments) {
  if (!arguments.is_script()) static_cast<void>(arguments.need("--output"));
  auto request = request_of<SimulateRequest>(arguments);
  if (request.run.from && request.run.restart.empty())
    throw UsageError("usage",
                     "--from needs --restart: it selects one of the states stored in that result",
                     {},
                     "add --restart R.h5");
  request.system = document_input(arguments.input_value());
  request.document.units = arguments.text("--units");
  request.provenance = arguments.summary();
  return request;
}

Outcome run_simulate(const Arguments& arguments, Session& session) {
  const SimulateRequest request = simulate_request(arguments);
  tools::RunReport report = verbs::simulate(request, session.diagnostics, *session.progress);
  if (session.is_reproducible) report.dynamic.cpu_seconds = report.dynamic.real_time_factor = 0.0;

  Outcome out;
  out.document = tools::run_json(report, session.is_reproducible);
  out.text = tools::run_text(report);
  out.result = report.series;
  std::vector<std::string> outputs;
  if (!request.output.empty()) outputs.push_back(request.output.string());
  const bool needs_rows = arguments.has("--csv") || arguments.has("--report");
  std::shared_ptr<const tools::ResultSeries> series = report.series;
  if (needs_rows && !series)
    series = std::make_shared<tools::ResultSeries>(tools::read_results(request.output));
  if (arguments.has("--csv")) {
    tools::write_csv(*series, arguments.text("--csv"));
    outputs.push_back(arguments.text("--csv"));
  }
  if (arguments.has("--report")) {
    report::write_simulate_report(report,
                                  *series,
                                  out.document,
                                  {arguments.command(), session.is_reproducible},
                                  arguments.text("--report"));
    outputs.push_back(arguments.text("--report"));
  }
  list_outputs(out, outputs);
  return out;
}

std::vector<Option> run_options() {
  return {
      {.name = "--output",
       .short_name = "-o",
       .value = "R.h5",
       .help = "the result to write",
       .is_output = true,
       .set = to(&SimulateRequest::output)},
      {.name = "--csv",
       .value = "FILE",
       .help = "also write the result as a table",
       .is_output = true},
      integrator_option(to(at(&SimulateRequest::run, &RunOverrides::integrator))),
      end_option(to(at(&SimulateRequest::run, &RunOverrides::end), positive)),
      {.name = "--step",
       .value = "SECONDS",
       .help = "time step of the dynamic analysis",
       .unit = "s",
       .set = to(at(&SimulateRequest::run, &RunOverrides::step), positive)},
      {.name = "--output-step",
       .value = "SECONDS",
       .help = "time between rows of the result",
       .unit = "s",
       .set = to(at(&SimulateRequest::run, &RunOverrides::output_step), positive)},
  };
}

std::vector<Option> state_options() {
  return {
      {.name = "--keep-states",
       .help = "store the state that --restart needs with every row",
       .set = to(at(&SimulateRequest::run, &RunOverrides::keep_states))},
      {.name = "--force",
       .help = "write the result however large it is",
       .set = to(at(&SimulateRequest::run, &RunOverrides::force))},
      {.name = "--restart",
       .value = "FILE.h5",
       .help = "continue from a stored state of this result; default: the last one",
       .set = to(at(&SimulateRequest::run, &RunOverrides::restart))},
      {.name = "--from",
       .value = "SECONDS",
       .help = "with --restart: time of the stored state to continue from",
       .unit = "s",
       .set = to(at(&SimulateRequest::run, &RunOverrides::from))},
      {.name = "--allow-changes",
       .help = "allow --restart with changed masses, stiffness or geometry",
       .set = to(at(&SimulateRequest::run, &RunOverrides::allows_changes))},
      {.name = "--report",
       .value = "FILE.html",
       .help = "a page with histories",
       .is_output = true},
  };
}

}  // namespace

Verb simulate_verb() {
  return {.name = "simulate",
          .summary = "statics, modal, dynamics as the system says",
          .inputs = "SYSTEM",
          .fewest_inputs = 1,
          .most_inputs = 1,
          .options =
              joined({run_options(), state_options(), document_rows(&SimulateRequest::document)}),
          .examples = {"femflex simulate step.json -o step.h5 --csv step.csv",
                       "femflex simulate step.json -o half.h5 --end 0.5 --keep-states",
                       "femflex simulate step.json -o rest.h5 --restart half.h5"},
          .run = run_simulate,
          .takes_documents = true,
          .hands_over = true};
}

}  // namespace femflex::cli
