// study(), study_runs(), study_gradient(), merge_runs(), view_row(): the verb study. Compares
// variants of a system with a reference, or runs the system many times and returns a table or a
// gradient of measures. view_row() repeats one run and shows it.
#pragma once

#include <filesystem>
#include <functional>
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
  /// for study(); study_runs(), study_gradient() and view_row() use its document and overrides
  tools::StudyOptions options;
  tools::RunsOptions runs;  ///< for study_runs() and study_gradient(); merge_runs() uses its output
  bool merge = false;       ///< set by --merge: the caller then calls merge_runs()
  bool gradient = false;    ///< set by --gradient: the caller then calls study_gradient()
};

/// Runs variants of a system and finds the acceptable one with the fewest modes.
/// @throws UsageError  the folder cannot be created; see run_study()
tools::Study study(const StudyRequest& request, Diagnostics& diagnostics, Progress& progress);

/// Runs the system once per sample; see run_many().
tools::RunTable study_runs(const StudyRequest& request,
                           Diagnostics& diagnostics,
                           Progress& progress);

/// The derivatives of the measures of one run; see gradient_of(). Writes them if `runs.output` is
/// set.
tools::RunGradient study_gradient(const StudyRequest& request,
                                  Diagnostics& diagnostics,
                                  Progress& progress,
                                  const std::function<void(const tools::GradientCost&)>& tell = {});

/// Repeats the run of a row; writes its results, and a page that shows its motion.
/// @throws Error  the run or its page fails; without a page the results are removed
void view_row(const StudyRequest& request,
              const tools::RunTable& table,
              const tools::RunRow& row,
              const std::filesystem::path& results,
              const std::filesystem::path& page,
              Progress& progress);

/// Joins tables of parts made by other calls. Writes the table if `runs.output` is set.
tools::RunTable merge_runs(const std::vector<std::filesystem::path>& parts,
                           const StudyRequest& request,
                           Diagnostics& diagnostics);

}  // namespace femflex::verbs
