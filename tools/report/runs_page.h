// write_runs_report(): the HTML page of many runs, with spread, effects, histograms, scatter plots,
// and the worst runs with commands that show them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "document/json.h"
#include "report_parts.h"
#include "runs/effects.h"
#include "runs/run_table.h"

namespace femflex::report {

/// Targets of the links and commands on the page.
struct RunsLinks {
  std::string system;      ///< file of the system, for commands that repeat a run; empty: unknown
  std::string worst_page;  ///< page that shows the worst run by the first measure; empty: none
};

/// Writes the page of a table of runs.
void write_runs_report(const tools::RunTable& table,
                       const std::vector<tools::MeasureSummary>& summaries,
                       const RunsLinks& links,
                       const tools::Json& document,
                       const PageOptions& options,
                       const std::filesystem::path& path);

}  // namespace femflex::report
