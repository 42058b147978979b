#include "femflex/mbd_solver/simulate.h"

#include <filesystem>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "arguments.h"
#include "commands/document_options.h"
#include "report/reports.h"
#include "results/results_file.h"
#include "system/run_system.h"

namespace femflex::cli {
namespace {

namespace fs = std::filesystem;
using tools::Json;

Outcome run_simulate(const Arguments& arguments, Session& session) {
  const fs::path output = arguments.need("--output");
  tools::RunOverrides overrides;
  overrides.end = maybe_positive(arguments, "--end", "s");
  overrides.step = maybe_positive(arguments, "--step", "s");
  overrides.output_step = maybe_positive(arguments, "--output-step", "s");
  overrides.integrator = arguments.text("--integrator");
  overrides.force = arguments.has("--force");
  overrides.keep_states = arguments.has("--keep-states");
  overrides.restart = arguments.text("--restart");
  overrides.from = arguments.maybe_number("--from", "s");
  if (overrides.from && overrides.restart.empty())
    throw UsageError("usage", "--from chooses a state of --restart", {}, "name the result");
  overrides.allows_changes = arguments.has("--allow-changes");
  const tools::SystemDocument document = tools::read_any_system(
      arguments.input(), document_options(arguments), session.diagnostics, *session.progress);
  tools::RunReport report = tools::run_system(
      document, overrides, output, arguments.summary(), session.diagnostics, *session.progress);
  if (session.is_reproducible) report.dynamic.cpu_seconds = report.dynamic.real_time_factor = 0.0;

  Outcome out;
  out.document = tools::run_json(report, session.is_reproducible);
  out.text = tools::run_text(report);
  std::vector<std::string> outputs{output.string()};
  const bool needs_rows = arguments.has("--csv") || arguments.has("--report");
  const tools::ResultSeries series =
      needs_rows ? tools::read_results(output) : tools::ResultSeries{};
  if (arguments.has("--csv")) {
    tools::write_csv(series, arguments.text("--csv"));
    outputs.push_back(arguments.text("--csv"));
  }
  if (arguments.has("--report")) {
    report::write_simulate_report(report,
                                  series,
                                  out.document,
                                  {arguments.command(), session.is_reproducible},
                                  arguments.text("--report"));
    outputs.push_back(arguments.text("--report"));
  }
  for (const std::string& each : outputs)
    out.text += each + "\n";
  out.document["outputs"] = outputs;
  return out;
}

}  // namespace

Verb simulate_verb() {
  std::vector<Option> options = {
      writes({"--output", "-o", "R.h5", "the result to write", ""}),
      writes({"--csv", "", "FILE", "the result as a table, too", ""}),
      {"--integrator",
       "",
       "NAME",
       "overrides the system's",
       "",
       false,
       {"generalised-alpha", "runge-kutta", "bdf"}},
      {"--end", "", "SECONDS", "end of the dynamic analysis", ""},
      {"--step", "", "SECONDS", "its step", ""},
      {"--output-step", "", "SECONDS", "time between rows", ""},
      {"--keep-states", "", "", "the result keeps what --restart needs at every row", ""},
      {"--force", "", "", "write the result however large it is", ""},
      {"--restart", "", "FILE.h5", "goes on from a state that a result keeps (the last one)", ""},
      {"--from", "", "SECONDS", "the state at this time instead", ""},
      {"--allow-changes", "", "", "--restart also with other masses, stiffness or geometry", ""},
      writes({"--report", "", "FILE.html", "a page with histories", ""})};
  options.insert(options.end(), document_table().begin(), document_table().end());
  return {"simulate",
          "statics, modal, dynamics as the system says",
          "SYSTEM",
          1,
          1,
          std::move(options),
          {"femflex simulate step.json -o step.h5 --csv step.csv",
           "femflex simulate step.json -o half.h5 --end 0.5 --keep-states",
           "femflex simulate step.json -o rest.h5 --restart half.h5"},
          run_simulate};
}

}  // namespace femflex::cli
