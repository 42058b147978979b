// `femflex study`: runs variants of a system and finds the accurate one with the fewest modes, or
// runs the system many times with varied numbers. Defines the options, the JSON document, the text
// output and the HTML page. Exit code 1 if no variant is accurate enough, all runs failed, or
// merged tables lack rows.
#include "verbs/study.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"

#include "arguments.h"
#include "commands/outputs.h"
#include "commands/run_options.h"
#include "fields.h"
#include "report/reports.h"
#include "report/runs_page.h"
#include "runs/effects.h"
#include "runs/gradient.h"
#include "tell.h"

namespace femflex::cli {
namespace {

using tools::RunOverrides;
using tools::RunsOptions;
using tools::StudyOptions;
using verbs::StudyRequest;

StudyRequest study_request(const Arguments& arguments) {
  if (!arguments.has("--reference"))
    throw UsageError("usage",
                     "study: neither --vary, --table nor --reference is given",
                     {},
                     "--vary k=1e5:2e5 runs the system with other numbers, --reference full "
                     "--variants rigid compares variants");
  auto request = request_of<StudyRequest>(arguments);
  if (request.options.variants.empty())
    throw UsageError("usage", "study: no variants are named", {}, "add --variants rigid,modes20");
  request.system = document_input(arguments.input_value());
  request.options.document.units = arguments.text("--units");
  return request;
}

/// The outcome of many runs: document, text, and the files that the user requested.
/// @param more  files written so far, listed last
Outcome runs_outcome(const tools::RunTable& table,
                     const report::RunsLinks& links,
                     const Arguments& arguments,
                     const Session& session,
                     const std::vector<std::string>& more) {
  const std::vector<tools::MeasureSummary> summaries = tools::summaries_of(table);
  const bool has_good_row =
      std::any_of(table.rows.begin(), table.rows.end(), [](const tools::RunRow& row) {
        return row.failure.empty();
      });
  Outcome out;
  out.exit_code = has_good_row || table.rows.empty() ? 0 : 1;
  out.document = tools::run_table_json(table, summaries);
  out.text = tools::run_table_text(table, summaries);
  std::vector<std::string> outputs;
  if (arguments.has("--output")) outputs.push_back(arguments.text("--output"));
  if (arguments.has("--csv")) {
    tools::write_run_csv(table, arguments.text("--csv"));
    outputs.push_back(arguments.text("--csv"));
  }
  if (arguments.has("--report")) {
    report::write_runs_report(table,
                              summaries,
                              links,
                              out.document,
                              {arguments.command(), session.is_reproducible},
                              arguments.text("--report"));
    outputs.push_back(arguments.text("--report"));
  }
  outputs.insert(outputs.end(), more.begin(), more.end());
  list_outputs(out, outputs);
  return out;
}

/// The files of the run that is worst by the first measure: "study.worst.html" shows its motion for
/// the report "study.html", "study.worst.h5" holds its results.
struct WorstRun {
  explicit WorstRun(const std::filesystem::path& report)
      : page(std::filesystem::path(report).replace_extension(".worst.html")),
        results(std::filesystem::path(report).replace_extension(".worst.h5")) {}

  std::filesystem::path page, results;
};

/// Refuses options that name a file of the worst run.
void check_names(const WorstRun& worst, const Arguments& arguments) {
  for (const char* name : {"--output", "--csv"}) {
    if (!arguments.has(name)) continue;
    const auto place = [](const std::filesystem::path& path) {
      return std::filesystem::absolute(path).lexically_normal();
    };
    const std::filesystem::path path = place(arguments.text(name));
    if (path == place(worst.page) || path == place(worst.results))
      throw UsageError("usage",
                       fmt::format("study: {} is {}, the name of a file of the worst run, which "
                                   "--report writes",
                                   name,
                                   arguments.text(name)),
                       {},
                       "give another name");
  }
}

/// Writes the files of the worst run.
/// @return false if no run has the first measure, or the run has no motion
bool write_worst_run(const WorstRun& worst,
                     const StudyRequest& request,
                     const tools::RunTable& table,
                     Session& session) {
  const std::vector<tools::MeasureSummary> summaries = tools::summaries_of(table);
  if (summaries.front().worst.empty()) return false;
  try {
    verbs::view_row(request,
                    table,
                    table.rows[summaries.front().worst.front()],
                    worst.results,
                    worst.page,
                    *session.progress);
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {  // a system without moving bodies has nothing to show
    session.diagnostics.warn("no-view",
                             fmt::format("the worst run is not shown: {}", error.message()));
    return false;
  }
  return true;
}

void refuse_options(const Arguments& arguments,
                    const std::vector<std::string>& names,
                    const std::string& why) {
  for (const std::string& name : names)
    if (arguments.has(name))
      throw UsageError("usage", fmt::format("study: {} {}", name, why), {}, "leave it out");
}

Outcome run_many_verb(const Arguments& arguments, Session& session) {
  refuse_options(arguments,
                 {"--reference", "--variants", "--channels", "--below", "--tol", "--folder"},
                 "compares variants, which --vary and --table do not");
  auto request = request_of<StudyRequest>(arguments);
  if (!arguments.is_script() && request.runs.output.empty() && !arguments.has("--csv") &&
      !arguments.has("--report"))
    throw UsageError("usage", "study: no output is named", {}, "add -o study.h5, or --csv");
  for (const char* name : {"--csv", "--report"})  // reports a wrong path before the runs
    if (arguments.has(name)) static_cast<void>(io::AtomicFile(arguments.text(name)));
  request.system = document_input(arguments.input_value());
  request.options.document.units = arguments.text("--units");
  request.runs.threads = session.threads;
  if (request.runs.resume && request.runs.output.empty())
    throw UsageError("usage", "study: --resume goes on with the rows of --output", {}, "add -o");
  std::optional<WorstRun> worst;
  if (arguments.has("--report")) worst.emplace(arguments.text("--report"));
  if (worst) check_names(*worst, arguments);
  const tools::RunTable table = verbs::study_runs(request, session.diagnostics, *session.progress);
  report::RunsLinks links{arguments.input(), {}};
  std::vector<std::string> more;
  if (worst && write_worst_run(*worst, request, table, session)) {
    links.worst_page = worst->page.filename().string();
    more = {worst->page.string(), worst->results.string()};
  }
  return runs_outcome(table, links, arguments, session, more);
}

/// Prints the gradient, and writes it to the requested files.
Outcome run_gradient_verb(const Arguments& arguments, Session& session) {
  refuse_options(arguments,
                 {"--reference",
                  "--variants",
                  "--channels",
                  "--below",
                  "--tol",
                  "--folder",
                  "--table",
                  "--sample",
                  "--seed",
                  "--shard",
                  "--resume",
                  "--histories",
                  "--report"},
                 "has no meaning with --gradient");
  auto request = request_of<StudyRequest>(arguments);
  for (const char* name : {"--output", "--csv"})  // reports a wrong path before the work
    if (arguments.has(name)) static_cast<void>(io::AtomicFile(arguments.text(name)));
  request.system = document_input(arguments.input_value());
  request.options.document.units = arguments.text("--units");
  const bool is_quiet = arguments.is_script() || session.is_quiet || session.is_json;
  const tools::RunGradient gradient = verbs::study_gradient(
      request, session.diagnostics, *session.progress, [&](const tools::GradientCost& cost) {
        if (!is_quiet) tell(tools::cost_text(cost) + "\n");
      });
  Outcome out;
  out.document = tools::gradient_json(gradient, session.is_reproducible);
  out.text = tools::gradient_text(gradient, session.is_reproducible);
  std::vector<std::string> outputs;
  if (arguments.has("--output")) outputs.push_back(arguments.text("--output"));
  if (arguments.has("--csv")) {
    tools::write_gradient_csv(gradient, arguments.text("--csv"));
    outputs.push_back(arguments.text("--csv"));
  }
  list_outputs(out, outputs);
  return out;
}

Outcome run_merge_verb(const Arguments& arguments, Session& session) {
  refuse_options(arguments,
                 {"--reference",
                  "--variants",
                  "--vary",
                  "--table",
                  "--sample",
                  "--measure",
                  "--shard",
                  "--resume",
                  "--histories",
                  "--gradient",
                  "--channels",
                  "--below",
                  "--tol",
                  "--folder",
                  "--seed",
                  "--set",
                  "--variant",
                  "--end",
                  "--integrator"},
                 "has no meaning with --merge");
  const auto request = request_of<StudyRequest>(arguments);
  std::vector<std::filesystem::path> parts;
  for (const std::string& each : arguments.inputs())
    parts.emplace_back(each);
  const tools::RunTable table = verbs::merge_runs(parts, request, session.diagnostics);
  Outcome out = runs_outcome(table, report::RunsLinks{}, arguments, session, {});
  if (!table.is_whole()) out.exit_code = 1;
  return out;
}

Outcome run_study_verb(const Arguments& arguments, Session& session) {
  if (arguments.has("--merge")) return run_merge_verb(arguments, session);
  if (arguments.inputs().size() != 1)
    throw UsageError(
        "usage",
        fmt::format("study: {} inputs, expected one system", arguments.inputs().size()),
        {},
        "--merge joins several tables of runs");
  if (arguments.has("--gradient")) return run_gradient_verb(arguments, session);
  if (arguments.has("--vary") || arguments.has("--table")) return run_many_verb(arguments, session);
  refuse_options(arguments,
                 {"--sample",
                  "--measure",
                  "--shard",
                  "--resume",
                  "--histories",
                  "--output",
                  "--csv",
                  "--seed",
                  "--variant"},
                 "belongs to --vary and --table");
  const StudyRequest request = study_request(arguments);
  const tools::Study study = verbs::study(request, session.diagnostics, *session.progress);
  Outcome out;
  out.exit_code = study.best < 0 ? 1 : 0;
  out.document = tools::study_json(study, session.is_reproducible);
  out.text = tools::study_table(study, session.is_reproducible).text();
  if (!study.reference_figures.empty()) out.text += tools::study_figures(study).text();
  out.text += report::study_verdict(study) + "\n";
  std::vector<std::string> outputs;
  if (arguments.has("--report")) {
    report::write_study_report(study,
                               out.document,
                               session.is_reproducible,
                               arguments.command(),
                               arguments.text("--report"));
    outputs.push_back(arguments.text("--report"));
  }
  list_outputs(out, outputs);
  return out;
}

std::vector<Option> runs_options() {
  return {
      {.name = "--vary",
       .value = "NAME=RANGE",
       .help = "runs with other numbers: k=1e5:3e5, k=90%:110%, k=log:1:100, k=normal:MEAN:SD, "
               "k=1,2,3; NAME is a parameter or a path, bodies.cab.rigid.mass",
       .is_repeated = true,
       .set = to(at(&StudyRequest::runs, &RunsOptions::vary))},
      {.name = "--table",
       .value = "FILE.csv",
       .help = "instead of --vary: a column per parameter, a line per run",
       .set = to(at(&StudyRequest::runs, &RunsOptions::table))},
      {.name = "--sample",
       .value = "WAY:N",
       .help =
           "how to sample: lhs, random, sobol, grid:N or N1xN2, saltelli (main and total effects)",
       .set = to(at(&StudyRequest::runs, &RunsOptions::sample))},
      {.name = "--seed",
       .value = "S",
       .help = "seed of the samples",
       .fallback = "1",
       .set = to(at(&StudyRequest::runs, &RunsOptions::seed))},
      {.name = "--measure",
       .value = "NAME=WHAT:CHANNEL@BAND",
       .help = "a column of the table: max, min, absmax, range, mean, rms, std, first, final, p95, "
               "psd, "
               "frequency, rainflow5 of a channel; mode-hz:1; @1-80Hz and @2-3s are optional",
       .is_repeated = true,
       .set = to(at(&StudyRequest::runs, &RunsOptions::measure))},
      {.name = "--output",
       .short_name = "-o",
       .value = "FILE.h5",
       .help = "the table of runs",
       .is_output = true,
       .set = to(at(&StudyRequest::runs, &RunsOptions::output))},
      {.name = "--csv", .value = "FILE", .help = "the same as text", .is_output = true},
      {.name = "--histories",
       .value = "DIR",
       .help = "keeps the result of every run in this folder",
       .is_output = true,
       .set = to(at(&StudyRequest::runs, &RunsOptions::histories))},
      {.name = "--shard",
       .value = "I/N",
       .help = "makes part I of N of the rows",
       .set = to(at(&StudyRequest::runs, &RunsOptions::shard), tools::parse_shard)},
      {.name = "--resume",
       .help = "goes on with the rows that the output has",
       .set = to(at(&StudyRequest::runs, &RunsOptions::resume))},
      {.name = "--gradient",
       .help = "derivatives of the measures by the parameters at the values of the system; --vary "
               "NAME without a range",
       .set = to(&StudyRequest::gradient)},
      {.name = "--merge",
       .help = "joins the tables of all shards; inputs are tables",
       .set = to(&StudyRequest::merge)},
      {.name = "--variant",
       .value = "NAME",
       .help = "with --vary and --table: one of the system's \"variants\"",
       .set =
           to(at(&StudyRequest::runs, &RunsOptions::document, &tools::DocumentOptions::variant))},
  };
}

std::vector<Option> variants_options() {
  return {
      {.name = "--reference",
       .value = "VARIANT",
       .help = "the variant, or the result file, used as reference",
       .set = to(at(&StudyRequest::options, &StudyOptions::reference))},
      {.name = "--variants",
       .value = "LIST",
       .help = "the variants to judge",
       .is_repeated = true,
       .set = to(at(&StudyRequest::options, &StudyOptions::variants), names_at_commas)},
      {.name = "--channels",
       .value = "LIST",
       .help = "channels to compare; default: all common ones",
       .is_repeated = true,
       .set = to(at(&StudyRequest::options, &StudyOptions::channels), names_at_commas)},
      {.name = "--below",
       .value = "HZ",
       .help = "compare below this frequency",
       .unit = "Hz",
       .set = to(at(&StudyRequest::options, &StudyOptions::below_hz), positive)},
      {.name = "--tol",
       .value = "E",
       .help = "largest relative rms difference that is good enough",
       .fallback = "0.05",
       .set = to(at(&StudyRequest::options, &StudyOptions::limit), positive)},
      {.name = "--folder",
       .value = "DIR",
       .help = "folder of the results",
       .fallback = ".",
       .is_output = true,
       .set = to(at(&StudyRequest::options, &StudyOptions::folder))},
      end_option(
          to(at(&StudyRequest::options, &StudyOptions::overrides, &RunOverrides::end), positive)),
      integrator_option(
          to(at(&StudyRequest::options, &StudyOptions::overrides, &RunOverrides::integrator))),
      {.name = "--set",
       .value = "PATH=VALUE",
       .help = "changes the system before it is read",
       .is_repeated = true,
       .set =
           to(at(&StudyRequest::options, &StudyOptions::document, &tools::DocumentOptions::sets))},
      {.name = "--report",
       .value = "FILE.html",
       .help = "a page with the table and the curves",
       .is_output = true},
  };
}

}  // namespace

Verb study_verb() {
  return {.name = "study",
          .summary = "runs a system many times with other numbers, or compares its variants",
          .inputs = "SYSTEM | TABLE...",
          .fewest_inputs = 1,
          .options = joined({runs_options(), variants_options()}),
          .examples =
              // NOLINTNEXTLINE(bugprone-suspicious-missing-comma): a command takes several lines
          {"femflex study truck.json --vary k=1e5:3e5 --vary c=5e3:2e4 --sample lhs:200 "
           "--measure comfort=rms:chassis/701/acceleration/z@0.5-80Hz -o truck_study.h5 "
           "--report truck_study.html",
           "femflex study truck.json --table samples.csv --measure "
           "max:chassis/301/position/z --shard 1/4 --resume -o part1.h5",
           "femflex study pendulum.json --gradient --vary length --vary gravity.2 --measure "
           "reach=max:bar/tip/position/x -o gradient.h5",
           "femflex study --merge part1.h5 part2.h5 part3.h5 part4.h5 -o all.h5",
           "femflex study truck.json --reference full --variants "
           "rigid,modes5,modes20 --channels chassis/51/acceleration --below 50Hz "
           "--report truck.html"},
          .run = run_study_verb,
          .takes_documents = true};
}

}  // namespace femflex::cli
