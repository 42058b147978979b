// Runs a program on all processes of MPI: one computes, all factor and solve. Only the program
// `femflex-mpi` uses it; nothing else is linked with MPI.
#pragma once

#include <functional>

#include "femflex/modal/compute_modes.h"

namespace femflex::modal {

/// Starts MPI and runs `leader` on rank 0. Its argument makes factorisations (SolveOptions) whose
/// entries and factors are spread over all ranks; the other ranks serve these until `leader`
/// returns. MPI itself ends all ranks when one of them is lost.
/// @return what `leader` returned; 0 on the other ranks
int run_distributed(int count, char** words, const std::function<int(const FactorMaker&)>& leader);

}  // namespace femflex::modal
