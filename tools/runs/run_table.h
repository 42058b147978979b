// RunTable: the samples and measures of many runs, one row per run. Reads and writes it as a file,
// writes it as CSV, and joins parts made on several machines. run_many() makes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "document/json.h"
#include "results/measures.h"
#include "runs/samples.h"

namespace femflex::tools {

/// One run: its samples, and its measures or the reason why it failed.
struct RunRow {
  std::int64_t index = 0;  ///< counted from 0, in the order of the samples
  std::string key;         ///< digest of the model, the measures and this row's parameter values
  /// one per parameter; for choices the index of the choice, from 0
  std::vector<double> samples;
  std::vector<double> measures;  ///< one per measure; empty if the run failed
  std::string failure;           ///< why it failed
};

/// Rows of many runs of one system, by ascending index.
struct RunTable {
  std::string name;   ///< name of the system
  std::string model;  ///< digest of the system, the files that it refers to, and the program
  std::vector<RunParameter> parameters;
  SampleRule sample;
  std::vector<RunMeasure> measures;
  std::vector<std::string> units;  ///< of the measures
  std::int64_t total = 0;          ///< number of runs of the whole study; a part has fewer rows
  std::vector<RunRow> rows;

  bool is_whole() const { return static_cast<std::int64_t>(rows.size()) == total; }
};

/// Key of a row: a digest of the model, the measures and the values of the parameters.
std::string key_of(const RunTable& table, const std::vector<double>& samples);

/// A table without its rows.
Json head_json(const RunTable& table);
/// @throws ParseError
RunTable table_of_head(const Json& head);
/// Checks what comes from a file: rows ascend and are of the study, samples of choices are indices.
/// @throws ParseError
void check_rows(const RunTable& table, const std::filesystem::path& path);
/// One row as a line of JSON; row_of() reads it.
Json row_json(const RunRow& row);
RunRow row_of(const Json& json);

/// The attribute "femflex" of an HDF5 file: "runs", "gradient", "result"; empty for other files.
std::string marked_kind(const std::filesystem::path& path);
/// Whether a file is a table of runs, or the journal of one.
bool is_run_table(const std::filesystem::path& path);

/// Writes the table (HDF5); equal rows give equal bytes.
void write_run_table(const RunTable& table, const std::filesystem::path& path);
/// Reads a table, or the journal of an unfinished one (RunJournal).
/// @throws UsageError  no such file
/// @throws ParseError  the file is not a table, or is damaged
RunTable read_run_table(const std::filesystem::path& path);

/// Writes CSV: a line of names (row, parameters, measures, failure), then one line per run.
void write_run_csv(const RunTable& table, const std::filesystem::path& path);

/// Joins parts of the same study to one table. Parts may overlap if their common rows are equal;
/// the same part twice is refused. `names` are the files of the parts, for messages.
/// @throws UsageError  parts of different studies, one part twice, or different common rows
RunTable joined_tables(std::vector<RunTable> parts, const std::vector<std::string>& names);

}  // namespace femflex::tools
