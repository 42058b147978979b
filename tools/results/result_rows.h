// ResultRows: the interface through which a run stores its rows. ResultsFile and ResultMemory
// implement it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "femflex/errors.h"
#include "femflex/mbd_solver/results.h"

#include "results/outputs.h"

namespace femflex::tools {

struct ResultSeries;

/// Receives the rows of a run, and the texts, pictures and states stored with them. ResultsFile
/// writes them to a file, ResultMemory keeps them for a script.
class ResultRows : public mbd_solver::ResultSink {
 public:
  /// Sets the expected size; `bytes_per_row` is computed from channels and states. Call it before
  /// begin(), which throws if there is not enough room.
  virtual void expect(ExpectedRows expected, bool force) = 0;
  /// Sets a short text stored with the series: name of the system, options, sources.
  virtual void set_attribute(const std::string& name, const std::string& text) = 0;
  /// Sets a text of any length stored with the series, such as "picture" or "lattice".
  virtual void set_text(const std::string& name, const std::string& text) = 0;
  /// Sets the channels of the motion that viewers draw; they are stored separately from the
  /// requested channels.
  virtual void begin_picture(const std::vector<std::string>& channels) = 0;
  /// Appends a row of these channels.
  virtual void append_picture(double t, std::span<const double> values) = 0;
  /// Number of rows so far.
  virtual std::int64_t rows() const = 0;
  /// Ends the series.  @param is_complete  false: the run did not reach its end
  virtual void commit(bool is_complete) = 0;
  /// Called if a run fails after its first row. Throws `error` with a note about the rows kept and
  /// how to continue; returns if there is nothing to note.
  virtual void give_up(const Error& error, const std::string& how_to_go_on) = 0;
  /// The run in memory after commit(); null for a file.
  virtual std::shared_ptr<ResultSeries> series() const { return nullptr; }
};

/// Creates a ResultsFile for `output`, or a ResultMemory if `output` is empty.
/// @throws UsageError  the folder is not writable
std::unique_ptr<ResultRows> rows_for(const std::filesystem::path& output);

}  // namespace femflex::tools
