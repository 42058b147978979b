// What driven analyses, which have no integrator, share: checks before they begin (rows, blocks
// that sample, channels that nobody computes), and the loop over their rows.
#pragma once

#include <functional>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/driven.h"

#include "integrators/engine.h"

namespace femflex::mbd_solver {

/// Warns of channels that stay as they are.
/// @param analysis  its name in messages
/// @throws UsageError  the options ask for too many rows
/// @throws ModelError  the system has blocks that sample or FMUs
void check_driven_options(const Model& model,
                          const DrivenOptions& options,
                          const char* analysis,
                          Diagnostics& diagnostics);

/// The rows that an analysis is asked for, and where they go.
struct DrivenRows {
  const DrivenOptions& options;
  ResultSink& sink;
  DrivenSummary& summary;
  Progress& progress;
};

/// Sends the rows of an analysis to a sink, and counts them in the summary.
/// @param advance  moves `state`, from which the rows are read, to the time of a row
void drive_rows(Engine& engine,
                const State& state,
                const std::function<void(double t)>& advance,
                const DrivenRows& rows);

}  // namespace femflex::mbd_solver
