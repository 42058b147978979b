// RunJournal: the journal of a table of runs, one line per finished run, so that a killed study can
// be resumed. run_many() writes it.
#pragma once

#include <filesystem>
#include <utility>

#include "runs/run_table.h"

namespace femflex::tools {

/// The name of the journal of a table, such as "study.h5.rows".
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
  int number() const { return number_; }  ///< negative if not open

 private:
  int number_;
};

/// Writes the rows of a table to disk as soon as they are finished. The first line is the head of
/// the table, each further line is a row, in JSON. Only one process may write.
class RunJournal {
 public:
  /// Starts a journal with the rows of the table and replaces an older one.
  /// @throws UsageError  another process writes it, or the folder is not writable
  RunJournal(const std::filesystem::path& path, const RunTable& table);

  /// @throws UsageError  the disk is full
  void append(const RunRow& row);
  /// Removes the file. Call it after the table with its rows is written.
  void remove();

 private:
  void write(const std::string& line);

  std::filesystem::path path_;
  Descriptor descriptor_;
};

/// True if the file starts like a journal.
bool is_run_journal(const std::filesystem::path& path);
/// Reads a journal; an incomplete last line is ignored.
/// @throws ParseError  the file is not a journal, or is damaged
RunTable read_run_journal(const std::filesystem::path& path);

}  // namespace femflex::tools
