// Statistics of a table of runs. With the design of Saltelli, first-order indices use the estimator
// of Saltelli and total ones that of Jansen; errors come from the bootstrap. Otherwise first-order
// indices are correlation ratios of groups of runs.
#include "runs/effects.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "results/quantiles.h"

namespace femflex::tools {
namespace {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kWorstRuns = 5;  // number of runs listed per measure

/// Between the extremes, so that equal values have no deviation, which would be their round-off.
double mean_value(const std::vector<double>& y) {
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  return std::clamp(mean, *low, *high);
}

/// Sum of squared deviations from the mean.
double squares_about_mean(const std::vector<double>& y) {
  const double mean = mean_value(y);
  double sum = 0.0;
  for (const double each : y)
    sum += (each - mean) * (each - mean);
  return sum;
}

double correlation_of(const std::vector<double>& x, const std::vector<double>& y) {
  const double mean_x = mean_value(x), mean_y = mean_value(y);
  double xx = 0.0, yy = 0.0, xy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    yy += (y[i] - mean_y) * (y[i] - mean_y);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  return xx > 0.0 && yy > 0.0 ? xy / std::sqrt(xx * yy) : kNotKnown;
}

/// Ranks from 0; equal values get the mean of their ranks.
std::vector<double> ranks_of(const std::vector<double>& values) {
  const std::vector<std::size_t> order = ascending_order(values);
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]])
      ++last;
    for (std::size_t i = first; i <= last; ++i)
      ranks[order[i]] = 0.5 * static_cast<double>(first + last);
    first = last + 1;
  }
  return ranks;
}

/// Sizes of the groups into which the sorted samples are divided: one group per distinct value if
/// there are few values, else groups of equal size.
std::vector<std::size_t> group_sizes(const std::vector<double>& x,
                                     const std::vector<std::size_t>& order) {
  const std::size_t count = order.size();
  const auto most = static_cast<std::size_t>(std::sqrt(static_cast<double>(count)));
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < count && sizes.size() <= most; ++i) {
    if (i == 0 || x[order[i]] != x[order[i - 1]])
      sizes.push_back(1);
    else
      ++sizes.back();
  }
  if (sizes.size() <= most) return sizes;
  sizes.assign(most, count / most);
  for (std::size_t i = 0; i < count % most; ++i)
    ++sizes[i];
  return sizes;
}

/// Correlation ratio: the share of the variance between groups of similar samples, minus the share
/// expected by chance [Kelley 1935].
double correlation_ratio(const std::vector<double>& x, const std::vector<double>& y) {
  constexpr std::size_t kFewestRuns = 30;  // with fewer runs the groups would be too small
  const double total = squares_about_mean(y);
  if (y.size() < kFewestRuns || !(total > 0.0)) return kNotKnown;
  const std::vector<std::size_t> order = ascending_order(x);
  const std::vector<std::size_t> sizes = group_sizes(x, order);
  if (sizes.size() < 2) return kNotKnown;
  double within = 0.0;
  std::size_t first = 0;
  for (const std::size_t size : sizes) {
    std::vector<double> group;
    for (std::size_t i = first; i < first + size; ++i)
      group.push_back(y[order[i]]);
    within += squares_about_mean(group);
    first += size;
  }
  const auto n = static_cast<double>(y.size());
  return 1.0 - within / (n - static_cast<double>(sizes.size())) / (total / (n - 1.0));
}

/// The complete blocks of the design of Saltelli: A, A with column i from B, B.
std::vector<std::vector<double>> whole_blocks(const RunTable& table, std::size_t measure) {
  const std::size_t size = table.parameters.size() + 2;
  std::vector<std::vector<double>> out;
  std::vector<double> block;
  std::int64_t expected = 0;
  for (const RunRow& row : table.rows) {
    const std::int64_t start = row.index - row.index % static_cast<std::int64_t>(size);
    if (row.index == start) {
      block.clear();
      expected = start;
    }
    if (row.index != expected || row.measures.empty()) continue;
    block.push_back(row.measures[measure]);
    ++expected;
    if (block.size() == size) out.push_back(block);
  }
  return out;
}

struct Indices {
  double main = kNotKnown, total = kNotKnown;
};

/// Indices of parameter `p` from the blocks `chosen`, which may contain a block several times. V_i
/// = mean of f(B) (f(A_B,i) - f(A)), V_T,i = half the mean of (f(A) - f(A_B,i))^2 [Saltelli 2010].
Indices sobol_indices_of(const std::vector<std::vector<double>>& blocks,
                         const std::vector<std::size_t>& chosen,
                         std::size_t p) {
  double sum = 0.0, squares = 0.0, main = 0.0, total = 0.0;
  const auto n = static_cast<double>(chosen.size());
  // subtracting the mean reduces the scatter of the products
  for (const std::size_t b : chosen)
    sum += blocks[b].front() + blocks[b].back();
  const double mean = sum / (2.0 * n);
  for (const std::size_t b : chosen) {
    const double in_a = blocks[b].front() - mean, in_b = blocks[b].back() - mean;
    const double mixed = blocks[b][p + 1] - mean;
    squares += in_a * in_a + in_b * in_b;
    main += in_b * (mixed - in_a);
    total += 0.5 * (in_a - mixed) * (in_a - mixed);
  }
  const double variance = squares / (2.0 * n);
  if (!(variance > 0.0)) return {};
  return {main / n / variance, total / n / variance};
}

void set_indices(const std::vector<std::vector<double>>& blocks, std::size_t p, RunEffect& effect) {
  constexpr std::size_t kFewestBlocks = 8;
  constexpr int kResamples = 200;  // gives the errors with an accuracy of 5 %
  effect.main = effect.total = effect.main_error = effect.total_error = kNotKnown;
  if (blocks.size() < kFewestBlocks) return;
  std::vector<std::size_t> chosen(blocks.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  const Indices all = sobol_indices_of(blocks, chosen, p);
  effect.main = all.main;
  effect.total = all.total;
  std::mt19937_64 random(p + 1);
  std::vector<double> mains, totals;
  for (int r = 0; r < kResamples; ++r) {
    for (std::size_t& each : chosen)
      each = static_cast<std::size_t>(random() % blocks.size());
    const Indices one = sobol_indices_of(blocks, chosen, p);
    mains.push_back(one.main);
    totals.push_back(one.total);
  }
  effect.main_error = std::sqrt(squares_about_mean(mains) / (kResamples - 1));
  effect.total_error = std::sqrt(squares_about_mean(totals) / (kResamples - 1));
}

/// Indices in the table of the runs that did not fail.
std::vector<std::size_t> good_rows(const RunTable& table) {
  std::vector<std::size_t> out;
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    if (!table.rows[r].measures.empty()) out.push_back(r);
  return out;
}

MeasureSummary summary_of(const RunTable& table, std::size_t m) {
  MeasureSummary out;
  out.is_worst_low = table.measures[m].kind == RunMeasure::Kind::min;
  const std::vector<double> y = values_of_measure(table, m);
  out.count = y.size();
  out.effects.resize(table.parameters.size());
  if (y.empty()) {
    out.mean = out.deviation = out.min = out.max = out.p05 = out.median = out.p95 = kNotKnown;
    for (RunEffect& each : out.effects)
      each = {kNotKnown, kNotKnown, kNotKnown, kNotKnown, kNotKnown, kNotKnown};
    return out;
  }
  std::vector<double> sorted = y;
  std::sort(sorted.begin(), sorted.end());
  out.mean = mean_value(y);
  out.deviation = y.size() > 1
                      ? std::sqrt(squares_about_mean(y) / static_cast<double>(y.size() - 1))
                      : kNotKnown;
  out.min = sorted.front();
  out.max = sorted.back();
  out.p05 = quantile(sorted, 0.05);
  out.median = quantile(sorted, 0.5);
  out.p95 = quantile(sorted, 0.95);
  const std::vector<std::size_t> rows = good_rows(table);
  std::vector<std::size_t> order = ascending_order(y);
  if (!out.is_worst_low) std::reverse(order.begin(), order.end());
  for (std::size_t i = 0; i < std::min(kWorstRuns, order.size()); ++i)
    out.worst.push_back(rows[order[i]]);
  const std::vector<double> ranks = ranks_of(y);
  const bool is_design = table.sample.kind == SampleRule::Kind::saltelli;
  const std::vector<std::vector<double>> blocks =
      is_design ? whole_blocks(table, m) : std::vector<std::vector<double>>();
  for (std::size_t p = 0; p < out.effects.size(); ++p) {
    RunEffect& effect = out.effects[p];
    const std::vector<double> x = samples_of_parameter(table, p);
    const bool is_ordered = table.parameters[p].kind != RunParameter::Kind::choices;
    effect.correlation = is_ordered ? correlation_of(x, y) : kNotKnown;
    effect.rank_correlation = is_ordered ? correlation_of(ranks_of(x), ranks) : kNotKnown;
    if (is_design) {
      set_indices(blocks, p, effect);
    } else {
      effect.main = correlation_ratio(x, y);
      effect.main_error = effect.total = effect.total_error = kNotKnown;
    }
  }
  return out;
}

std::string with_error(double value, double error) {
  if (!std::isfinite(value)) return "-";
  return std::isfinite(error) ? fmt::format("{:.3f} +- {:.3f}", value, error)
                              : fmt::format("{:.3f}", value);
}

std::string fixed_or_dash(double value) {
  return std::isfinite(value) ? fmt::format("{:.3f}", value) : "-";
}

}  // namespace

std::vector<double> samples_of_parameter(const RunTable& table, std::size_t parameter) {
  std::vector<double> out;
  for (const RunRow& row : table.rows)
    if (!row.measures.empty()) out.push_back(row.samples[parameter]);
  return out;
}

std::vector<double> values_of_measure(const RunTable& table, std::size_t measure) {
  std::vector<double> out;
  for (const RunRow& row : table.rows)
    if (!row.measures.empty()) out.push_back(row.measures[measure]);
  return out;
}

std::vector<MeasureSummary> summaries_of(const RunTable& table) {
  std::vector<MeasureSummary> out;
  for (std::size_t m = 0; m < table.measures.size(); ++m)
    out.push_back(summary_of(table, m));
  return out;
}

Json run_table_json(const RunTable& table, const std::vector<MeasureSummary>& summaries) {
  Json out = Json::object();
  const Json head = head_json(table);
  out["system"] = table.name;
  out["runs"] = table.total;
  out["rows"] = table.rows.size();
  out["sample"] = *head.find("sample");
  out["seed"] = *head.find("seed");
  out["parameters"] = *head.find("parameters");
  Json failures = Json::list();
  for (const RunRow& row : table.rows) {
    if (row.failure.empty()) continue;
    Json item = Json::object();
    item["row"] = row.index;
    item["reason"] = row.failure;
    failures.push_back(std::move(item));
  }
  out["failures"] = std::move(failures);
  Json measures = Json::list();
  for (std::size_t m = 0; m < table.measures.size(); ++m) {
    const MeasureSummary& summary = summaries[m];
    Json item = Json::object();
    item["name"] = table.measures[m].name;
    item["measure"] = table.measures[m].text;
    item["unit"] = table.units[m];
    item["runs"] = summary.count;
    item["mean"] = Json::finite_or_null(summary.mean);
    item["deviation"] = Json::finite_or_null(summary.deviation);
    item["min"] = Json::finite_or_null(summary.min);
    item["p05"] = Json::finite_or_null(summary.p05);
    item["median"] = Json::finite_or_null(summary.median);
    item["p95"] = Json::finite_or_null(summary.p95);
    item["max"] = Json::finite_or_null(summary.max);
    Json worst = Json::list();
    for (const std::size_t r : summary.worst)
      worst.push_back(Json(table.rows[r].index));
    item["worst_rows"] = std::move(worst);
    Json effects = Json::list();
    for (std::size_t p = 0; p < table.parameters.size(); ++p) {
      const RunEffect& effect = summary.effects[p];
      Json entry = Json::object();
      entry["parameter"] = table.parameters[p].name;
      entry["correlation"] = Json::finite_or_null(effect.correlation);
      entry["rank_correlation"] = Json::finite_or_null(effect.rank_correlation);
      entry["main"] = Json::finite_or_null(effect.main);
      entry["main_error"] = Json::finite_or_null(effect.main_error);
      entry["total"] = Json::finite_or_null(effect.total);
      entry["total_error"] = Json::finite_or_null(effect.total_error);
      effects.push_back(std::move(entry));
    }
    item["effects"] = std::move(effects);
    measures.push_back(std::move(item));
  }
  out["measures"] = std::move(measures);
  return out;
}

TextTable spread_table(const RunTable& table, const std::vector<MeasureSummary>& summaries) {
  TextTable out({"measure", "unit", "mean", "deviation", "min", "5 %", "median", "95 %", "max"});
  for (std::size_t m = 0; m < summaries.size(); ++m) {
    const MeasureSummary& each = summaries[m];
    out.add({table.measures[m].name,
             table.units[m],
             readable(each.mean),
             readable(each.deviation, 4),
             readable(each.min),
             readable(each.p05),
             readable(each.median),
             readable(each.p95),
             readable(each.max)});
  }
  return out;
}

TextTable effect_table(const RunTable& table, const MeasureSummary& summary) {
  TextTable out({"parameter", "correlation", "of ranks", "main effect", "total effect"});
  for (std::size_t p = 0; p < summary.effects.size(); ++p) {
    const RunEffect& each = summary.effects[p];
    out.add({table.parameters[p].name,
             fixed_or_dash(each.correlation),
             fixed_or_dash(each.rank_correlation),
             with_error(each.main, each.main_error),
             with_error(each.total, each.total_error)});
  }
  return out;
}

std::string run_table_text(const RunTable& table, const std::vector<MeasureSummary>& summaries) {
  const auto failed = std::count_if(
      table.rows.begin(), table.rows.end(), [](const RunRow& row) { return !row.failure.empty(); });
  const bool is_one = table.rows.size() == 1;
  std::string out = fmt::format("{}: {} run{}", table.name, table.rows.size(), is_one ? "" : "s");
  if (!table.is_whole()) out += fmt::format(" of {}", table.total);
  out += failed > 0 ? fmt::format(", {} failed\n", failed) : "\n";
  if (failed > 0) {
    const auto first = std::find_if(table.rows.begin(), table.rows.end(), [](const RunRow& row) {
      return !row.failure.empty();
    });
    out += fmt::format("row {} failed: {}\n", first->index, first->failure);
  }
  out += spread_table(table, summaries).text();
  for (std::size_t m = 0; m < summaries.size(); ++m)
    out += "\n" + table.measures[m].name + "\n" + effect_table(table, summaries[m]).text();
  return out;
}

}  // namespace femflex::tools
