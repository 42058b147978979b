// run_system(): runs the analyses of a system (statics, modal, dynamics) and writes their result.
// The verbs call it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/driven.h"
#include "femflex/mbd_solver/linearise.h"
#include "femflex/progress.h"

#include "document/json.h"
#include "results/results_file.h"
#include "system/system_json.h"

namespace femflex::tools {

/// Options of the command line that change the analyses of a system.
struct RunOverrides {
  std::optional<double> end;   ///< [s]
  std::optional<double> step;  ///< [s]
  std::optional<double> output_step;
  std::string integrator;
  bool keep_states = false;       ///< store the state of every row in all analyses
  bool force = false;             ///< write the result regardless of its size
  std::filesystem::path restart;  ///< result that holds the state to continue from
  std::optional<double> from;     ///< [s] time of the state to continue from; absent: the last one
  bool allows_changes =
      false;  ///< masses, stiffness and geometry may differ from those of `restart`
};

struct RunReport {
  bool has_dynamic = false;
  mbd_solver::SimulationSummary dynamic;
  bool has_static = false;
  mbd_solver::StaticSummary statics;
  std::optional<mbd_solver::DrivenSummary> driven;  ///< of the last of kinematics, quasi-static
  bool drives_equilibria = false;                   ///< that was quasi-static
  std::vector<mbd_solver::SystemMode> modes;        ///< modes of the last modal analysis
  std::int64_t rows = 0;
  RunPage page;                          ///< the plots and values that the system file requests
  std::vector<FigureValue> figures;      ///< of `page`
  std::shared_ptr<ResultSeries> series;  ///< the rows, if they were not written to a file
};

/// Number of active modal coordinates of all flexible bodies of a system.
Eigen::Index acting_modes(const mbd_solver::System& system);

/// Reads a system, or a formatted DADS input file.
SystemDocument read_any_system(const DocumentInput& input,
                               const DocumentOptions& options,
                               Diagnostics& diagnostics,
                               Progress& progress);

/// Runs the analyses in turn; each starts where the previous one ended. Rows of the dynamic
/// analyses (of the static one if there is no dynamic one) go to `output`, or to RunReport::series
/// if `output` is empty.
///
/// With `restart`, the first analysis is the dynamic one whose time span contains the state;
/// earlier ones are skipped.
///
/// A run that the user stops or that cannot continue keeps the rows so far in its file, marked
/// incomplete (ResultsFile::commit_partial), and throws UnfinishedRun, which names the file. A
/// result in memory is lost.
/// @throws ModelError, NumericalError, Cancelled  before the first row
/// @throws UsageError  `output` is an input file of the system, or the result would be too large
RunReport run_system(const SystemDocument& document,
                     const RunOverrides& overrides,
                     const std::filesystem::path& output,
                     const std::string& options_text,
                     Diagnostics& diagnostics,
                     Progress& progress);

Json run_json(const RunReport& report, bool is_reproducible);
std::string run_text(const RunReport& report);
/// ", 3 directions without load left as they were", or an empty text.
std::string idle_text(Eigen::Index directions);
Json modes_json(const std::vector<mbd_solver::SystemMode>& modes);

}  // namespace femflex::tools
