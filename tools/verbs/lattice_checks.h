// check_request(): checks the options of the verb lattice against each other and against the model.
#pragma once

#include "femflex/diagnostics.h"

#include "verbs/lattice.h"

namespace femflex::verbs {

/// True if the job computes a motion over time; false for statics, buckling, an equilibrium path,
/// and K and M of the initial state.
bool is_run(const tools::LatticeJob& job);

/// Checks that the options of a request are consistent with each other and with the model.
/// @param diagnostics  receives warnings of options without effect
/// @throws UsageError  an option lacks another one that it needs, options contradict each other, or
/// the end is missing or not after the start
void check_request(const LatticeRequest& request,
                   const tools::AnyLattice& lattice,
                   const tools::LatticeJob& job,
                   Diagnostics& diagnostics);

}  // namespace femflex::verbs
