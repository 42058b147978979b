// The outcome of a run of a lattice or polynomial: its numbers as JSON and text, its rows in files
// or memory.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lattice/run_lattice.h"
#include "results/result_memory.h"
#include "results/results_file.h"

namespace femflex::tools {

/// Adds a run to the document and the text; sets exit code 3 if the run stopped early.
void report_run(const hamiltonian::RunResult& result,
                const hamiltonian::RunOptions& options,
                LatticeOutcome& out,
                Diagnostics& diagnostics);

/// Stores the rows of a run in the files that the job requests, or in memory.
class LatticeRecord {
 public:
  /// @throws UsageError  the file cannot be written, or there is not enough room
  LatticeRecord(const LatticeJob& job, double start, Diagnostics& diagnostics);
  /// Null if no rows are requested.
  ResultRows* rows() { return rows_; }
  /// The rows of a run in memory, null otherwise.
  std::shared_ptr<ResultSeries> series() const { return rows_ ? rows_->series() : nullptr; }
  /// Calls `work` and stores its rows, or the rows so far if it stops early. Sets `outputs` to the
  /// files written. If the job saves a state, a stopped run saves its state too. Files of a run
  /// that stopped early and cannot be written are told in its message.
  /// @param save  writes a state to the file of the job
  /// @throws UnfinishedRun  stopped on request, or the disk is full
  hamiltonian::RunResult run(const std::function<hamiltonian::RunResult()>& work,
                             const std::function<void(const hamiltonian::State&)>& save,
                             std::vector<std::string>& outputs);

 private:
  /// Writes the CSV and removes a result that the job does not keep. Returns the files that stay.
  std::vector<std::string> write_tables(const std::filesystem::path& result, bool is_whole) const;
  std::vector<std::string> keep_unfinished();

  const LatticeJob& job_;
  std::unique_ptr<ResultsFile> file_;
  std::unique_ptr<ResultMemory> memory_;
  ResultRows* rows_ = nullptr;  // file_ or memory_; null if no rows are requested
};

}  // namespace femflex::tools
