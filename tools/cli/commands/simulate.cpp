#include "femflex/mbd_solver/simulate.h"

#include <filesystem>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "arguments.h"
#include "commands/commands.h"
#include "pipeline/results_file.h"
#include "pipeline/run_system.h"
#include "report/reports.h"

namespace femflex::cli {
namespace {

namespace fs = std::filesystem;
using pipeline::Json;

pipeline::DocumentOptions document_options(const Arguments& arguments) {
  return {arguments.text("--variant"), arguments.texts("--set"), arguments.text("--units")};
}

Outcome run_simulate(const Arguments& arguments, Session& session) {
  const fs::path output = arguments.need("--output");
  pipeline::RunOverrides overrides;
  overrides.end = arguments.maybe_number("--end", "s");
  overrides.step = arguments.maybe_number("--step", "s");
  overrides.output_step = arguments.maybe_number("--output-step", "s");
  overrides.integrator = arguments.text("--integrator");
  overrides.keep_states = arguments.has("--keep-states");
  overrides.restart = arguments.text("--restart");
  overrides.from = arguments.maybe_number("--from", "s");
  if (overrides.from && overrides.restart.empty())
    throw UsageError("usage", "--from chooses a state of --restart", {}, "name the result");
  const pipeline::SystemDocument document = pipeline::read_any_system(
      arguments.input(), document_options(arguments), session.diagnostics, *session.progress);
  pipeline::RunReport report = pipeline::run_system(
      document, overrides, output, arguments.summary(), session.diagnostics, *session.progress);
  if (session.is_reproducible) report.dynamic.cpu_seconds = report.dynamic.real_time_factor = 0.0;

  Outcome out;
  out.document = pipeline::run_json(report, session.is_reproducible);
  out.text = pipeline::run_text(report);
  std::vector<std::string> outputs{output.string()};
  const bool needs_rows = arguments.has("--csv") || arguments.has("--report");
  const pipeline::ResultSeries series =
      needs_rows ? pipeline::read_results(output) : pipeline::ResultSeries{};
  if (arguments.has("--csv")) {
    pipeline::write_csv(series, arguments.text("--csv"));
    outputs.push_back(arguments.text("--csv"));
  }
  if (arguments.has("--report")) {
    report::write_simulate_report(report,
                                  series,
                                  out.document,
                                  {arguments.summary(), session.is_reproducible},
                                  arguments.text("--report"));
    outputs.push_back(arguments.text("--report"));
  }
  for (const std::string& each : outputs)
    out.text += each + "\n";
  out.document["outputs"] = outputs;
  return out;
}

Outcome run_linearise(const Arguments& arguments, Session& session) {
  pipeline::SystemDocument document = pipeline::read_any_system(
      arguments.input(), document_options(arguments), session.diagnostics, *session.progress);
  Json equilibrium = Json::object();
  mbd_solver::State state;
  Outcome out;
  if (arguments.has("--no-statics")) {
    mbd_solver::AssemblyReport assembly;
    state = mbd_solver::assemble(document.system, assembly, session.diagnostics);
    equilibrium["degrees_of_freedom"] = assembly.degrees_of_freedom;
  } else {
    mbd_solver::Results none;
    const mbd_solver::StaticSummary statics = mbd_solver::solve_statics(
        document.system, {}, none, session.diagnostics, *session.progress);
    if (!statics.converged)
      throw NumericalError("no-equilibrium",
                           fmt::format("statics: {}", statics.reason),
                           {arguments.input()},
                           "start nearer to the equilibrium, or use --no-statics");
    state = statics.state;
    equilibrium["iterations"] = statics.iterations;
    equilibrium["residual"] = statics.residual;
    equilibrium["stable"] = statics.stable;
    Json values = Json::object();
    for (std::size_t c = 0; c < none.channels().size() && none.rows() > 0; ++c)
      values[none.channels()[c].name] = none.value(0, static_cast<Eigen::Index>(c));
    equilibrium["values"] = std::move(values);
    out.text += fmt::format("equilibrium after {} iterations{}\n",
                            statics.iterations,
                            statics.stable ? "" : ", NOT STABLE");
  }
  pipeline::RunReport report;
  report.modes = mbd_solver::linearise(document.system, state, session.diagnostics).modes;
  if (const auto limit = arguments.maybe_number("--up-to", "Hz"); limit)
    std::erase_if(report.modes,
                  [&](const mbd_solver::SystemMode& mode) { return mode.frequency_hz > *limit; });
  out.document["equilibrium"] = std::move(equilibrium);
  out.document["modes"] = pipeline::modes_json(report.modes);
  out.text += pipeline::run_text(report);
  return out;
}

const std::vector<Option>& document_table() {
  static const std::vector<Option> table = {
      {"--set",
       "",
       "PATH=VALUE",
       "changes the system before it is read: parameters.k=2e5",
       "",
       true},
      {"--variant", "", "NAME", "one of the system's \"variants\"", ""}};
  return table;
}

}  // namespace

Verb simulate_verb() {
  std::vector<Option> options = {
      {"--output", "-o", "R.h5", "the result to write", ""},
      {"--csv", "", "FILE", "the result as a table, too", ""},
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
      {"--restart", "", "FILE.h5", "goes on from a state that a result keeps (the last one)", ""},
      {"--from", "", "SECONDS", "the state at this time instead", ""},
      {"--report", "", "FILE.html", "a page with histories", ""}};
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

Verb linearise_verb() {
  std::vector<Option> options = {
      {"--up-to", "", "HZ", "frequencies listed", ""},
      {"--no-statics", "", "", "about the assembled initial state instead of the equilibrium", ""}};
  options.insert(options.end(), document_table().begin(), document_table().end());
  return {"linearise",
          "equilibrium, frequencies and damping of an assembled system",
          "SYSTEM",
          1,
          1,
          std::move(options),
          {"femflex linearise truck.json --up-to 60"},
          run_linearise};
}

}  // namespace femflex::cli
