// Cycles and damage of plain signals, which are columns of a table. Part of the verb stress.
#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"

#include "document/durability_json.h"
#include "document/nearest_name.h"
#include "document/table.h"
#include "results/signal_heads.h"
#include "results/stress_tables.h"
#include "verbs/stress_subjects.h"

namespace femflex::verbs {
namespace {

using tools::Json;

/// The columns of a table to count.
std::vector<Eigen::Index> columns_of(const tools::ResultSeries& table,
                                     const std::vector<std::string>& wanted) {
  std::vector<Eigen::Index> out;
  std::vector<std::string> known;
  for (const mbd_solver::Channel& channel : table.channels)
    known.push_back(channel.name);
  if (wanted.empty()) {
    out.resize(known.size());
    std::iota(out.begin(), out.end(), Eigen::Index{0});
    return out;
  }
  for (const std::string& name : wanted) {
    const Eigen::Index column = table.find(name);
    if (column < 0)
      throw UsageError("no-such-channel",
                       fmt::format("there is no column '{}'", name),
                       {},
                       tools::suggestion(name, known));
    const std::string& found = known[static_cast<std::size_t>(column)];
    if (std::count(known.begin(), known.end(), found) > 1)
      throw UsageError("channel-twice",
                       fmt::format("there are several columns '{}'", found),
                       {},
                       "give each column a name of its own in the first line, or leave --channels "
                       "out to take all");
    out.push_back(column);
  }
  return out;
}

/// A signal and its cycles.
struct SignalCycles {
  std::string name;
  std::vector<durability::Cycle> cycles;  ///< in `unit`
  std::string unit;                       ///< empty if neither head nor curve names one
  double in_pascal = 1.0;                 ///< `unit` in Pa; unused without a curve
};

/// Counts a column in the unit of the curve, or without one in its own unit.
SignalCycles counted(const tools::ResultSeries& table,
                     Eigen::Index column,
                     const std::optional<tools::CurveFile>& curve,
                     const StressRequest& request) {
  const mbd_solver::Channel& channel = table.channels[static_cast<std::size_t>(column)];
  Eigen::VectorXd values = table.values.col(column);
  if (!values.allFinite())
    throw UsageError("not-finite",
                     fmt::format("signal '{}' has a value that is not finite", channel.name),
                     {request.signals->string()},
                     "leave it out: --channels");
  SignalCycles out{.name = channel.name, .cycles = {}, .unit = channel.unit};
  if (curve) {
    // the factor of equal units is exactly 1
    values *= tools::stress_factor(channel, curve->unit, *request.signals) / curve->unit;
    out.unit = curve->unit_name;
    out.in_pascal = curve->unit;
  }
  out.cycles = durability::rainflow({values.data(), static_cast<std::size_t>(values.size())},
                                    request.residue);
  return out;
}

double damage_of_signal(const SignalCycles& signal, const durability::WoehlerCurve& curve) {
  std::vector<durability::Cycle> cycles = signal.cycles;
  for (durability::Cycle& cycle : cycles) {
    cycle.range *= signal.in_pascal;
    cycle.mean *= signal.in_pascal;
  }
  return durability::damage_of(cycles, curve);
}

/// The `top` largest cycles; `rows` are in ascending order.
Json largest_json(const std::vector<durability::Cycle>& rows,
                  const std::string& unit,
                  std::int64_t top) {
  Json out = Json::list();
  const auto count = std::min(static_cast<std::ptrdiff_t>(top), std::ssize(rows));
  for (auto row = rows.rbegin(); row != rows.rbegin() + count; ++row) {
    Json cycle = Json::object();
    cycle["range"] = row->range;
    cycle["mean"] = row->mean;
    cycle["count"] = row->count;
    cycle["unit"] = unit;
    out.push_back(std::move(cycle));
  }
  return out;
}

}  // namespace

StressOutcome cycles_of_signals(const StressRequest& request) {
  tools::ResultSeries table = tools::read_csv(*request.signals);
  tools::split_heads(table);
  tools::check_times(table, *request.signals);
  if (table.time.size() == 0)
    throw UsageError("no-rows",
                     "the table has no rows of numbers below its first line",
                     {request.signals->string()},
                     "give the histories to count, one row for each time");
  if (table.channels.empty())
    throw UsageError("no-signals",
                     "there is no column of a signal",
                     {request.signals->string()},
                     "the first column is time, the others are signals; commas separate them");
  std::optional<tools::CurveFile> curve;
  if (request.curve) curve = tools::read_curve(*request.curve);
  StressOutcome out;
  out.document["subject"] = "signals";
  out.document["unit"] = curve ? curve->unit_name : "";
  if (curve) out.document["curve"] = curve->curve.name;
  std::string csv = "signal,unit,range,mean,count\n";
  Json signals = Json::list();
  std::vector<std::string> heads = {"signal", "unit", "cycles", "largest range"};
  if (curve) heads.emplace_back("damage");
  tools::TextTable shown(heads);
  for (const Eigen::Index column : columns_of(table, request.channels)) {
    const SignalCycles signal = counted(table, column, curve, request);
    const std::vector<durability::Cycle> rows = durability::collected(signal.cycles);
    csv += tools::cycles_csv_rows(signal.name, signal.unit, rows);
    double count = 0.0;
    for (const durability::Cycle& cycle : signal.cycles)
      count += cycle.count;
    const double largest = rows.empty() ? 0.0 : rows.back().range;
    Json item = Json::object();
    item["name"] = signal.name;
    item["unit"] = signal.unit;
    item["cycles"] = count;
    item["largest_range"] = largest;
    std::vector<std::string> cells = {signal.name,
                                      signal.unit.empty() ? "-" : signal.unit,
                                      tools::readable(count),
                                      tools::readable(largest)};
    if (curve) {
      const double damage = damage_of_signal(signal, curve->curve);
      item["damage"] = damage;
      cells.push_back(tools::readable(damage));
    }
    item["largest"] = largest_json(rows, signal.unit, request.top);
    signals.push_back(std::move(item));
    shown.add(std::move(cells));
  }
  out.document["signals"] = std::move(signals);
  out.text = shown.text();
  if (request.csv) io::write_file(*request.csv, csv);
  return out;
}

}  // namespace femflex::verbs
