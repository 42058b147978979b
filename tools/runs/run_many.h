// Many runs of one system in one process: data from files is shared, each thread has one run at a
// time, and finished rows are stored at once.
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

/// The part of the rows that one process makes: those with index % parts == part.
struct RunShard {
  std::int64_t part = 0;  ///< from 0
  std::int64_t parts = 1;
};
/// Reads "2/5", which counts from 1.
/// @throws UsageError
RunShard parse_shard(const std::string& text);

/// What is varied, how often, and what is measured.
struct RunsOptions {
  DocumentOptions document;
  RunOverrides overrides;
  std::vector<std::string> vary;     ///< see parse_vary()
  std::string sample;                ///< see parse_sample()
  std::filesystem::path table;       ///< instead of `vary` and `sample`
  std::int64_t seed = 1;             ///< of the samples
  std::vector<std::string> measure;  ///< see parse_measure()
  RunShard shard;
  bool resume = false;              ///< reuse the rows that the output or its journal has
  std::filesystem::path output;     ///< the table to write; empty: none is written
  std::filesystem::path histories;  ///< folder for the result of every run; empty: none is kept
  int threads = 0;                  ///< 0: one per hardware thread
};

/// Adds measures to a table that has its parameters.
/// @throws UsageError  none is given, or two columns bear one name
void read_measures(const std::vector<std::string>& texts, RunTable& table);

/// Runs the system once per sample. A run that fails is a row with its reason. The rows depend
/// neither on the number of threads nor on shards, and not on their order.
/// @throws UsageError, ParseError, ModelError  the system, a parameter or a measure is not right
/// @throws UnfinishedRun  the user stopped it; the finished rows are in the journal
RunTable run_many(const DocumentInput& system,
                  const RunsOptions& options,
                  Diagnostics& diagnostics,
                  Progress& progress);

/// The changes of the system for the run of a row, in the form of --set.
std::vector<DocumentChange> changes_of(const RunTable& table, const RunRow& row);

}  // namespace femflex::tools
