// Checks before a driven analysis, which has no integrator: rows, blocks that sample, channels that
// nobody computes.
#pragma once

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/driven.h"

#include "spatial/model.h"

namespace femflex::mbd_solver {

/// Warns of channels that stay as they are.
/// @param analysis  its name in messages
/// @throws UsageError  the options ask for too many rows
/// @throws ModelError  the system has blocks that sample or FMUs
void check_driven_options(const Model& model,
                          const DrivenOptions& options,
                          const char* analysis,
                          Diagnostics& diagnostics);

}  // namespace femflex::mbd_solver
