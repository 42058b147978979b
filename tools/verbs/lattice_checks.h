// Checks the options of the verb lattice against each other and against the model.
#pragma once

#include "femflex/diagnostics.h"

#include "verbs/lattice.h"

namespace femflex::verbs {

/// True for a run over time: neither statics nor buckling nor K and M alone.
bool is_run(const tools::LatticeJob& job);

/// Checks for options that need other options, or that contradict other options or the model.
/// @param diagnostics  warns of options that do nothing here
/// @throws UsageError
void check_request(const LatticeRequest& request,
                   const tools::AnyLattice& lattice,
                   const tools::LatticeJob& job,
                   Diagnostics& diagnostics);

}  // namespace femflex::verbs
