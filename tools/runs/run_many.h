// run_many(): many runs of one system in one process, for the verb study. Data from files are
// shared, each thread has one run at a time, and finished rows are stored at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"

#include "document/document.h"
#include "runs/run_table.h"
#include "system/run_system.h"

namespace femflex::tools {

/// The share of the rows that this process runs: those with index % parts == part.
struct RunShard {
  std::int64_t part = 0;  ///< from 0
  std::int64_t parts = 1;
};
/// Reads "2/5"; the first number counts from 1.
/// @throws UsageError
RunShard parse_shard(const std::string& text);

/// Parameters, number of runs, measures and files of a study.
struct RunsOptions {
  DocumentOptions document;
  RunOverrides overrides;
  std::vector<std::string> vary;     ///< see parse_vary()
  std::string sample;                ///< see parse_sample()
  std::filesystem::path table;       ///< instead of `vary` and `sample`
  std::int64_t seed = 1;             ///< seed of the samples
  std::vector<std::string> measure;  ///< see parse_measure()
  RunShard shard;
  bool resume = false;              ///< reuse rows of the output file or its journal
  std::filesystem::path output;     ///< the table to write; empty: none is written
  std::filesystem::path histories;  ///< folder for the result of every run; empty: none is kept
  int threads = 0;                  ///< 0: one per hardware thread
};

/// Adds measures to a table that already has its parameters.
/// @throws UsageError  there is no measure, or two columns have the same name
void read_measures(const std::vector<std::string>& texts, RunTable& table);

/// Runs the system once per sample. A failed run gives a row with the reason. The rows do not
/// depend on the number of threads, on shards, or on the order of the runs.
/// @throws UsageError, ParseError, ModelError  the system, a parameter or a measure is invalid
/// @throws UnfinishedRun  the user stopped the study; finished rows are in the journal
RunTable run_many(const DocumentInput& system,
                  const RunsOptions& options,
                  Diagnostics& diagnostics,
                  Progress& progress);

/// The changes of the system for the run of a row, in the form of --set.
std::vector<DocumentChange> changes_of(const RunTable& table, const RunRow& row);

}  // namespace femflex::tools
