// Creates the folder of the results and calls tools::run_study() for variants, tools::run_many()
// for many runs.
#include "verbs/study.h"

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "results/outputs.h"
#include "verbs/simulate.h"
#include "verbs/view.h"

namespace femflex::verbs {

tools::Study study(const StudyRequest& request, Diagnostics& diagnostics, Progress& progress) {
  tools::make_folder(request.options.folder);
  return tools::run_study(request.system, request.options, diagnostics, progress);
}

namespace {

/// The options --set and --variant; changes of a row are applied after them.
tools::DocumentOptions study_document(const StudyRequest& request) {
  tools::DocumentOptions out = request.options.document;
  out.variant = request.runs.document.variant;
  return out;
}

tools::RunsOptions options_of_runs(const StudyRequest& request) {
  tools::RunsOptions out = request.runs;
  out.document = study_document(request);
  out.overrides = request.options.overrides;
  return out;
}

}  // namespace

tools::RunTable study_runs(const StudyRequest& request,
                           Diagnostics& diagnostics,
                           Progress& progress) {
  return tools::run_many(request.system, options_of_runs(request), diagnostics, progress);
}

tools::RunGradient study_gradient(const StudyRequest& request,
                                  Diagnostics& diagnostics,
                                  Progress& progress,
                                  const std::function<void(const tools::GradientCost&)>& tell) {
  const tools::RunsOptions options = options_of_runs(request);
  tools::RunGradient out = tools::gradient_of(request.system, options, diagnostics, progress, tell);
  if (!options.output.empty()) tools::write_gradient(out, options.output);
  return out;
}

void view_row(const StudyRequest& request,
              const tools::RunTable& table,
              const tools::RunRow& row,
              const std::filesystem::path& results,
              const std::filesystem::path& page,
              Progress& progress) {
  SimulateRequest simulation;
  simulation.system = request.system;
  simulation.document = study_document(request);
  for (std::size_t p = 0; p < row.samples.size(); ++p)
    if (table.parameters[p].path.empty())
      simulation.document.variant = table.parameters[p].value(row.samples[p]).text();
  for (tools::DocumentChange& change : tools::changes_of(table, row))
    simulation.document.sets.push_back(std::move(change));
  simulation.run = request.options.overrides;
  simulation.output = results;
  Diagnostics said_before;  // not shown, because the study has already reported these warnings
  simulate(simulation, said_before, progress);
  ViewRequest showing;
  showing.files = {simulation.output};
  showing.output = page;
  try {
    view(showing, said_before, progress);
  } catch (const Error&) {
    std::error_code ignored;
    std::filesystem::remove(results, ignored);  // without the page nothing names this file
    throw;
  }
}

tools::RunTable merge_runs(const std::vector<std::filesystem::path>& parts,
                           const StudyRequest& request,
                           Diagnostics& diagnostics) {
  std::vector<tools::RunTable> tables;
  std::vector<std::string> names;
  for (const std::filesystem::path& part : parts) {
    tables.push_back(tools::read_run_table(part));
    names.push_back(part.string());
  }
  tools::RunTable out = tools::joined_tables(std::move(tables), names);
  if (!out.is_whole())
    diagnostics.warn("rows-missing",
                     fmt::format("{} of {} runs are missing",
                                 out.total - static_cast<std::int64_t>(out.rows.size()),
                                 out.total));
  if (!request.runs.output.empty()) tools::write_run_table(out, request.runs.output);
  return out;
}

}  // namespace femflex::verbs
