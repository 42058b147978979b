#pragma once

#include <string>
#include <vector>

#include "run_lattice.h"

namespace femflex::pipeline {

/// @throws UsageError  the end of the run is not given
hamiltonian::RunOptions run_options(const LatticeJob& job);

/// What a run gave, in the document and in words; exit code 3 where it stopped early.
void report_run(const hamiltonian::RunResult& result,
                const hamiltonian::RunOptions& options,
                LatticeOutcome& out,
                Diagnostics& diagnostics);

/// The result that was written and, where asked for, the same as a table, written now.
std::vector<std::string> result_files(const LatticeJob& job);

/// A general polynomial Hamiltonian from job.initial or job.resume on.
/// @throws UsageError  no start, or a state of another model
LatticeOutcome run_polynomial(const hamiltonian::Polynomial& polynomial,
                              const LatticeJob& job,
                              Diagnostics& diagnostics,
                              Progress& progress);

}  // namespace femflex::pipeline
