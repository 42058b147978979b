// Chooses ranges and ticks, maps values to pixels, and writes lines, markers, axes and legends as
// SVG elements. Lengths are in pixels of the viewBox.
#include "svg_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "femflex/text.h"

namespace femflex::report {
namespace {

// Colours that can be distinguished in print and by most readers.
constexpr std::array<const char*, 6> kColours = {
    "#1b6ca8", "#d1495b", "#3a7d44", "#8a5fa8", "#c77d0a", "#444444"};
constexpr double kWidth = 720.0;
constexpr double kHeight = 300.0;
constexpr double kLeft = 76.0;
constexpr double kRight = 16.0;
constexpr double kTop = 26.0;
constexpr double kBottom = 44.0;
constexpr Eigen::Index kMaxPoints = 1200;  // points per curve; more are not visible and make pages
                                           // large

constexpr double kConstantRange =
    1e-12;                        // a range below this fraction of the values counts as constant
constexpr double kMargin = 0.05;  // margin above and below a constant value, relative to it

/// The smallest and the largest of some values.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  /// Extends the range to `value`.
  void include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// Sets an empty range to 0 and 1, and adds a margin to a constant value.
  void widen() {
    if (!(low <= high)) {
      low = 0.0;
      high = 1.0;
    }
    if (high - low <= kConstantRange * std::max(std::abs(low), std::abs(high))) {
      const double half = std::max(kConstantRange, kMargin * std::abs(high));
      low -= half;
      high += half;
    }
  }
};

// The text of a tick: 0.001, 1e-07
std::string tick_text(double value) {
  return fmt::format("{:.4g}", value);
}

/// Places the names of points so that they do not overlap, if there is room.
class PointLabels {
 public:
  /// The SVG text with the name of the point at (x, y): to its right, or to its left near the right
  /// edge; lower or farther away if another name is there.
  std::string at(double x, double y, const std::string& label) {
    constexpr double kLetter = 8.0, kLine = 16.0;  // estimated size of the small text on a phone
                                                   // [px], rather too wide
    const double width = kLetter * static_cast<double>(label.size());
    const bool is_near_edge = x + 6.0 + width > kWidth - kRight;
    Box box{};
    // first slightly above the line through the point, then beside, below and farther away
    for (const double lines : {-0.7, 0.0, 1.0, -1.7, 2.0, -2.7, 3.0}) {
      const double left = is_near_edge ? x - 6.0 - width : x + 6.0;
      box = {left, left + width, y + 4.0 + lines * kLine};
      const bool is_inside = box.base > kTop + 4.0 && box.base < kHeight - kBottom + 4.0;
      if (is_inside && is_free(box, kLine)) break;
    }
    taken_.push_back(box);
    return fmt::format(
        "<text class=\"tick name\" text-anchor=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
        is_near_edge ? "end" : "start",
        is_near_edge ? box.right : box.left,
        box.base,
        xml_escaped(label));
  }

 private:
  struct Box {
    double left, right, base;
  };

  bool is_free(const Box& box, double line) const {
    return std::none_of(taken_.begin(), taken_.end(), [&](const Box& other) {
      return box.left < other.right && other.left < box.right &&
             std::abs(box.base - other.base) < line - 1.0;
    });
  }

  std::vector<Box> taken_;
};

}  // namespace

std::vector<Eigen::Index> drawn_points(const Curve& curve) {
  std::vector<Eigen::Index> out;
  const Eigen::Index count = std::min(curve.x.size(), curve.y.size());
  const Eigen::Index stride = std::max<Eigen::Index>(1, (count + kMaxPoints - 1) / kMaxPoints);
  for (Eigen::Index i = 0; i < count; i += stride)
    out.push_back(i);
  if (count > 0 && out.back() != count - 1) out.push_back(count - 1);
  return out;
}

std::vector<double> round_ticks(double low, double high, int count) {
  const double rough = (high - low) / std::max(1, count);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = power;
  for (const double times : {1.0, 2.0, 5.0, 10.0}) {
    step = times * power;
    if (step >= rough) break;
  }
  std::vector<double> out;
  const double first = std::ceil(low / step);
  const double steps = std::floor(high / step + 1e-9) - first;
  for (int i = 0; i <= steps; ++i)
    out.push_back((first + i) * step);
  return out;
}

std::vector<double> decade_ticks(double low, double high) {
  constexpr std::size_t kMinDecades = 3;
  constexpr std::size_t kMaxTicks = 8;
  std::vector<double> decades, parts;
  for (int power = static_cast<int>(std::floor(low)); power <= high; ++power) {
    for (const double times : {1.0, 2.0, 5.0}) {
      const double tick = power + std::log10(times);
      if (tick < low - 1e-9 || tick > high + 1e-9) continue;
      parts.push_back(tick);
      if (times == 1.0) decades.push_back(tick);
    }
  }
  if (decades.size() >= kMinDecades) {
    const std::size_t every = (decades.size() + kMaxTicks - 1) / kMaxTicks;
    std::vector<double> out;
    for (std::size_t i = 0; i < decades.size(); i += every)
      out.push_back(decades[i]);
    return out;
  }
  if (parts.size() >= 2) return parts;
  std::vector<double> out;
  for (const double value : round_ticks(std::pow(10.0, low), std::pow(10.0, high), 4))
    if (value > 0.0) out.push_back(std::log10(value));
  return out;
}

namespace {

/// Maps values to pixels of the plot.
class Frame {
 public:
  explicit Frame(const Plot& plot) : is_log_x_(plot.is_log_x), is_log_y_(plot.is_log_y) {
    for (const Curve& curve : plot.curves) {
      for (Eigen::Index i = 0; i < curve.x.size(); ++i) {
        if (!is_log_x_ || curve.x(i) > 0.0) x_.include(shown_x(curve.x(i)));
        if (!is_log_y_ || curve.y(i) > 0.0) y_.include(shown(curve.y(i)));
      }
    }
    x_.widen();
    y_.widen();
  }

  const Range& x() const { return x_; }
  const Range& y() const { return y_; }
  /// A value on the scale of the y axis; its logarithm on a logarithmic axis.
  double shown(double value) const { return is_log_y_ ? std::log10(value) : value; }
  double shown_x(double value) const { return is_log_x_ ? std::log10(value) : value; }
  /// False for a point that a logarithmic axis cannot show.
  bool is_drawn(double x, double y) const {
    return (!is_log_y_ || y > 0.0) && (!is_log_x_ || x > 0.0);
  }
  double px(double v) const {
    return kLeft + (v - x_.low) / (x_.high - x_.low) * (kWidth - kLeft - kRight);
  }
  /// @param v  value on the scale of the axis, see shown()
  double py(double v) const {
    return kHeight - kBottom - (v - y_.low) / (y_.high - y_.low) * (kHeight - kTop - kBottom);
  }

 private:
  bool is_log_x_, is_log_y_;
  Range x_, y_;
};

/// Lines and numbers of the ticks.
std::string grid_of(const Plot& plot, const Frame& frame) {
  std::string out;
  const auto [left, right] = frame.x();
  for (const double tick : plot.is_log_x ? decade_ticks(left, right) : round_ticks(left, right, 8))
    out += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/><text "
        "class=\"tick\" text-anchor=\"middle\" x=\"{0:.1f}\" y=\"{3}\">{4:.5g}</text>\n",
        frame.px(tick),
        kTop,
        kHeight - kBottom,
        kHeight - kBottom + 16,
        plot.is_log_x ? std::pow(10.0, tick) : tick);
  const auto [low, high] = frame.y();
  for (const double tick : plot.is_log_y ? decade_ticks(low, high) : round_ticks(low, high, 5))
    out += fmt::format(
        "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/><text "
        "class=\"tick\" text-anchor=\"end\" x=\"{}\" y=\"{:.1f}\">{}</text>\n",
        kLeft,
        kWidth - kRight,
        frame.py(tick),
        frame.py(tick),
        kLeft - 6,
        frame.py(tick) + 4,
        tick_text(plot.is_log_y ? std::pow(10.0, tick) : tick));
  return out;
}

/// The labels of the axes.
std::string labels_of(const Plot& plot) {
  std::string out =
      fmt::format("<text class=\"label\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>\n",
                  (kLeft + kWidth - kRight) / 2,
                  kHeight - 8,
                  xml_escaped(plot.x_label));
  out += fmt::format(
      "<text class=\"label\" text-anchor=\"middle\" transform=\"translate(14 {}) "
      "rotate(-90)\">{}</text>\n",
      (kTop + kHeight - kBottom) / 2,
      xml_escaped(plot.y_label));
  return out;
}

/// Line, markers and point names of a curve.
std::string curve_of(const Curve& curve,
                     const Frame& frame,
                     const char* colour,
                     PointLabels& names) {
  std::string points;
  std::string marks;
  for (const Eigen::Index i : drawn_points(curve)) {
    if (!frame.is_drawn(curve.x(i), curve.y(i))) continue;
    const double v = frame.shown(curve.y(i));
    if (!std::isfinite(v)) continue;
    const double x = frame.px(frame.shown_x(curve.x(i)));
    const double y = frame.py(v);
    points += fmt::format("{:.1f},{:.1f} ", x, y);
    if (curve.has_markers)
      marks +=
          fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>", x, y, colour);
    if (static_cast<std::size_t>(i) < curve.labels.size())
      marks += names.at(x, y, curve.labels[static_cast<std::size_t>(i)]);
  }
  std::string out;
  if (curve.is_joined)
    out =
        fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{} points=\"{}\"/>",
                    colour,
                    curve.is_dashed ? " stroke-dasharray=\"6 4\"" : "",
                    points);
  return out + marks + "\n";
}

/// Layout of a heat map: cells in px, from the top left.
struct CellGrid {
  static constexpr double kEdge = 56.0;    // space left of the cells
  static constexpr double kHead = 12.0;    // space above the cells
  static constexpr double kCells = 520.0;  // width of all cells, unless kMinCell or kMaxCell limits
                                           // a cell
  static constexpr double kMinCell = 8.0, kMaxCell = 34.0;  // width of a cell
  static constexpr double kNumbered = 24.0;  // smallest cell [px] with room for its number
  static constexpr double kNamed = 16.0;  // smallest cell [px] with room for a number at each row
  // values below kMinShown have no number; numbers are white above kDark, and "1" above kOne
  static constexpr double kMinShown = 0.005, kDark = 0.55, kOne = 0.995;

  explicit CellGrid(const Eigen::MatrixXd& values)
      : cell(std::clamp(kCells / static_cast<double>(std::max<Eigen::Index>(1, values.cols())),
                        kMinCell,
                        kMaxCell)),
        right(kEdge + cell * static_cast<double>(values.cols())),
        bottom(kHead + cell * static_cast<double>(values.rows())) {}

  /// True for every mode if there is room for its number, else for every fifth mode.
  bool is_named(Eigen::Index k) const {
    const Eigen::Index every = cell >= kNamed ? 1 : 5;
    return every == 1 || k == 0 || (k + 1) % every == 0;
  }

  double cell, right, bottom;
};

/// The colour of a value: white for 0, the blue of the curves for 1.
std::string shade(double v) {
  const auto part = [&](double end) {
    return static_cast<int>(std::lround(255.0 + v * (end - 255.0)));
  };
  return fmt::format("rgb({},{},{})", part(27.0), part(84.0), part(148.0));
}

/// The cells with their numbers and tool tips.
std::string cells_of(const Eigen::MatrixXd& values, const CellGrid& grid) {
  std::string out;
  for (Eigen::Index r = 0; r < values.rows(); ++r) {
    for (Eigen::Index c = 0; c < values.cols(); ++c) {
      const double v = std::isfinite(values(r, c)) ? std::clamp(values(r, c), 0.0, 1.0) : 0.0;
      const double x = CellGrid::kEdge + grid.cell * static_cast<double>(c);
      const double y = CellGrid::kHead + grid.cell * static_cast<double>(r);
      out += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
          "fill=\"{}\" stroke=\"#d5dbe2\"><title>{}, {}: {:.4f}</title></rect>",
          x,
          y,
          grid.cell,
          grid.cell,
          shade(v),
          r + 1,
          c + 1,
          v);
      if (grid.cell >= CellGrid::kNumbered && v >= CellGrid::kMinShown)
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
    if (grid.is_named(r))
      out += fmt::format("<text class=\"tick\" text-anchor=\"end\" x=\"{}\" y=\"{:.1f}\">{}</text>",
                         CellGrid::kEdge - 5.0,
                         CellGrid::kHead + grid.cell * (static_cast<double>(r) + 0.5) + 4.0,
                         r + 1);
  }
  for (Eigen::Index c = 0; c < values.cols(); ++c) {
    if (grid.is_named(c))
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

std::string svg_of(const Plot& plot) {
  const Frame frame(plot);
  std::string out = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                                kWidth,
                                kHeight,
                                xml_escaped(plot.title));
  out += fmt::format(
      "<text class=\"title\" x=\"{}\" y=\"16\">{}</text>\n", kLeft, xml_escaped(plot.title));
  out += grid_of(plot, frame) + labels_of(plot);
  PointLabels names;
  for (std::size_t c = 0; c < plot.curves.size(); ++c)
    out += curve_of(plot.curves[c], frame, kColours[c % kColours.size()], names);
  return out + "</svg>\n";
}

std::string legend_of(const Plot& plot) {
  std::string out;
  for (std::size_t c = 0; c < plot.curves.size(); ++c) {
    const Curve& curve = plot.curves[c];
    if (curve.name.empty()) continue;
    out += fmt::format("<span><i style=\"border-top-color:{}{}\"></i>{}</span>\n",
                       kColours[c % kColours.size()],
                       curve.is_dashed ? ";border-top-style:dashed" : "",
                       xml_escaped(curve.name));
  }
  if (!plot.note.empty()) out += "<span>" + xml_escaped(plot.note) + "</span>\n";
  return out.empty() ? out : "<figcaption>" + out + "</figcaption>\n";
}

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
