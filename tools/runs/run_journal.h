// The journal of a table of runs: one line per finished run, so that a killed study can be resumed.
#pragma once

#include <filesystem>
#include <utility>

#include "runs/run_table.h"

namespace femflex::tools {

/// The name of the journal of a table: "study.h5.rows".
std::filesystem::path journal_of(const std::filesystem::path& table);

/// An open file of the operating system, closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();
  int number() const { return number_; }  ///< negative: not open

 private:
  int number_;
};

/// Writes the rows of a table to disk as soon as they are known: the first line is the head of the
/// table, each further line is a row, in JSON. One process writes at a time.
class RunJournal {
 public:
  /// Begins a journal with the rows of the table; it replaces an older one.
  /// @throws UsageError  another process writes it; the folder is not writable
  RunJournal(const std::filesystem::path& path, const RunTable& table);

  /// @throws UsageError  the disk is full
  void append(const RunRow& row);
  /// Removes the file; to be called once the table with its rows is written.
  void remove();

 private:
  void write(const std::string& line);

  std::filesystem::path path_;
  Descriptor descriptor_;
};

/// True if the file begins as a journal does.
bool is_run_journal(const std::filesystem::path& path);
/// Reads a journal; a last line that was not written to its end is left out.
/// @throws ParseError
RunTable read_run_journal(const std::filesystem::path& path);

}  // namespace femflex::tools
