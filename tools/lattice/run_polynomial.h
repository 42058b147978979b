// run_polynomial(): runs a general polynomial Hamiltonian, with the options and the outcome of a
// lattice.
#pragma once

#include "lattice/run_lattice.h"

namespace femflex::tools {

/// Runs a general polynomial Hamiltonian from job.initial or job.resume.
/// @throws UsageError  the start state is missing, or it belongs to another model
LatticeOutcome run_polynomial(const hamiltonian::Polynomial& polynomial,
                              const LatticeJob& job,
                              Diagnostics& diagnostics,
                              Progress& progress);

}  // namespace femflex::tools
