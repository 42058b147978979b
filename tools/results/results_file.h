// Result files (HDF5): writes the rows of a run while it runs, reads results back, converts to and
// from CSV.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"
#include "femflex/mbd_solver/results.h"

#include "document/json.h"
#include "results/result_rows.h"

namespace femflex::tools {

class StateBlock;

/// Time series on disk (HDF5; layout in docs/formats/results.md): /time and one dataset per
/// channel, "/channels/chassis/2101/position/x", each with its unit.
///
/// Rows go to a temporary file (called the part) next to the final one and become readable there
/// every 256 rows and every two seconds; commit() gives the part its final name. A run that cannot
/// continue ends with commit_partial().
class ResultsFile final : public ResultRows {
 public:
  /// @throws UsageError  the folder is not writable
  explicit ResultsFile(const std::filesystem::path& path);
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;
  ResultsFile(ResultsFile&&) = delete;
  ResultsFile& operator=(ResultsFile&&) = delete;
  ~ResultsFile() override;

  void expect(ExpectedRows expected, bool force) override;

  void begin(std::span<const mbd_solver::Channel> channels) override;
  void append(double t, std::span<const double> values) override;
  /// Stores the state of a row, under "/states".
  void keep(const mbd_solver::State& state) override;
  /// Stores the states of all rows at once, for a run made in memory. To be called before the first
  /// row.
  void keep_all(const StateBlock& states);

  void set_attribute(const std::string& name, const std::string& text) override;
  void set_text(const std::string& name, const std::string& text) override;
  void begin_picture(const std::vector<std::string>& channels) override;
  void append_picture(double t, std::span<const double> values) override;
  std::int64_t rows() const override;
  void commit(bool is_complete) override;
  /// Keeps the rows so far, marked incomplete, under the requested name, or under io::partial_of()
  /// that name if the file exists. On a full disk it keeps only the rows that fit.
  /// @return the file that holds them; empty if there are no rows
  std::filesystem::path commit_partial();
  /// Calls commit_partial(), then throws `error` with a note on what is kept and how to continue.
  /// @throws UnfinishedRun  always
  [[noreturn]] void give_up(const Error& error, const std::string& how_to_go_on) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct RunExtras;

/// A finished run in memory.
struct ResultSeries {
  std::string name;
  bool is_complete = true;
  Eigen::VectorXd time;                       ///< [s]
  std::vector<mbd_solver::Channel> channels;  ///< columns of `values`
  Eigen::MatrixXd values;                     ///< (rows x channels)
  std::vector<std::pair<std::string, std::string>> attributes;
  /// Texts, states and pictures of a run made in memory; null for other results.
  std::shared_ptr<const RunExtras> extras;

  /// The attribute with this name, empty if there is none.
  std::string attribute(std::string_view attribute_name) const;
  /// Number of the column with this name, -1 if there is none.
  Eigen::Index find(std::string_view channel) const;
};

/// The part of a result that viewers draw: texts set by set_text(), empty if there is none, and the
/// motion of the bodies, without rows if the channels of the result contain it.
struct ResultPicture {
  std::string scene;    ///< JSON of picture_of()
  std::string lattice;  ///< JSON of the lattice that moves
  ResultSeries motion;
};
/// @throws UsageError  no such file;  ParseError  not a result, or a damaged one
ResultPicture read_picture(const std::filesystem::path& path);

/// True if the file is HDF5 and marked as a femflex result.
bool is_results_file(const std::filesystem::path& path);

/// Reads a result file, without its pictures and states.
/// @throws UsageError  no such file;  ParseError  not a result, or a damaged one
ResultSeries read_results(const std::filesystem::path& path);
/// The same, with a warning if the run did not reach its end.
ResultSeries read_results(const std::filesystem::path& path, Diagnostics& diagnostics);

/// Writes a series as a result file. A run made in memory is written with its pictures and states,
/// as the run itself would have written it.
/// @param options  how the series was made; not used for a run made in memory, which stores it
/// itself
void write_results(const ResultSeries& series,
                   const std::filesystem::path& path,
                   const std::string& options);

/// Writes a CSV table: a line "t,NAME,...", then one line per row with the shortest digits that
/// read back exactly.
void write_csv(const ResultSeries& series, const std::filesystem::path& path);
/// Reads what write_csv() writes, and any table of numbers under one line of names.
/// @throws ParseError  text in a number field, rows of different length
ResultSeries read_csv(const std::filesystem::path& path);
/// True if the first line of the file is text with a comma.
bool is_csv_table(const std::filesystem::path& path);

}  // namespace femflex::tools
