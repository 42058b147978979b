// Implements Results: rows in memory, look-up of channels by name, and interpolation over time.
#include "femflex/mbd_solver/results.h"

#include <algorithm>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::mbd_solver {

void Results::begin(std::span<const Channel> channels) {
  channels_.assign(channels.begin(), channels.end());
}

void Results::append(double t, std::span<const double> values) {
  time_.push_back(t);
  values_.insert(values_.end(), values.begin(), values.end());
}

Eigen::Index Results::find(std::string_view channel) const {
  const auto it = std::find_if(
      channels_.begin(), channels_.end(), [&](const Channel& c) { return c.name == channel; });
  return it == channels_.end() ? -1 : it - channels_.begin();
}

Eigen::VectorXd Results::series(std::string_view channel) const {
  const Eigen::Index k = find(channel);
  if (k < 0) throw UsageError("unknown-channel", fmt::format("no channel is called '{}'", channel));
  Eigen::VectorXd values(rows());
  for (Eigen::Index row = 0; row < rows(); ++row)
    values(row) = value(row, k);
  return values;
}

double Results::at(double t, std::string_view channel) const {
  const Eigen::Index k = find(channel);
  if (k < 0) throw UsageError("unknown-channel", fmt::format("no channel is called '{}'", channel));
  if (time_.empty()) throw UsageError("no-rows", "the results have no rows");
  const auto after = std::lower_bound(time_.begin(), time_.end(), t);
  if (after == time_.begin()) return value(0, k);
  if (after == time_.end()) return value(rows() - 1, k);
  const Eigen::Index row = after - time_.begin();
  if (*after == t) return value(row, k);
  const double before = *(after - 1);
  const double w = (t - before) / (*after - before);
  return (1.0 - w) * value(row - 1, k) + w * value(row, k);
}

}  // namespace femflex::mbd_solver
