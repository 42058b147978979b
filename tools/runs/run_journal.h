// The journal of a table of runs: one line per finished run, so that a killed study can be resumed.
#pragma once

#include <filesystem>

#include "runs/run_table.h"

namespace femflex::tools {

/// The name of the journal of a table: "study.h5.rows".
std::filesystem::path journal_of(const std::filesystem::path& table);

/// Writes the rows of a table to disk as soon as they are known: the first line is the head of the
/// table, each further line is a row, in JSON. One process writes at a time.
class RunJournal {
 public:
  /// Begins a journal with the rows of the table; it replaces an older one.
  /// @throws UsageError  another process writes it; the folder is not writable
  RunJournal(const std::filesystem::path& path, const RunTable& table);
  RunJournal(const RunJournal&) = delete;
  RunJournal& operator=(const RunJournal&) = delete;
  RunJournal(RunJournal&&) = delete;
  RunJournal& operator=(RunJournal&&) = delete;
  ~RunJournal();

  /// @throws UsageError  the disk is full
  void append(const RunRow& row);
  /// Removes the file; to be called once the table with its rows is written.
  void remove();

 private:
  void write(const std::string& line);

  std::filesystem::path path_;
  int descriptor_ = -1;
};

/// True if the file begins as a journal does.
bool is_run_journal(const std::filesystem::path& path);
/// Reads a journal; a last line that was not written to its end is left out.
/// @throws ParseError
RunTable read_run_journal(const std::filesystem::path& path);

}  // namespace femflex::tools
