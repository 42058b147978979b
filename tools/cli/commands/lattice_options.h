#pragma once

#include "femflex/diagnostics.h"

#include "arguments.h"
#include "lattice/run_lattice.h"

namespace femflex::cli {

/// Numbers that no run can take.
/// @throws UsageError  names the option, what it was given and what it takes
void check_lattice_numbers(const Arguments& arguments);

/// Options that say nothing about this model or this job. Those without which the answer would be
/// another one are refused, those that merely do nothing are warned of.
/// @throws UsageError  names the option and what it goes with
void check_lattice_options(const Arguments& arguments,
                           const tools::AnyLattice& lattice,
                           const tools::LatticeJob& job,
                           Diagnostics& diagnostics);

/// Does the job move the model (and not only look for its rest, or write it)?
bool is_run(const tools::LatticeJob& job);

}  // namespace femflex::cli
