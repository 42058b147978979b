// Plots of curves and heat maps as inline SVG, for the HTML pages.
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
  std::string note{};  ///< small text below the plot, for example the difference between the
                       ///< curves
  std::string x_label, y_label;
  std::vector<Curve> curves;
  bool is_log_y = false;
  bool is_log_x = false;
};
/// The plot as an SVG element without scripts.
std::string svg_of(const Plot& plot);
/// The names of its curves beside their lines, and its note, as text of the page, which takes as
/// many lines as it needs; empty where there are none.
std::string legend_of(const Plot& plot);

/// Indices of the points of a curve that are drawn: the first, the last, and a limited number in
/// between.
std::vector<Eigen::Index> drawn_points(const Curve& curve);

/// A matrix of numbers from 0 to 1 (such as a MAC matrix) as shaded cells with a scale; large cells
/// also contain their number.
std::string svg_heat_map(const Eigen::MatrixXd& values,
                         const std::string& row_label,
                         const std::string& column_label);

/// Round numbers from `low` to `high`, about `count`.
std::vector<double> round_ticks(double low, double high, int count);
/// Logarithms of round numbers from 10^low to 10^high: powers of ten if there are at least three;
/// else 1, 2 and 5 times powers of ten if there are at least two; else other round numbers.
std::vector<double> decade_ticks(double low, double high);

}  // namespace femflex::report
