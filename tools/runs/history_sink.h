// HistorySink: the rows of one run in memory, column by column. run_many() takes measures from it.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "femflex/mbd_solver/results.h"

namespace femflex::tools {

class HistorySink : public mbd_solver::ResultSink {
 public:
  void begin(std::span<const mbd_solver::Channel> channels) override {
    for (std::size_t c = 0; c < channels.size(); ++c)
      columns_[channels[c].name] = c;
    values_.resize(channels.size());
  }
  void append(double t, std::span<const double> values) override {
    time_.push_back(t);
    for (std::size_t c = 0; c < values.size(); ++c)
      values_[c].push_back(values[c]);
  }
  const std::vector<double>& time() const { return time_; }
  const std::vector<double>& column(const std::string& name) const {
    static const std::vector<double> none;
    const auto found = columns_.find(name);
    return found == columns_.end() ? none : values_[found->second];
  }

 private:
  std::map<std::string, std::size_t> columns_;
  std::vector<double> time_;
  std::vector<std::vector<double>> values_;
};

}  // namespace femflex::tools
