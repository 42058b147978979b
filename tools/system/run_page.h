// What a system file wants to have shown of its run: figures, and plots of channels over each
// other, as spectra, level crossings and transmissibilities ("page", docs/formats/system.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "document/json.h"
#include "document/table.h"
#include "results/measures.h"
#include "results/results_file.h"

namespace femflex::tools {

/// A number with a name: a measure, or one measure over another.
struct PageFigure {
  std::string name;
  RunMeasure measure;
  std::optional<RunMeasure> over;  ///< the number is measure / over
};

/// A plot of channels.
struct PagePlot {
  enum class Kind : std::uint8_t {
    history,    ///< y over `x`, or over time
    psd,        ///< power spectral density of y
    crossings,  ///< how often y rises above each level
    ratio       ///< square root of the ratio of the densities of y and of `x`
  };
  Kind kind = Kind::history;
  std::string title;
  std::string x;  ///< empty: time
  std::vector<std::string> y;
  std::optional<double> from, until;      ///< [s] rows that are shown
  std::optional<double> low_hz, high_hz;  ///< of a spectrum, lines that are shown
};

/// "page" of a system file.
struct RunPage {
  double from = 0.0;  ///< [s] the energy account begins here, after what settles
  std::vector<PageFigure> figures;
  std::vector<PagePlot> plots;
  bool is_empty() const { return figures.empty() && plots.empty(); }
};

/// A number of a run.
struct FigureValue {
  std::string name;
  std::string unit;  ///< empty: a ratio
  double value = 0.0;
};

/// Reads "page".  @param outputs  of the system; empty: the usual ones, whose names are not checked
/// @throws ParseError  an unknown key, a channel that is not among the outputs
RunPage read_run_page(const Json& page, const std::vector<std::string>& outputs);

/// The figures of a run, and its energy account where it has the channels: the largest change of
/// energy less work since RunPage::from, over the work done (the sum of |dW| from row to row).
/// @throws UsageError  a channel is missing; see measure_of()
std::vector<FigureValue> figures_of(const RunPage& page, const ResultSeries& series);

Json figures_json(const std::vector<FigureValue>& figures);
/// A column for each run, and the change against the first one in per cent.
TextTable figures_table(const std::vector<std::string>& runs,
                        const std::vector<std::vector<FigureValue>>& figures);

/// Rows of two channels in the window of a plot; x is the time if the plot names none.
struct PlotRows {
  std::vector<double> time, x, y;
};
/// @throws UsageError  there is no such channel
PlotRows rows_of(const PagePlot& plot, const std::string& channel, const ResultSeries& series);

/// How often `y` rises above each of some levels between its smallest and its largest value.
struct LevelCrossings {
  std::vector<double> level, count;
};
LevelCrossings level_crossings(const std::vector<double>& y);

}  // namespace femflex::tools
