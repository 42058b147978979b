// `femflex view`: writes an HTML page with a 3D view of mode shapes or of a motion. Defines the
// options, the JSON document and the text output.
#include "verbs/view.h"

#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/text.h"

#include "arguments.h"
#include "commands/outputs.h"
#include "fields.h"
#include "report/runs_page.h"
#include "results/outputs.h"
#include "runs/effects.h"

namespace femflex::cli {
namespace {

using verbs::ViewRequest;

/// Writes the page of `study --report` from a stored table.
void view_runs(const std::filesystem::path& file,
               const ViewRequest& request,
               const report::PageOptions& options) {
  const tools::RunTable table = tools::read_run_table(file);
  const std::vector<tools::MeasureSummary> summaries = tools::summaries_of(table);
  report::write_runs_report(table,
                            summaries,
                            report::RunsLinks{},
                            tools::run_table_json(table, summaries),
                            options,
                            request.output);
}

/// @throws UsageError  the name of the page says that it is a picture, video or another file
void check_ending(const std::filesystem::path& page) {
  const std::string ending = lower_case(page.extension().string());
  if (ending.empty() || ending == ".html" || ending == ".htm" || ending == ".xhtml") return;
  throw UsageError("ending",
                   fmt::format("view writes a page, not a '{}'", ending),
                   {page.string()},
                   "name it .html; buttons of the page save PNG and video, and 'femflex convert' "
                   "writes .vtu, .pvd and .glb");
}

Outcome run_view(const Arguments& arguments, Session& session) {
  static_cast<void>(arguments.need("--output"));
  auto request = request_of<ViewRequest>(arguments);
  request.files.assign(arguments.inputs().begin(), arguments.inputs().end());
  tools::refuse_overwriting(request.files, {request.output});
  check_ending(request.output);
  request.units = session.units;
  if (request.files.size() == 1 && tools::is_run_table(request.files.front()))
    view_runs(request.files.front(), request, {arguments.command(), session.is_reproducible});
  else
    verbs::view(request, session.diagnostics, *session.progress);
  Outcome out;
  list_outputs(out, {request.output.string()});
  return out;
}

std::vector<Option> view_options() {
  return {
      {.name = "--output",
       .short_name = "-o",
       .value = "PAGE.html",
       .help = "the page to write",
       .is_output = true,
       .set = to(&ViewRequest::output)},
      {.name = "--flex",
       .value = "BODY",
       .help = "body file of a flexible body of the result; default: the one the simulation used",
       .is_repeated = true,
       .set = to(&ViewRequest::flex)},
  };
}

}  // namespace

Verb view_verb() {
  return {.name = "view",
          .summary =
              "writes one offline page with a 3D view of mode shapes or of a motion, or of a table "
              "of runs; the files of an FE code make one model",
          .inputs = "FILE [FILE2]",
          .fewest_inputs = 1,
          .most_inputs = 2,
          .options = view_options(),
          .examples = {"femflex view chassis.fbm -o chassis.html",
                       "femflex view chassis.bdf chassis.op2 -o fe_modes.html",
                       "femflex view truck.h5 stiffer.h5 -o side_by_side.html",
                       "femflex view truck_study.h5 -o truck_study.html"},
          .run = run_view};
}

}  // namespace femflex::cli
