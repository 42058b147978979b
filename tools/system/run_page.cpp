// Reads "page" of a system file; computes its figures and the rows of its plots.
#include "system/run_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "document/json_text.h"
#include "document/nearest_name.h"

namespace femflex::tools {
namespace {

/// True if `outputs` contains the channel or a beginning of its name.
bool is_output(const std::string& channel, const std::vector<std::string>& outputs) {
  return std::any_of(outputs.begin(), outputs.end(), [&](const std::string& each) {
    return channel == each || (channel.starts_with(each) && channel[each.size()] == '/');
  });
}

void check_channel(const Json& where,
                   const std::string& channel,
                   const std::vector<std::string>& outputs) {
  if (outputs.empty() || channel.empty() || is_output(channel, outputs)) return;
  where.fail("page",
             fmt::format("'{}' is not among the outputs", channel),
             "add it to \"outputs\"; " + suggestion(channel, outputs));
}

RunMeasure read_figure_measure(const Json& value,
                               const std::string& text,
                               const std::vector<std::string>& outputs) {
  RunMeasure out = parse_measure(text);
  if (out.is_of_modes()) value.fail("page", "a figure of a page is of a channel, not of a mode");
  check_channel(value, out.channel, outputs);
  return out;
}

PageFigure read_figure(const Json::Member& member, const std::vector<std::string>& outputs) {
  static const std::string kOver = " / ";
  PageFigure out;
  out.name = member.key;
  const std::string text = member.value.text();
  const std::size_t at = text.find(kOver);
  out.measure = read_figure_measure(member.value, text.substr(0, at), outputs);
  if (at != std::string::npos)
    out.over = read_figure_measure(member.value, text.substr(at + kOver.size()), outputs);
  return out;
}

std::optional<double> optional_number(ObjectReader& reader, const char* key) {
  const Json* found = reader.find(key);
  return found == nullptr ? std::nullopt : std::optional<double>(found->number());
}

PagePlot read_page_plot(const Json& value, const std::vector<std::string>& outputs) {
  ObjectReader reader(value, "plot of the page");
  PagePlot out;
  static const std::vector<std::string> kKinds = {"history", "psd", "crossings", "ratio"};
  if (const Json* kind = reader.find("kind"); kind != nullptr) {
    const std::string& found = choice(*kind, kKinds);
    out.kind = static_cast<PagePlot::Kind>(std::find(kKinds.begin(), kKinds.end(), found) -
                                           kKinds.begin());
  }
  out.title = reader.text("title", "");
  out.x = reader.text("x", "");
  for (const Json& each : reader.need("y").items()) {
    out.y.push_back(each.text());
    check_channel(each, each.text(), outputs);
  }
  if (!out.x.empty()) check_channel(*value.find("x"), out.x, outputs);
  if (out.y.empty()) value.fail("page", "a plot without channels");
  if (out.kind == PagePlot::Kind::ratio && out.x.empty())
    value.fail("missing-key", "a ratio needs the channel that it is taken of", "add \"x\"");
  out.from = optional_number(reader, "from");
  out.until = optional_number(reader, "until");
  out.low_hz = optional_number(reader, "low_hz");
  out.high_hz = optional_number(reader, "high_hz");
  reader.finish();
  return out;
}

std::size_t channel_column(const ResultSeries& series, const std::string& channel) {
  const Eigen::Index found = series.find(channel);
  if (found >= 0) return static_cast<std::size_t>(found);
  std::vector<std::string> names;
  for (const mbd_solver::Channel& each : series.channels)
    names.push_back(each.name);
  throw UsageError("no-such-channel",
                   fmt::format("page: the run has no channel '{}'", channel),
                   {},
                   suggestion(channel, names));
}

std::vector<double> values_of(const ResultSeries& series, std::size_t column) {
  const auto values = series.values.col(static_cast<Eigen::Index>(column));
  return {values.begin(), values.end()};
}

double figure_value(const RunMeasure& measure, const ResultSeries& series, std::string& unit) {
  const std::size_t column = channel_column(series, measure.channel);
  unit = unit_of(measure, series.channels[column].unit);
  return measure_of(measure, {series.time.begin(), series.time.end()}, values_of(series, column));
}

/// Largest change of energy minus work, divided by the work done, from `from` on; empty without
/// channels.
std::optional<double> energy_account(const ResultSeries& series, double from) {
  const Eigen::Index total = series.find("energy/total"), work = series.find("energy/work");
  if (total < 0 || work < 0) return std::nullopt;
  const double slack = 1e-9 * series.time(series.time.size() - 1);  // round-off of times
  std::optional<double> start;
  double worst = 0.0, done = 0.0;
  for (Eigen::Index row = 0; row < series.time.size(); ++row) {
    if (series.time(row) < from - slack) continue;
    const double sum = series.values(row, total) - series.values(row, work);
    if (start) done += std::abs(series.values(row, work) - series.values(row - 1, work));
    if (!start) start = sum;
    worst = std::max(worst, std::abs(sum - *start));
  }
  return done > 0.0 ? std::optional<double>(worst / done) : std::nullopt;
}

}  // namespace

RunPage read_run_page(const Json& page, const std::vector<std::string>& outputs) {
  ObjectReader reader(page, "page");
  RunPage out;
  out.from = optional_number(reader, "from").value_or(0.0);
  if (const Json* figures = reader.find("figures"); figures != nullptr)
    for (const Json::Member& each : figures->members())
      out.figures.push_back(read_figure(each, outputs));
  if (const Json* plots = reader.find("plots"); plots != nullptr)
    for (const Json& each : plots->items())
      out.plots.push_back(read_page_plot(each, outputs));
  reader.finish();
  return out;
}

std::vector<FigureValue> figures_of(const RunPage& page, const ResultSeries& series) {
  std::vector<FigureValue> out;
  if (series.time.size() == 0) return out;
  for (const PageFigure& each : page.figures) {
    FigureValue figure{each.name, {}, 0.0};
    figure.value = figure_value(each.measure, series, figure.unit);
    if (each.over) {
      std::string unit;
      figure.value /= figure_value(*each.over, series, unit);
      figure.unit = unit == figure.unit ? std::string() : fmt::format("{}/({})", figure.unit, unit);
    }
    out.push_back(std::move(figure));
  }
  if (const auto account = energy_account(series, page.from))
    out.push_back({"energy account over work done", {}, *account});
  return out;
}

Json figures_json(const std::vector<FigureValue>& figures) {
  Json out = Json::list();
  for (const FigureValue& each : figures) {
    Json item = Json::object();
    item["name"] = each.name;
    item["unit"] = each.unit;
    item["value"] = each.value;
    out.push_back(std::move(item));
  }
  return out;
}

TextTable figures_table(const std::vector<std::string>& runs,
                        const std::vector<std::vector<FigureValue>>& figures) {
  std::vector<std::string> heads = {"figure", "unit"};
  for (std::size_t r = 0; r < runs.size(); ++r) {
    heads.push_back(runs[r]);
    if (r > 0) heads.emplace_back("change %");
  }
  TextTable table(heads);
  for (std::size_t k = 0; !figures.empty() && k < figures.front().size(); ++k) {
    const FigureValue& first = figures.front()[k];
    std::vector<std::string> row = {first.name, first.unit.empty() ? "-" : first.unit};
    for (std::size_t r = 0; r < figures.size(); ++r) {
      const double value = k < figures[r].size() ? figures[r][k].value : std::nan("");
      row.push_back(readable(value, 4));
      if (r > 0) row.push_back(readable(100.0 * (value / first.value - 1.0), 2));
    }
    table.add(row);
  }
  return table;
}

PlotRows rows_of(const PagePlot& plot, const std::string& channel, const ResultSeries& series) {
  const std::size_t column = channel_column(series, channel);
  const bool is_over_time = plot.x.empty();
  const std::size_t across = is_over_time ? column : channel_column(series, plot.x);
  PlotRows out;
  for (Eigen::Index row = 0; row < series.time.size(); ++row) {
    const double t = series.time(row);
    if (t < plot.from.value_or(t) || t > plot.until.value_or(t)) continue;
    out.time.push_back(t);
    out.x.push_back(is_over_time ? t : series.values(row, static_cast<Eigen::Index>(across)));
    out.y.push_back(series.values(row, static_cast<Eigen::Index>(column)));
  }
  return out;
}

LevelCrossings level_crossings(const std::vector<double>& y) {
  constexpr int kLevels = 64;
  LevelCrossings out;
  if (y.empty()) return out;
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  for (int k = 0; k < kLevels; ++k) {
    const double level = *low + (*high - *low) * (k + 0.5) / kLevels;
    int count = 0;
    for (std::size_t row = 1; row < y.size(); ++row)
      if (y[row - 1] <= level && y[row] > level) ++count;
    out.level.push_back(level);
    out.count.push_back(count);
  }
  return out;
}

}  // namespace femflex::tools
