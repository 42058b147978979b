// ResultMemory: the result of a run in memory, for scripts that give no output file.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "femflex/mbd_solver/results.h"

#include "results/result_rows.h"
#include "results/results_file.h"
#include "results/stored_states.h"

namespace femflex::tools {

/// Content of a run besides its channels, in the form used in a result file.
struct RunExtras {
  std::map<std::string, std::string> texts;  ///< by the names of set_text()
  std::vector<std::string> picture_channels;
  std::vector<double> picture_time;  ///< [s]
  std::vector<double> picture_rows;  ///< one row after another
  StateBlock states;
};

/// Collects a run in memory, up to 2 GB.
class ResultMemory final : public ResultRows {
 public:
  ResultMemory();

  void expect(ExpectedRows expected, bool force) override;
  /// @throws UsageError  the expected rows would need too much memory
  void begin(std::span<const mbd_solver::Channel> channels) override;
  /// @throws UsageError  the rows so far need too much memory
  void append(double t, std::span<const double> values) override;
  void keep(const mbd_solver::State& state) override;
  void set_attribute(const std::string& name, const std::string& text) override;
  void set_text(const std::string& name, const std::string& text) override;
  void begin_picture(const std::vector<std::string>& channels) override;
  void append_picture(double t, std::span<const double> values) override;
  std::int64_t rows() const override { return rows_->rows(); }
  void commit(bool is_complete) override;
  /// Keeps nothing in memory. Throws a failure of the solver again, with the advice to give an
  /// output file; returns for other errors.
  void give_up(const Error& error, const std::string& how_to_go_on) override;

  std::shared_ptr<ResultSeries> series() const override { return series_; }

 private:
  void check_expected(double bytes_per_row);
  void check_size() const;

  ExpectedRows expected_;
  bool force_ = false;
  std::optional<mbd_solver::Results> rows_;
  std::string name_;
  std::vector<std::pair<std::string, std::string>> attributes_;
  std::shared_ptr<RunExtras> extras_;
  std::shared_ptr<ResultSeries> series_;
};

}  // namespace femflex::tools
