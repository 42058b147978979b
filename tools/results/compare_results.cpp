// Pairs channels by name, interpolates B linearly at the times of A, and compares the rows in the
// time that both cover.
#include "results/compare_results.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"

#include "document/nearest_name.h"
#include "results/signal_heads.h"

namespace femflex::tools {
namespace {

constexpr double kSameTime = 1e-9;  // [s] round-off at the ends of the common time
constexpr double kMaxUnevenness =
    1e-6;  // largest deviation from even spacing, in steps; allows times printed with six digits
constexpr Eigen::Index kMinRows = 8;  // needed for two passes of a filter of order 4
// largest corner frequency relative to the rate of rows; at 0.5 the tangent is infinite
constexpr double kBelowNyquist = 0.49;

using Pairs = std::vector<std::pair<Eigen::Index, Eigen::Index>>;

/// The column of a channel.
/// @param which  "the first result" or "the second result", for messages
/// @throws UsageError  there is no such channel
Eigen::Index need(const ResultSeries& series, const std::string& name, const char* which) {
  const Eigen::Index column = series.find(name);
  if (column < 0)
    throw UsageError("no-such-channel",
                     fmt::format("{} has no channel '{}'", which, name),
                     {},
                     suggestion(name, series.names()));
  return column;
}

/// Columns of A and B to compare, for the names given by the user (see compare_results()).
Pairs pairs_of(const ResultSeries& a,
               const ResultSeries& b,
               const std::vector<std::string>& channels) {
  Pairs out;
  const auto add_common = [&](const std::string& beginning) {
    const std::size_t before = out.size();
    for (std::size_t i = 0; i < a.channels.size(); ++i) {
      const std::string& name = a.channels[i].name;
      const bool matches =
          beginning.empty() || name == beginning || name.rfind(beginning + "/", 0) == 0;
      const Eigen::Index partner = matches ? b.find(name) : -1;
      if (partner >= 0) out.emplace_back(static_cast<Eigen::Index>(i), partner);
    }
    return out.size() > before;
  };
  for (const std::string& channel : channels) {
    const std::size_t equals = channel.find('=');
    if (equals != std::string::npos) {
      out.emplace_back(need(a, channel.substr(0, equals), "the first result"),
                       need(b, channel.substr(equals + 1), "the second result"));
    } else if (!add_common(channel)) {
      // no common channel begins like this: one that is named with its unit in one of the results,
      // or else these calls throw and suggest the most similar name
      out.emplace_back(need(a, channel, "the first result"), need(b, channel, "the second result"));
    }
  }
  if (channels.empty()) add_common("");
  if (out.empty())
    throw UsageError("nothing-in-common",
                     "the two results have no channel in common",
                     {},
                     "pair them: --channels \"a=b\"");
  return out;
}

/// @throws UsageError  a result has no rows, or its times fall
void check_rows(const ResultSeries& series, const char* which) {
  if (series.time.size() == 0)
    throw UsageError("no-rows",
                     fmt::format("the {} result has no rows", which),
                     {},
                     "give results with rows of numbers");
  check_times(series.time,
              {fmt::format("the time of the {} result", which), {}, "sort its rows by time"});
}

/// The value at time `at`, linear between rows; the first or last value beyond the ends.
/// @param t  times in ascending order
/// @param y  values
double interpolated(const Eigen::VectorXd& t,
                    const Eigen::Ref<const Eigen::VectorXd>& y,
                    double at) {
  const double* end = t.data() + t.size();
  const double* above = std::lower_bound(t.data(), end, at);
  const auto i = static_cast<Eigen::Index>(above - t.data());
  if (i >= t.size()) return y(t.size() - 1);
  // times written by two programs may differ by round-off
  if (i == 0 || std::abs(t(i) - at) <= 1e-12 * std::max(1.0, std::abs(at))) return y(i);
  if (std::abs(t(i - 1) - at) <= 1e-12 * std::max(1.0, std::abs(at))) return y(i - 1);
  const double fraction = (at - t(i - 1)) / (t(i) - t(i - 1));
  return (1.0 - fraction) * y(i - 1) + fraction * y(i);
}

/// @param a, b  rows that are NaN in both are equal
ChannelDifference difference_of(Eigen::VectorXd a, Eigen::VectorXd b) {
  for (Eigen::Index r = 0; r < a.size(); ++r)
    if (std::isnan(a(r)) && std::isnan(b(r))) a(r) = b(r) = 0.0;
  ChannelDifference out;
  const auto count = static_cast<double>(a.size());
  const Eigen::VectorXd d = a - b;
  out.rms = std::sqrt(d.squaredNorm() / count);
  out.max = d.cwiseAbs().maxCoeff();
  const double scale = std::sqrt(a.squaredNorm() / count);
  out.relative_rms = out.rms == 0.0 ? 0.0
                     : scale > 0.0  ? out.rms / scale
                                    : std::numeric_limits<double>::infinity();
  const Eigen::VectorXd ca = a.array() - a.mean();
  const Eigen::VectorXd cb = b.array() - b.mean();
  const double norms = ca.norm() * cb.norm();
  out.correlation = norms > 0.0 ? ca.dot(cb) / norms : std::numeric_limits<double>::quiet_NaN();
  return out;
}

}  // namespace

ResultComparison compare_results(const ResultSeries& a,
                                 const ResultSeries& b,
                                 const std::vector<std::string>& channels,
                                 double tolerance) {
  const Pairs pairs = pairs_of(a, b, channels);
  check_rows(a, "first");
  check_rows(b, "second");
  ResultComparison out;
  out.tolerance = tolerance;
  const double first = std::max(a.time(0), b.time(0)) - kSameTime;
  const double last = std::min(a.time(a.time.size() - 1), b.time(b.time.size() - 1)) + kSameTime;
  std::vector<Eigen::Index> rows;
  for (Eigen::Index r = 0; r < a.time.size(); ++r) {
    if (a.time(r) >= first && a.time(r) <= last) rows.push_back(r);
  }
  if (rows.empty())
    throw UsageError(
        "nothing-in-common",
        fmt::format("the two results have no time in common: the first goes from {:g} to {:g} s, "
                    "the second from {:g} to {:g} s",
                    a.time(0),
                    a.time(a.time.size() - 1),
                    b.time(0),
                    b.time(b.time.size() - 1)),
        {},
        "compare results of the same interval");
  const auto count = static_cast<Eigen::Index>(rows.size());
  out.time.resize(count);
  out.a.resize(count, static_cast<Eigen::Index>(pairs.size()));
  out.b.resize(count, static_cast<Eigen::Index>(pairs.size()));
  out.passes = true;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    for (Eigen::Index r = 0; r < count; ++r) {
      const Eigen::Index row = rows[static_cast<std::size_t>(r)];
      out.time(r) = a.time(row);
      out.a(r, column) = a.values(row, pairs[k].first);
      out.b(r, column) = interpolated(b.time, b.values.col(pairs[k].second), a.time(row));
    }
    ChannelDifference difference = difference_of(out.a.col(column), out.b.col(column));
    const mbd_solver::Channel& from = a.channels[static_cast<std::size_t>(pairs[k].first)];
    const mbd_solver::Channel& to = b.channels[static_cast<std::size_t>(pairs[k].second)];
    difference.name = from.name == to.name ? from.name : from.name + " = " + to.name;
    difference.unit = from.unit;
    if (!(difference.relative_rms <= tolerance)) out.passes = false;
    out.channels.push_back(std::move(difference));
    out.names_a.push_back(from.name);
    out.names_b.push_back(to.name);
  }
  return out;
}

Json comparison_json(const ResultComparison& comparison) {
  Json out = Json::object();
  Json channels = Json::list();
  for (const ChannelDifference& each : comparison.channels) {
    Json item = Json::object();
    item["name"] = each.name;
    item["unit"] = each.unit;
    item["rms"] = each.rms;
    item["max"] = each.max;
    item["relative_rms"] = each.relative_rms;
    item["correlation"] = each.correlation;
    channels.push_back(std::move(item));
  }
  out["channels"] = std::move(channels);
  out["rows"] = comparison.time.size();
  out["tolerance"] = comparison.tolerance;
  out["verdict"] = comparison.passes ? "pass" : "fail";
  return out;
}

TextTable comparison_table(const ResultComparison& comparison) {
  TextTable table({"channel", "unit", "rms", "max", "relative rms", "correlation"});
  for (const ChannelDifference& each : comparison.channels)
    table.add({each.name,
               each.unit,
               readable(each.rms, 4),
               readable(each.max, 4),
               readable(each.relative_rms, 4),
               readable(each.correlation, 6)});
  return table;
}

ResultSeries side_by_side(const ResultComparison& comparison) {
  ResultSeries out;
  out.time = comparison.time;
  out.values.resize(comparison.a.rows(), comparison.a.cols() + comparison.b.cols());
  out.values << comparison.a, comparison.b;
  for (std::size_t i = 0; i < comparison.channels.size(); ++i)
    out.channels.push_back({"a:" + comparison.names_a[i], comparison.channels[i].unit});
  for (std::size_t i = 0; i < comparison.channels.size(); ++i)
    out.channels.push_back({"b:" + comparison.names_b[i], comparison.channels[i].unit});
  return out;
}

void low_pass(ResultSeries& series, double cut_hz) {
  const Eigen::Index rows = series.time.size();
  if (rows < kMinRows)
    throw UsageError("too-few-rows",
                     fmt::format("{} rows cannot be filtered", rows),
                     {},
                     fmt::format("--below needs {} rows or more", kMinRows));
  const double step = (series.time(rows - 1) - series.time(0)) / static_cast<double>(rows - 1);
  for (Eigen::Index r = 1; r < rows; ++r) {
    if (std::abs(series.time(r) - series.time(r - 1) - step) > kMaxUnevenness * step)
      throw UsageError("uneven-times",
                       "the rows are not equally spaced in time",
                       {},
                       "set \"output_step\" in the system");
  }
  if (!(step > 0.0))
    throw UsageError("uneven-times", "all rows have the same time", {}, "leave --below out");
  if (!(cut_hz > 0.0) || cut_hz * step >= 0.5)
    throw UsageError(
        "cut-frequency",
        fmt::format(
            "{} Hz is not between 0 and half the rate of the rows, {} Hz", cut_hz, 0.5 / step));
  // A Butterworth filter of order 4 is two sections 1 / (s^2 + 2 d s + 1), converted by the
  // bilinear transform. Two passes halve the power at the corner twice; therefore the corner of one
  // pass is higher by the factor (sqrt 2 - 1)^(-1/8).
  const double corner =
      std::min(kBelowNyquist / step, cut_hz * std::pow(std::sqrt(2.0) - 1.0, -0.125));
  const double w = std::tan(std::numbers::pi * corner * step);
  const auto pass = [&](double damping, auto value) {
    const double norm = 1.0 / (1.0 + 2.0 * damping * w + w * w);
    const double b0 = w * w * norm;
    const double a1 = 2.0 * (w * w - 1.0) * norm;
    const double a2 = (1.0 - 2.0 * damping * w + w * w) * norm;
    // the filter starts in the steady state for the first value
    double x1 = value(0), x2 = x1, y1 = x1, y2 = x1;
    for (Eigen::Index r = 0; r < rows; ++r) {
      const double x = value(r);
      const double y = b0 * (x + 2.0 * x1 + x2) - a1 * y1 - a2 * y2;
      x2 = x1;
      x1 = x;
      y2 = y1;
      y1 = y;
      value(r) = y;
    }
  };
  for (Eigen::Index c = 0; c < series.values.cols(); ++c) {
    for (const double damping :
         {std::cos(std::numbers::pi / 8.0), std::cos(3.0 * std::numbers::pi / 8.0)}) {
      pass(damping, [&](Eigen::Index r) -> double& { return series.values(r, c); });
      pass(damping, [&](Eigen::Index r) -> double& { return series.values(rows - 1 - r, c); });
    }
  }
}

}  // namespace femflex::tools
