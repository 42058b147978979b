// "page" of a system file (docs/formats/system.md): the figures and plots of a run that reports
// show. Plots show channels as histories, spectra, level crossings and transmissibilities.
// run_system() and the reports use it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "document/json.h"
#include "document/table.h"
#include "results/measures.h"
#include "results/results_file.h"

namespace femflex::tools {

/// A named number: a measure, or the ratio of two measures.
struct PageFigure {
  std::string name;
  RunMeasure measure;
  std::optional<RunMeasure> over;  ///< if given, the number is measure / over
};

/// A plot of channels.
struct PagePlot {
  enum class Kind : std::uint8_t {
    history,    ///< y as a function of `x` or of time
    psd,        ///< power spectral density of y
    crossings,  ///< number of times that y rises above each level
    ratio       ///< square root of the ratio of the densities of y and `x`
  };
  Kind kind = Kind::history;
  std::string title;
  std::string x;  ///< empty: time
  std::vector<std::string> y;
  std::optional<double> from, until;      ///< [s] limits of the shown rows
  std::optional<double> low_hz, high_hz;  ///< limits of the shown spectral lines
};

/// "page" of a system file.
struct RunPage {
  double from = 0.0;  ///< [s] start of the energy balance, after initial transients
  std::vector<PageFigure> figures;
  std::vector<PagePlot> plots;
  bool is_empty() const { return figures.empty() && plots.empty(); }
};

/// A number of a run.
struct FigureValue {
  std::string name;
  std::string unit;  ///< empty for a ratio
  double value = 0.0;
};

/// Reads "page".
/// @param outputs  outputs of the system; empty: the default ones, whose names are not checked
/// @throws ParseError  an unknown key, or a channel that is not among the outputs
RunPage read_run_page(const Json& page, const std::vector<std::string>& outputs);

/// The figures of a run and, if it has the channels, its energy balance: the largest change of
/// energy minus work since RunPage::from, divided by the work done (the sum of |dW| over the rows).
/// @throws UsageError  a channel is missing; see measure_of()
std::vector<FigureValue> figures_of(const RunPage& page, const ResultSeries& series);

Json figures_json(const std::vector<FigureValue>& figures);
/// One column per run, and changes relative to the first run in per cent.
TextTable figures_table(const std::vector<std::string>& runs,
                        const std::vector<std::vector<FigureValue>>& figures);

/// Rows of two channels in the window of a plot; x is the time if the plot has no `x`.
struct PlotRows {
  std::vector<double> time, x, y;
};
/// @throws UsageError  there is no such channel
PlotRows rows_of(const PagePlot& plot, const std::string& channel, const ResultSeries& series);

/// Number of times that `y` rises above levels between its smallest and largest value.
struct LevelCrossings {
  std::vector<double> level, count;
};
LevelCrossings level_crossings(const std::vector<double>& y);

}  // namespace femflex::tools
