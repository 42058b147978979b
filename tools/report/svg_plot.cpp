// Chooses ranges, ticks and points, maps values to pixels, and writes lines, markers and axes as
// SVG elements, legends as HTML. Lengths are in pixels of the viewBox.
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
constexpr Eigen::Index kColumns = 628;        // of pixels between the left and the right edge
constexpr Eigen::Index kPointsPerColumn = 4;  // first, last, lowest, highest
constexpr Eigen::Index kMaxPoints =
    kColumns * kPointsPerColumn;  // per curve; more make pages large

constexpr double kConstantRange =
    1e-12;                         // a range below this fraction of the values counts as constant
constexpr double kMargin = 0.05;   // margin above and below a constant value, relative to it
constexpr double kZeroMargin = 1;  // the same for a value of 0, in the unit of the axis

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
      const double half = high == 0.0 ? kZeroMargin : kMargin * std::abs(high);
      low -= half;
      high += half;
    }
  }
};

/// Places the names of points so that they do not overlap, if there is room.
class PointLabels {
 public:
  /// The SVG text with the name of the point at (x, y): to its right, or to its left near the right
  /// edge; lower or farther away if another name is there.
  std::string at(double x, double y, const std::string& label) {
    // [px] upper estimates of the width of a byte and the height of a line of small text on a phone
    constexpr double kLetter = 8.0, kLine = 16.0;
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

std::vector<double> round_ticks(double low, double high, int about) {
  const double rough = (high - low) / std::max(1, about);
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

std::vector<double> log_ticks(double low, double high) {
  constexpr std::size_t kMinDecades = 3;
  constexpr std::size_t kMaxTicks = 8;
  std::vector<double> decades, one_two_five;
  for (int power = static_cast<int>(std::floor(low)); power <= high; ++power) {
    for (const double times : {1.0, 2.0, 5.0}) {
      const double tick = power + std::log10(times);
      if (tick < low - 1e-9 || tick > high + 1e-9) continue;
      one_two_five.push_back(tick);
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
  if (one_two_five.size() >= 2) return one_two_five;
  std::vector<double> out;
  for (const double value : round_ticks(std::pow(10.0, low), std::pow(10.0, high), 4))
    if (value > 0.0) out.push_back(std::log10(value));
  return out;
}

TickTexts tick_texts(const std::vector<double>& ticks, int least) {
  constexpr int kMostDigits = 6;  // more do not fit beside the axis
  const auto text = [](double value, int digits) { return fmt::format("{:.{}g}", value, digits); };
  double largest = 0.0;
  double step = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < ticks.size(); ++k) {
    largest = std::max(largest, std::abs(ticks[k]));
    if (k > 0) step = std::min(step, std::abs(ticks[k] - ticks[k - 1]));
  }
  int digits = least;
  TickTexts out;
  double offset = 0.0;
  if (std::isfinite(step) && step > 0.0) {
    digits = std::max(least, 1 + static_cast<int>(std::ceil(std::log10(largest / step) - 1e-9)));
    if (digits > kMostDigits) {
      // a multiple of a power of ten that is longer than the axis
      const double power =
          std::pow(10.0, std::ceil(std::log10(std::abs(ticks.back() - ticks.front()))));
      offset = std::floor(ticks.front() / power + 1e-6) * power;
      if (offset != 0.0) out.offset = text(offset, digits);
      digits = least;
    }
  }
  for (const double tick : ticks) {
    const double value = tick - offset;
    const bool is_round_off = std::isfinite(step) && std::abs(value) < 1e-6 * step;
    out.texts.push_back(text(is_round_off ? 0.0 : value, digits));
  }
  return out;
}

namespace {

/// The number of points that have both coordinates.
Eigen::Index point_count(const Curve& curve) {
  return std::min(curve.x.size(), curve.y.size());
}

/// Maps values to pixels of the plot.
class Frame {
 public:
  explicit Frame(const Plot& plot) : is_log_x_(plot.is_log_x), is_log_y_(plot.is_log_y) {
    for (const Curve& curve : plot.curves) {
      for (Eigen::Index i = 0; i < point_count(curve); ++i) {
        if (!is_drawn(curve.x(i), curve.y(i))) continue;
        x_.include(on_x_axis(curve.x(i)));
        y_.include(on_y_axis(curve.y(i)));
      }
    }
    x_.widen();
    y_.widen();
  }

  const Range& x() const { return x_; }
  const Range& y() const { return y_; }
  /// A value on the scale of the y axis; its logarithm on a logarithmic axis.
  double on_y_axis(double value) const { return is_log_y_ ? std::log10(value) : value; }
  double on_x_axis(double value) const { return is_log_x_ ? std::log10(value) : value; }
  /// False for a point that is not finite, or that a logarithmic axis cannot show.
  bool is_drawn(double x, double y) const {
    return std::isfinite(x) && std::isfinite(y) && (!is_log_y_ || y > 0.0) &&
           (!is_log_x_ || x > 0.0);
  }
  /// @param v  value on the scale of the axis, see on_x_axis()
  double pixel_x(double v) const {
    return kLeft + (v - x_.low) / (x_.high - x_.low) * (kWidth - kLeft - kRight);
  }
  /// @param v  value on the scale of the axis, see on_y_axis()
  double pixel_y(double v) const {
    return kHeight - kBottom - (v - y_.low) / (y_.high - y_.low) * (kHeight - kTop - kBottom);
  }

 private:
  bool is_log_x_, is_log_y_;
  Range x_, y_;
};

/// The indices of a curve's points in parts, one after the other: `starts` are the positions in the
/// list where a new part begins.
struct Parts {
  std::vector<Eigen::Index> points;
  std::vector<std::size_t> starts;
};

/// Parts of one pixel column each, or, if the curve runs to and fro, of equal numbers of points.
Parts parts_of(const Curve& curve, const Frame& frame) {
  Parts out;
  double column = -1.0;
  for (Eigen::Index i = 0; i < point_count(curve); ++i) {
    if (!frame.is_drawn(curve.x(i), curve.y(i))) continue;
    const double at = std::floor(frame.pixel_x(frame.on_x_axis(curve.x(i))));
    if (out.points.empty() || at != column) out.starts.push_back(out.points.size());
    column = at;
    out.points.push_back(i);
  }
  constexpr std::size_t kMaxParts = kColumns + 1;  // a point may lie on the right edge
  if (out.starts.size() <= kMaxParts) return out;
  out.starts.clear();
  for (std::size_t part = 0; part < kMaxParts; ++part)
    out.starts.push_back(part * out.points.size() / kMaxParts);
  return out;
}

/// The drawn points of one curve, see drawn_points().
std::vector<Eigen::Index> drawn_points(const Curve& curve, const Frame& frame) {
  std::vector<Eigen::Index> out;
  if (point_count(curve) <= kMaxPoints) {
    for (Eigen::Index i = 0; i < point_count(curve); ++i)
      out.push_back(i);
    return out;
  }
  const Parts parts = parts_of(curve, frame);
  for (std::size_t part = 0; part < parts.starts.size(); ++part) {
    const auto begin = parts.points.begin() + static_cast<std::ptrdiff_t>(parts.starts[part]);
    const auto end =
        part + 1 < parts.starts.size()
            ? parts.points.begin() + static_cast<std::ptrdiff_t>(parts.starts[part + 1])
            : parts.points.end();
    if (begin == end) continue;
    const auto [lowest, highest] = std::minmax_element(
        begin, end, [&](Eigen::Index a, Eigen::Index b) { return curve.y(a) < curve.y(b); });
    std::array<Eigen::Index, kPointsPerColumn> kept{*begin, *lowest, *highest, *(end - 1)};
    std::sort(kept.begin(), kept.end());
    out.insert(out.end(), kept.begin(), std::unique(kept.begin(), kept.end()));
  }
  return out;
}

/// The labels of the axes, with what is subtracted from their numbers.
std::string labels_of(const Plot& plot, const std::string& x_offset, const std::string& y_offset) {
  const auto text = [](const std::string& label, const std::string& offset) {
    return xml_escaped(offset.empty() ? label : label + ", " + offset + " subtracted");
  };
  std::string out =
      fmt::format("<text class=\"label\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>\n",
                  (kLeft + kWidth - kRight) / 2,
                  kHeight - 8,
                  text(plot.x_label, x_offset));
  out += fmt::format(
      "<text class=\"label\" text-anchor=\"middle\" transform=\"translate(14 {}) "
      "rotate(-90)\">{}</text>\n",
      (kTop + kHeight - kBottom) / 2,
      text(plot.y_label, y_offset));
  return out;
}

/// Lines and numbers of the ticks, and the labels of the axes.
std::string grid_of(const Plot& plot, const Frame& frame) {
  constexpr int kTicksX = 8, kTicksY = 5;
  constexpr int kDigitsX = 5, kDigitsY = 4;
  const auto texts_of = [](std::vector<double> ticks, bool is_log, int digits) {
    if (is_log)
      for (double& tick : ticks)
        tick = std::pow(10.0, tick);
    return tick_texts(ticks, digits);
  };
  std::string out;
  const auto [left, right] = frame.x();
  const std::vector<double> x =
      plot.is_log_x ? log_ticks(left, right) : round_ticks(left, right, kTicksX);
  const TickTexts x_texts = texts_of(x, plot.is_log_x, kDigitsX);
  for (std::size_t k = 0; k < x.size(); ++k)
    out += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/><text "
        "class=\"tick\" text-anchor=\"middle\" x=\"{0:.1f}\" y=\"{3}\">{4}</text>\n",
        frame.pixel_x(x[k]),
        kTop,
        kHeight - kBottom,
        kHeight - kBottom + 16,
        x_texts.texts[k]);
  const auto [low, high] = frame.y();
  const std::vector<double> y =
      plot.is_log_y ? log_ticks(low, high) : round_ticks(low, high, kTicksY);
  const TickTexts y_texts = texts_of(y, plot.is_log_y, kDigitsY);
  for (std::size_t k = 0; k < y.size(); ++k)
    out += fmt::format(
        "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/><text "
        "class=\"tick\" text-anchor=\"end\" x=\"{}\" y=\"{:.1f}\">{}</text>\n",
        kLeft,
        kWidth - kRight,
        frame.pixel_y(y[k]),
        frame.pixel_y(y[k]),
        kLeft - 6,
        frame.pixel_y(y[k]) + 4,
        y_texts.texts[k]);
  return out + labels_of(plot, x_texts.offset, y_texts.offset);
}

/// Line, markers and point names of a curve.
std::string curve_of(const Curve& curve,
                     const Frame& frame,
                     const char* colour,
                     PointLabels& names) {
  std::string points;
  std::string marks;
  for (const Eigen::Index i : drawn_points(curve, frame)) {
    if (!frame.is_drawn(curve.x(i), curve.y(i))) continue;
    const double x = frame.pixel_x(frame.on_x_axis(curve.x(i)));
    const double y = frame.pixel_y(frame.on_y_axis(curve.y(i)));
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

}  // namespace

std::vector<std::vector<Eigen::Index>> drawn_points(const Plot& plot) {
  const Frame frame(plot);
  std::vector<std::vector<Eigen::Index>> out;
  for (const Curve& curve : plot.curves)
    out.push_back(drawn_points(curve, frame));
  return out;
}

std::string svg_of(const Plot& plot) {
  const Frame frame(plot);
  std::string out = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                                kWidth,
                                kHeight,
                                xml_escaped(plot.title));
  out += fmt::format(
      "<text class=\"title\" x=\"{}\" y=\"16\">{}</text>\n", kLeft, xml_escaped(plot.title));
  out += grid_of(plot, frame);
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

}  // namespace femflex::report
