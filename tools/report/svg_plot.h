// Plots of curves as inline SVG, for the HTML pages.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

namespace femflex::report {

/// A curve of a plot.
struct Curve {
  std::string name;
  Eigen::VectorXd x, y;
  bool is_dashed = false;
  bool has_markers = false;
  bool is_joined = true;              ///< false: points without a line
  std::vector<std::string> labels{};  ///< names of the points; empty: none
};

/// Curves in one pair of axes.
struct Plot {
  std::string title;
  /// small text below the plot, for example the difference between the curves
  std::string note{};
  std::string x_label, y_label;
  std::vector<Curve> curves;
  bool is_log_y = false;
  bool is_log_x = false;
};
/// The plot as an SVG element without scripts.
std::string svg_of(const Plot& plot);
/// Legend and note as HTML, so that long texts wrap. Empty if there are neither.
std::string legend_of(const Plot& plot);

/// Indices, ascending, of the points of each curve that are drawn: all of a short curve; of a long
/// one the first, the last, the lowest and the highest in each column of pixels, so that every peak
/// is seen. A long curve that runs to and fro is divided by its points instead of by columns.
std::vector<std::vector<Eigen::Index>> drawn_points(const Plot& plot);

/// Round numbers from `low` to `high`, not many more than `about`.
std::vector<double> round_ticks(double low, double high, int about);
/// Logarithms of round numbers from 10^low to 10^high: powers of ten if there are at least three;
/// else 1, 2 and 5 times powers of ten if there are at least two; else other round numbers.
std::vector<double> log_ticks(double low, double high);

/// The texts of ticks, which differ from each other.
struct TickTexts {
  std::vector<std::string> texts;
  /// what is subtracted from each tick because the numbers are long otherwise; empty: nothing
  std::string offset;
};
/// @param least  significant digits, more if the ticks need them
TickTexts tick_texts(const std::vector<double>& ticks, int least);

}  // namespace femflex::report
