// The options --distributed and --memory of verbs that factor large matrices.
#pragma once

#include "femflex/modal/compute_modes.h"

#include "arguments.h"
#include "verbs.h"

namespace femflex::cli {

/// The rows of the option table.
Option distributed_option();
Option memory_option();

/// With --distributed, lets `solve` distribute its factorisations over the processes of MPI. With
/// --memory, limits the memory of this process.
/// @throws UsageError  this program is not `femflex-mpi`, or the options contradict each other
void set_resources(const Arguments& arguments, const Session& session, modal::SolveOptions& solve);

}  // namespace femflex::cli
