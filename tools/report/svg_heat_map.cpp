// Writes the cells of a heat map with their values, numbers and scale as SVG elements. Lengths are
// in pixels of the viewBox.
#include "svg_heat_map.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "femflex/text.h"

namespace femflex::report {
namespace {

/// Layout of a heat map: cells in px, from the top left.
struct CellGrid {
  static constexpr double kEdge = 56.0;  // space left of the cells
  static constexpr double kHead = 12.0;  // space above the cells
  // width of the map, before a cell is limited to kMinCell .. kMaxCell
  static constexpr double kCells = 520.0;
  static constexpr double kMinCell = 8.0, kMaxCell = 34.0;  // width of a cell
  static constexpr double kWithValue = 24.0;  // smallest cell [px] with room for its value
  static constexpr double kNumbered =
      16.0;  // smallest cell [px] with room for a number at each row
  // values below kMinShown have no number; numbers are white above kDark, and "1" above kOne
  static constexpr double kMinShown = 0.005, kDark = 0.55, kOne = 0.995;

  explicit CellGrid(const Eigen::MatrixXd& values)
      : cell(std::clamp(kCells / static_cast<double>(std::max<Eigen::Index>(1, values.cols())),
                        kMinCell,
                        kMaxCell)),
        right(kEdge + cell * static_cast<double>(values.cols())),
        bottom(kHead + cell * static_cast<double>(values.rows())) {}

  /// True for every row and column if there is room for its number, else for every fifth.
  bool is_numbered(Eigen::Index k) const {
    const Eigen::Index every = cell >= kNumbered ? 1 : 5;
    return every == 1 || k == 0 || (k + 1) % every == 0;
  }

  double cell, right, bottom;
};

/// The colour of a value: white for 0, a dark blue for 1.
std::string shade(double v) {
  const auto part = [&](double end) {
    return static_cast<int>(std::lround(255.0 + v * (end - 255.0)));
  };
  return fmt::format("rgb({},{},{})", part(27.0), part(84.0), part(148.0));
}

/// A cell with its tool tip, from the top left corner (x, y).
std::string cell_of(double value, double x, double y, double size, const std::string& place) {
  const bool has_value = std::isfinite(value);
  std::string out = fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
      "stroke=\"#d5dbe2\"><title>{}: {}</title></rect>",
      x,
      y,
      size,
      size,
      shade(has_value ? std::clamp(value, 0.0, 1.0) : 0.0),
      place,
      has_value ? fmt::format("{:.4f}", value) : "no value");
  if (!has_value)
    out += fmt::format(
        "<path d=\"M{0:.1f} {1:.1f}L{2:.1f} {3:.1f}M{0:.1f} {3:.1f}L{2:.1f} {1:.1f}\" "
        "stroke=\"#9aa3ad\"/>",
        x,
        y,
        x + size,
        y + size);
  return out;
}

/// The cells with their values and tool tips.
std::string cells_of(const Eigen::MatrixXd& values, const CellGrid& grid) {
  std::string out;
  for (Eigen::Index r = 0; r < values.rows(); ++r) {
    for (Eigen::Index c = 0; c < values.cols(); ++c) {
      const double v = values(r, c);
      const double x = CellGrid::kEdge + grid.cell * static_cast<double>(c);
      const double y = CellGrid::kHead + grid.cell * static_cast<double>(r);
      out += cell_of(v, x, y, grid.cell, fmt::format("{}, {}", r + 1, c + 1));
      if (grid.cell >= CellGrid::kWithValue && std::isfinite(v) && v >= CellGrid::kMinShown)
        out += fmt::format(
            "<text class=\"cell\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\" "
            "fill=\"{}\">{}</text>",
            x + 0.5 * grid.cell,
            y + 0.5 * grid.cell + 3.5,
            v > CellGrid::kDark ? "#fff" : "#333",
            v > CellGrid::kOne ? "1" : fmt::format("{:.2f}", v).substr(1));
    }
    out += "\n";
  }
  return out;
}

/// Numbers of rows and columns, counted from 1.
std::string numbers_of(const Eigen::MatrixXd& values, const CellGrid& grid) {
  std::string out;
  for (Eigen::Index r = 0; r < values.rows(); ++r) {
    if (grid.is_numbered(r))
      out += fmt::format("<text class=\"tick\" text-anchor=\"end\" x=\"{}\" y=\"{:.1f}\">{}</text>",
                         CellGrid::kEdge - 5.0,
                         CellGrid::kHead + grid.cell * (static_cast<double>(r) + 0.5) + 4.0,
                         r + 1);
  }
  for (Eigen::Index c = 0; c < values.cols(); ++c) {
    if (grid.is_numbered(c))
      out += fmt::format(
          "<text class=\"tick\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
          CellGrid::kEdge + grid.cell * (static_cast<double>(c) + 0.5),
          grid.bottom + 14.0,
          c + 1);
  }
  return out;
}

/// The scale of shades, next to the cells.
std::string scale_of(const CellGrid& grid) {
  constexpr int kSteps = 5;
  std::string out;
  for (int k = 0; k <= kSteps; ++k) {
    const double v = static_cast<double>(k) / kSteps;
    out += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"14\" fill=\"{}\" "
        "stroke=\"#d5dbe2\"/><text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\">{:.1f}</text>",
        grid.right + 16.0,
        CellGrid::kHead + 14.0 * (kSteps - k),
        shade(v),
        grid.right + 35.0,
        CellGrid::kHead + 14.0 * (kSteps - k) + 11.0,
        v);
  }
  return out;
}

}  // namespace

std::string svg_heat_map(const Eigen::MatrixXd& values,
                         const std::string& row_label,
                         const std::string& column_label) {
  const CellGrid grid(values);
  std::string out = fmt::format(
      "<svg class=\"map\" style=\"max-width:{0:.0f}px\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "role=\"img\" aria-label=\"{2} by {3}\">\n",
      grid.right + 70.0,
      grid.bottom + 44.0,
      xml_escaped(row_label),
      xml_escaped(column_label));
  out += cells_of(values, grid) + numbers_of(values, grid);
  out += fmt::format(
      "\n<text class=\"label\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
      0.5 * (CellGrid::kEdge + grid.right),
      grid.bottom + 34.0,
      xml_escaped(column_label));
  out += fmt::format(
      "<text class=\"label\" text-anchor=\"middle\" transform=\"translate(16 {:.1f}) "
      "rotate(-90)\">{}</text>\n",
      0.5 * (CellGrid::kHead + grid.bottom),
      xml_escaped(row_label));
  return out + scale_of(grid) + "</svg>\n";
}

}  // namespace femflex::report
