// The verb study as a function: a system and its variants in, their errors against a reference out;
// or many runs with other numbers in, a table or the gradient of their measures out.
#pragma once

#include <filesystem>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"

#include "runs/gradient.h"
#include "runs/run_many.h"
#include "runs/run_table.h"
#include "system/study.h"

namespace femflex::verbs {

/// Input of study(), study_runs(), study_gradient() and merge_runs().
struct StudyRequest {
  tools::DocumentInput system;
  tools::StudyOptions options;  ///< study(); study_runs() takes its document and overrides
  tools::RunsOptions runs;      ///< study_runs()
  bool merge = false;           ///< merge_runs() instead
  bool gradient = false;        ///< study_gradient() instead
};

/// Runs variants of a system and finds the smallest that is good enough.
/// @throws UsageError  the folder cannot be made; see run_study()
tools::Study study(const StudyRequest& request, Diagnostics& diagnostics, Progress& progress);

/// Runs the system once per sample; see run_many().
tools::RunTable study_runs(const StudyRequest& request,
                           Diagnostics& diagnostics,
                           Progress& progress);

/// The derivatives of the measures of one run; see gradient_of(). Written if `runs.output` is set.
tools::RunGradient study_gradient(const StudyRequest& request,
                                  Diagnostics& diagnostics,
                                  Progress& progress);

/// Runs a row again and writes a page that shows its motion.
/// @throws Error  the run or its page fails
void view_row(const StudyRequest& request,
              const tools::RunTable& table,
              const tools::RunRow& row,
              const std::filesystem::path& page,
              Progress& progress);

/// Joins tables of parts that other calls made; writes the table if `runs.output` is set.
tools::RunTable merge_runs(const std::vector<std::filesystem::path>& parts,
                           const StudyRequest& request,
                           Diagnostics& diagnostics);

}  // namespace femflex::verbs
