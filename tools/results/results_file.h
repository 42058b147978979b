// ResultsFile: writes the rows of a run to a result file (HDF5) during the run. Also functions that
// read results and convert them to and from CSV. run_system() and the verbs use them.
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

/// Time series on disk (HDF5; layout in docs/formats/results.md): /time, and one dataset per
/// channel, for example "/channels/chassis/2101/position/x", with its unit.
///
/// Rows are written to a temporary file (the part) next to the final one. Every 256 rows and every
/// two seconds they become readable there. commit() renames the part to the final name;
/// commit_partial() ends a run that cannot continue.
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
  /// Stores the state of a row under "/states".
  void keep(const mbd_solver::State& state) override;
  /// Stores the states of all rows at once, for a run made in memory. Call it before the first row.
  void keep_all(const StateBlock& states);

  void set_attribute(const std::string& name, const std::string& text) override;
  void set_text(const std::string& name, const std::string& text) override;
  void begin_picture(const std::vector<std::string>& channels) override;
  void append_picture(double t, std::span<const double> values) override;
  std::int64_t rows() const override;
  void commit(bool is_complete) override;
  /// Keeps the rows so far, marked incomplete, under the final name; if that file exists, under the
  /// name io::partial_of() of it. If the disk is full, keeps only the rows that fit.
  /// @return the file that contains them; empty if there are no rows
  std::filesystem::path commit_partial();
  /// Calls commit_partial(), then throws `error` with a note about the rows kept and how to
  /// continue.
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
  /// Number of the column with this name, -1 if there is none. A name may be followed by its unit
  /// in brackets, as in heads of CSV tables, where the column has no other unit.
  Eigen::Index find(std::string_view channel) const;
  /// Names of the channels, in the order of the columns.
  std::vector<std::string> names() const;
};

/// The part of a result that viewers draw: texts set by set_text() (empty if absent), and the
/// motion of the bodies. The motion has no rows if the channels of the result contain it.
struct ResultPicture {
  std::string scene;    ///< JSON written by picture_of()
  std::string lattice;  ///< JSON of the lattice in motion
  ResultSeries motion;
};
/// @throws UsageError  no such file
/// @throws ParseError  the file is not a result, or is damaged
ResultPicture read_picture(const std::filesystem::path& path);

/// True if the file is HDF5 and marked as a femflex result.
bool is_results_file(const std::filesystem::path& path);

/// Reads a result file, without its pictures and states.
/// @throws UsageError  no such file
/// @throws ParseError  the file is not a result, or is damaged
ResultSeries read_results(const std::filesystem::path& path);
/// As above, with a warning if the run did not reach its end.
ResultSeries read_results(const std::filesystem::path& path, Diagnostics& diagnostics);

/// Writes a series as a result file. A run made in memory is written with its pictures and states,
/// as if the run had written the file.
/// @param options  text that says how the series was made; ignored for a run made in memory, which
/// contains this text
void write_results(const ResultSeries& series,
                   const std::filesystem::path& path,
                   const std::string& options);

/// Writes a CSV table: a line "t,NAME,...", then one line per row. Numbers have the fewest digits
/// that read back exactly.
/// @param with_units  names are followed by the unit, as in "NAME [Pa]", or by [-] without one
void write_csv(const ResultSeries& series,
               const std::filesystem::path& path,
               bool with_units = false);
/// Reads the output of write_csv(), and any table of numbers below one line of names.
/// @throws ParseError  the line of names is missing, text in a number field, or rows of different
/// length
ResultSeries read_csv(const std::filesystem::path& path);
/// True if the first row of the file, behind remarks, is text with a comma, semicolon or tab.
bool is_csv_table(const std::filesystem::path& path);

}  // namespace femflex::tools
