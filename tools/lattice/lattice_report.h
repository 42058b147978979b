#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lattice/run_lattice.h"
#include "results/results_file.h"

namespace femflex::tools {

/// Reports a run in the document and in the text; exit code 3 where it stopped early.
void report_run(const hamiltonian::RunResult& result,
                const hamiltonian::RunOptions& options,
                LatticeOutcome& out,
                Diagnostics& diagnostics);

/// The rows of a run on their way to the files that the job names.
class LatticeRecord {
 public:
  /// @throws UsageError  the file cannot be written, or there is no room for it
  LatticeRecord(const LatticeJob& job, double start, Diagnostics& diagnostics);
  /// Null where no rows are requested.
  ResultsFile* file() { return file_.get(); }
  /// Runs `work` and keeps its rows, all of them or those so far; the names of the files go to
  /// `outputs`. A run that was stopped leaves its state, too, where the job saves one.
  /// @throws UnfinishedRun  stopped on request, or the disk is full
  /// @param parts  of the model that a saved state belongs to
  hamiltonian::RunResult run(const std::function<hamiltonian::RunResult()>& work,
                             const std::function<std::vector<ModelPart>()>& parts,
                             std::vector<std::string>& outputs);

 private:
  std::vector<std::string> files(const std::filesystem::path& result, bool is_whole) const;

  const LatticeJob& job_;
  std::unique_ptr<ResultsFile> file_;
};

/// Runs a general polynomial Hamiltonian from job.initial or job.resume.
/// @throws UsageError  no start, or a state of another model
LatticeOutcome run_polynomial(const hamiltonian::Polynomial& polynomial,
                              const LatticeJob& job,
                              Diagnostics& diagnostics,
                              Progress& progress);

}  // namespace femflex::tools
