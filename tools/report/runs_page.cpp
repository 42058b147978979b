// Plots each measure over the parameters with the largest effects; tables list all parameters.
#include "runs_page.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "document/table.h"
#include "html_report.h"
#include "runs/run_many.h"
#include "svg_plot.h"

namespace femflex::report {
namespace {

using tools::MeasureSummary;
using tools::readable;
using tools::RunEffect;
using tools::RunRow;
using tools::RunTable;
using tools::TextTable;

constexpr std::size_t kScattersPerMeasure = 3;
constexpr std::size_t kMaxScatters = 12;  // per page; the table contains the rest

Eigen::VectorXd as_vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// Size of the effect of a parameter, used to select the plots.
double weight_of(const RunEffect& effect) {
  for (const double each : {effect.total, effect.main, std::abs(effect.rank_correlation)})
    if (std::isfinite(each)) return each;
  return 0.0;
}

std::string label_of(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
}

/// Adds a histogram: numbers of runs in equal intervals between the smallest and the largest value.
void histogram(HtmlReport& page, const RunTable& table, std::size_t m) {
  const std::vector<double> y = tools::values_of_measure(table, m);
  if (y.empty()) return;
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  if (!(*low < *high)) return;
  // twice the cube root of the number of values (Rice's rule), so that the scatter of the counts is
  // small
  const auto bins = static_cast<std::size_t>(
      std::clamp(2.0 * std::cbrt(static_cast<double>(y.size())), 5.0, 60.0));
  std::vector<double> counts(bins, 0.0);
  const double width = (*high - *low) / static_cast<double>(bins);
  for (const double each : y)
    counts[std::min(bins - 1, static_cast<std::size_t>((each - *low) / width))] += 1.0;
  std::vector<double> x = {*low}, outline = {0.0};
  for (std::size_t b = 0; b < bins; ++b) {
    for (const std::size_t edge : {b, b + 1}) {
      x.push_back(*low + width * static_cast<double>(edge));
      outline.push_back(counts[b]);
    }
  }
  x.push_back(*high);
  outline.push_back(0.0);
  Plot plot;
  plot.title = table.measures[m].name;
  plot.note = fmt::format("{} runs", y.size());
  plot.x_label = label_of(table.measures[m].name, table.units[m]);
  plot.y_label = "runs";
  plot.curves.push_back({"", as_vector(x), as_vector(outline)});
  page.plot(plot);
}

void scatter(HtmlReport& page, const RunTable& table, std::size_t m, std::size_t p) {
  Plot plot;
  plot.title = fmt::format("{} over {}", table.measures[m].name, table.parameters[p].name);
  plot.x_label = table.parameters[p].name;
  plot.y_label = label_of(table.measures[m].name, table.units[m]);
  plot.is_log_x = table.parameters[p].kind == tools::RunParameter::Kind::logarithmic;
  if (table.parameters[p].kind == tools::RunParameter::Kind::choices) {
    for (std::size_t c = 0; c < table.parameters[p].choices.size(); ++c)
      plot.note +=
          fmt::format("{}{}: {}", c > 0 ? ", " : "", c, table.parameters[p].choices[c].dump_line());
  }
  Curve curve;
  curve.x = as_vector(tools::samples_of_parameter(table, p));
  curve.y = as_vector(tools::values_of_measure(table, m));
  curve.has_markers = true;
  curve.is_joined = false;
  plot.curves.push_back(curve);
  page.plot(plot);
}

void scatters(HtmlReport& page,
              const RunTable& table,
              const std::vector<MeasureSummary>& summaries) {
  std::size_t plots = 0;
  for (std::size_t m = 0; m < summaries.size(); ++m) {
    const std::vector<RunEffect>& effects = summaries[m].effects;
    if (summaries[m].count < 2) continue;
    std::vector<std::size_t> order(effects.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return weight_of(effects[a]) > weight_of(effects[b]);
    });
    for (std::size_t i = 0; i < std::min(kScattersPerMeasure, order.size()); ++i)
      if (plots++ < kMaxScatters) scatter(page, table, m, order[i]);
  }
}

/// The value of a parameter as shown in a table.
std::string shown_value(const tools::RunParameter& parameter, double sample) {
  const tools::Json value = parameter.value(sample);
  return value.is_text() ? value.text() : value.dump_line();
}

/// The command that repeats a run with all outputs and shows it.
std::string commands_of(const RunTable& table, const RunRow& row, const std::string& system) {
  std::string out = "femflex simulate " + system;
  for (std::size_t p = 0; p < row.samples.size(); ++p)
    if (table.parameters[p].path.empty())
      out += " --variant " + shown_value(table.parameters[p], row.samples[p]);
  for (const tools::DocumentChange& change : tools::changes_of(table, row))
    out += fmt::format(" --set '{}'", tools::text_of(change));
  return out + fmt::format(" -o row{0}.h5\nfemflex view row{0}.h5 -o row{0}.html", row.index);
}

void worst_runs(HtmlReport& page,
                const RunTable& table,
                const std::vector<MeasureSummary>& summaries,
                const RunsLinks& links) {
  page.heading("Worst runs");
  if (!links.worst_page.empty())
    page.link(fmt::format("The worst run by {}, in motion", table.measures.front().name),
              links.worst_page);
  for (std::size_t m = 0; m < summaries.size(); ++m) {
    if (summaries[m].worst.empty()) continue;
    std::vector<std::string> heads = {"row", table.measures[m].name};
    for (const tools::RunParameter& each : table.parameters)
      heads.push_back(each.name);
    TextTable worst(heads);
    for (const std::size_t r : summaries[m].worst) {
      const RunRow& row = table.rows[r];
      std::vector<std::string> cells = {fmt::format("{}", row.index), readable(row.measures[m])};
      for (std::size_t p = 0; p < row.samples.size(); ++p)
        cells.push_back(shown_value(table.parameters[p], row.samples[p]));
      worst.add(cells);
    }
    page.paragraph(fmt::format("{}, {} first:",
                               table.measures[m].name,
                               summaries[m].is_worst_low ? "smallest" : "largest"));
    page.table(worst);
    if (links.system.empty()) continue;
    page.paragraph("The first of them again, with a page that shows it:");
    page.commands(commands_of(table, table.rows[summaries[m].worst.front()], links.system));
  }
}

void failures(HtmlReport& page, const RunTable& table) {
  std::map<std::string, std::vector<std::int64_t>> rows;  // by reason
  for (const RunRow& row : table.rows)
    if (!row.failure.empty()) rows[row.failure].push_back(row.index);
  if (rows.empty()) return;
  constexpr std::size_t kMostReasons = 30;
  page.heading("Failed runs");
  TextTable reasons({"runs", "first row", "reason"});
  for (const auto& [reason, indices] : rows)
    if (reasons.rows().size() < kMostReasons)
      reasons.add({fmt::format("{}", indices.size()), fmt::format("{}", indices.front()), reason});
  page.table(reasons);
}

}  // namespace

void write_runs_report(const RunTable& table,
                       const std::vector<MeasureSummary>& summaries,
                       const RunsLinks& links,
                       const tools::Json& document,
                       const PageOptions& options,
                       const std::filesystem::path& path) {
  const auto failed = std::count_if(
      table.rows.begin(), table.rows.end(), [](const RunRow& row) { return !row.failure.empty(); });
  HtmlReport page(fmt::format("Runs of {}", table.name),
                  failed == 0 && table.is_whole(),
                  fmt::format("{} of {} runs, {} failed", table.rows.size(), table.total, failed));
  page.heading("Measures");
  page.table(tools::spread_table(table, summaries));
  page.heading("Effects");
  page.paragraph(
      "main effect: the share of the variance of the measure that would go if this parameter were "
      "known (first-order index of Sobol'); total effect: the share that would remain if all "
      "others "
      "were known; after +- the standard deviation of the estimate. Total effects come from "
      "--sample saltelli:N.");
  for (std::size_t m = 0; m < summaries.size(); ++m) {
    page.paragraph(table.measures[m].name);
    page.table(tools::effect_table(table, summaries[m]));
  }
  page.heading("Histograms");
  for (std::size_t m = 0; m < std::min(kMaxScatters, summaries.size()); ++m)
    histogram(page, table, m);
  page.heading("Scatter");
  scatters(page, table, summaries);
  worst_runs(page, table, summaries, links);
  failures(page, table);
  reproduce(page, options);
  page.data("study", document);
  page.write(path);
}

}  // namespace femflex::report
