// Cycles and damage of plain signals: columns of a table.
#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"

#include "document/durability_json.h"
#include "document/nearest_name.h"
#include "document/table.h"
#include "results/stress_tables.h"
#include "verbs/stress_subjects.h"

namespace femflex::verbs {
namespace {

using tools::Json;

/// The columns of a table that are to be counted.
std::vector<Eigen::Index> columns_of(const tools::ResultSeries& table,
                                     const std::vector<std::string>& wanted) {
  std::vector<Eigen::Index> out;
  std::vector<std::string> known;
  for (const mbd_solver::Channel& channel : table.channels)
    known.push_back(channel.name);
  for (const std::string& name : wanted.empty() ? known : wanted) {
    const Eigen::Index column = table.find(name);
    if (column < 0)
      throw UsageError("no-such-channel",
                       fmt::format("there is no column '{}'", name),
                       {},
                       tools::suggestion(name, known));
    out.push_back(column);
  }
  return out;
}

}  // namespace

StressOutcome cycles_of_signals(const StressRequest& request) {
  const tools::ResultSeries table = tools::read_csv(*request.signals);
  std::optional<tools::CurveFile> curve;
  if (request.curve) curve = tools::read_curve(*request.curve);
  const std::string unit = curve ? curve->unit_name : "";
  StressOutcome out;
  out.document["subject"] = "signals";
  out.document["unit"] = unit;
  if (curve) out.document["curve"] = curve->curve.name;
  std::string csv = "signal,unit,range,mean,count\n";
  Json signals = Json::list();
  std::vector<std::string> heads = {"signal", "cycles", "largest range"};
  if (curve) heads.emplace_back("damage");
  tools::TextTable shown(heads);
  for (const Eigen::Index column : columns_of(table, request.channels)) {
    const std::string& name = table.channels[static_cast<std::size_t>(column)].name;
    const Eigen::VectorXd values = table.values.col(column);
    if (!values.allFinite())
      throw UsageError("not-finite",
                       fmt::format("signal '{}' has a value that is not finite", name),
                       {request.signals->string()},
                       "leave it out: --channels");
    std::vector<durability::Cycle> cycles = durability::rainflow(
        {values.data(), static_cast<std::size_t>(values.size())}, request.residue);
    const std::vector<durability::Cycle> rows = durability::collected(cycles);
    csv += tools::cycles_csv_rows(name, unit, rows);
    double count = 0.0;
    for (const durability::Cycle& cycle : cycles)
      count += cycle.count;
    const double largest = rows.empty() ? 0.0 : rows.back().range;
    Json item = Json::object();
    item["name"] = name;
    item["cycles"] = count;
    item["largest_range"] = largest;
    std::vector<std::string> cells = {name, tools::readable(count), tools::readable(largest)};
    if (curve) {
      for (durability::Cycle& cycle : cycles) {
        cycle.range *= curve->unit;
        cycle.mean *= curve->unit;
      }
      const double damage = durability::damage_of(cycles, curve->curve);
      item["damage"] = damage;
      cells.push_back(tools::readable(damage));
    }
    Json largest_rows = Json::list();
    for (auto row = rows.rbegin();
         row != rows.rend() && row - rows.rbegin() < static_cast<std::ptrdiff_t>(request.top);
         ++row) {
      Json cycle = Json::object();
      cycle["range"] = row->range;
      cycle["mean"] = row->mean;
      cycle["count"] = row->count;
      largest_rows.push_back(std::move(cycle));
    }
    item["largest"] = std::move(largest_rows);
    signals.push_back(std::move(item));
    shown.add(std::move(cells));
  }
  out.document["signals"] = std::move(signals);
  out.text = shown.text();
  if (request.csv) io::write_file(*request.csv, csv);
  return out;
}

}  // namespace femflex::verbs
