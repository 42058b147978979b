// Receivers of the rows that analyses produce: ResultSink is the interface, Results keeps the rows
// in memory.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/mbd_solver/state.h"

namespace femflex::mbd_solver {

/// One number over time: "chassis/2101/position/x" in "m".
struct Channel {
  std::string name;
  std::string unit;
};

/// Receives the results of an analysis row by row, so that memory does not grow with the length of
/// a run. Rows are final: a run that ends early keeps the rows sent so far.
class ResultSink {
 public:
  ResultSink() = default;
  ResultSink(const ResultSink&) = delete;
  ResultSink& operator=(const ResultSink&) = delete;
  ResultSink(ResultSink&&) = delete;
  ResultSink& operator=(ResultSink&&) = delete;
  virtual ~ResultSink() = default;

  /// Called once, before the first row.
  virtual void begin(std::span<const Channel> channels) = 0;
  /// Receives one row; `values` are in the order of the channels.
  virtual void append(double t, std::span<const double> values) = 0;
  /// Whether the sink needs a call of keep() with the whole state of every row.
  virtual bool keeps_states() const { return false; }
  /// Called after append() with the state that DynamicOptions::restart needs to continue from this
  /// row.
  virtual void keep(const State& /*state*/) {}
};

/// Results kept in memory, for tests, scripts and small runs.
class Results : public ResultSink {
 public:
  void begin(std::span<const Channel> channels) override;
  void append(double t, std::span<const double> values) override;

  const std::vector<Channel>& channels() const { return channels_; }
  const std::vector<double>& time() const { return time_; }
  Eigen::Index rows() const { return static_cast<Eigen::Index>(time_.size()); }
  /// Index of the channel with this name, -1 if there is none.
  Eigen::Index find(std::string_view channel) const;
  double value(Eigen::Index row, Eigen::Index channel) const {
    return values_[static_cast<std::size_t>(row) * channels_.size() +
                   static_cast<std::size_t>(channel)];
  }
  /// One channel over all rows.
  /// @throws UsageError  no channel has this name
  Eigen::VectorXd series(std::string_view channel) const;
  /// Value at time t, interpolated linearly between rows; at a row, exactly the stored value.
  double at(double t, std::string_view channel) const;

 private:
  std::vector<Channel> channels_;
  std::vector<double> time_;
  std::vector<double> values_;  // stored row by row
};

}  // namespace femflex::mbd_solver
