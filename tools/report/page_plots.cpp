// Makes the requested plots from the rows: histories, spectra, level crossings, transmissibilities.
#include "page_plots.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::report {
namespace {

using tools::PagePlot;
using Kind = PagePlot::Kind;

Eigen::VectorXd eigen_vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

std::string channel_unit(const tools::ResultSeries& series, const std::string& channel) {
  const Eigen::Index found = series.find(channel);
  return found < 0 ? std::string() : series.channels[static_cast<std::size_t>(found)].unit;
}

tools::Spectrum spectrum_of(const std::vector<double>& t, const std::vector<double>& y) {
  constexpr std::size_t kFewestLines = 16;  // with fewer rows there is no useful spectrum
  if (t.size() < kFewestLines)
    throw UsageError(
        "page", fmt::format("page: a spectrum of {} rows", t.size()), {}, "run longer");
  return tools::welch(y, (t.back() - t.front()) / static_cast<double>(t.size() - 1));
}

/// Keeps the lines of a spectrum that the plot shows.
void keep_band(const PagePlot& plot, Curve& curve) {
  std::vector<double> x, y;
  for (Eigen::Index k = 1; k < curve.x.size(); ++k) {  // the line at 0 Hz has no logarithm
    if (curve.x(k) < plot.low_hz.value_or(0.0)) continue;
    if (plot.high_hz && curve.x(k) > *plot.high_hz) continue;
    x.push_back(curve.x(k));
    y.push_back(curve.y(k));
  }
  curve.x = eigen_vector(x);
  curve.y = eigen_vector(y);
}

Curve page_curve(const PagePlot& plot, const std::string& channel, const NamedRun& run) {
  const tools::PlotRows rows = tools::rows_of(plot, channel, *run.series);
  Curve curve;
  switch (plot.kind) {
    case Kind::history:
      curve.x = eigen_vector(rows.x);
      curve.y = eigen_vector(rows.y);
      break;
    case Kind::psd:
    case Kind::ratio: {
      const tools::Spectrum out = spectrum_of(rows.time, rows.y);
      curve.x = eigen_vector(out.frequency);
      curve.y = eigen_vector(out.density);
      if (plot.kind == Kind::ratio)
        curve.y =
            (curve.y.array() / eigen_vector(spectrum_of(rows.time, rows.x).density).array()).sqrt();
      keep_band(plot, curve);
      break;
    }
    case Kind::crossings: {
      const tools::LevelCrossings out = tools::level_crossings(rows.y);
      curve.x = eigen_vector(out.count);
      curve.y = eigen_vector(out.level);
      break;
    }
  }
  return curve;
}

void label_axes(const PagePlot& from, const tools::ResultSeries& series, Plot& plot) {
  const std::string unit = channel_unit(series, from.y.front());
  const std::string across = channel_unit(series, from.x);
  const auto with_unit = [](const std::string& name, const std::string& of) {
    return of.empty() ? name : fmt::format("{} [{}]", name, of);
  };
  plot.y_label = unit;
  plot.x_label = from.x.empty() ? "time [s]" : with_unit(from.x, across);
  switch (from.kind) {
    case Kind::history:
      break;
    case Kind::psd:
      plot.x_label = "frequency [Hz]";
      plot.y_label = fmt::format("({})^2/Hz", unit.empty() ? "1" : unit);
      plot.is_log_y = true;
      break;
    case Kind::ratio:
      plot.x_label = "frequency [Hz]";
      plot.y_label = unit == across ? "-" : fmt::format("{}/({})", unit, across);
      plot.is_log_y = true;
      break;
    case Kind::crossings:
      plot.x_label = "upward crossings";
      break;
  }
}

}  // namespace

std::vector<Plot> page_plots(const tools::RunPage& page, const std::vector<NamedRun>& runs) {
  std::vector<Plot> out;
  for (const PagePlot& each : page.plots) {
    Plot plot;
    plot.title = each.title.empty() ? each.y.front() : each.title;
    label_axes(each, *runs.front().series, plot);
    for (std::size_t r = 0; r < runs.size(); ++r)
      for (const std::string& channel : each.y) {
        Curve curve = page_curve(each, channel, runs[r]);
        curve.is_dashed = r > 0;
        if (each.y.size() > 1) curve.name = channel;
        if (!runs[r].name.empty()) curve.name += (curve.name.empty() ? "" : ", ") + runs[r].name;
        plot.curves.push_back(std::move(curve));
      }
    const bool is_empty = std::all_of(plot.curves.begin(),
                                      plot.curves.end(),
                                      [](const Curve& curve) { return curve.x.size() < 2; });
    if (is_empty) plot.note = "no two rows of the run are in this range";
    out.push_back(std::move(plot));
  }
  return out;
}

}  // namespace femflex::report
