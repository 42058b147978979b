#include "svg_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "report/xml_escaped.h"

namespace femflex::report {
namespace {

// Colours that stay apart in print and for most eyes.
constexpr std::array<const char*, 6> kColours = {
    "#1b6ca8", "#d1495b", "#3a7d44", "#8a5fa8", "#c77d0a", "#444444"};
constexpr double kWidth = 720.0;
constexpr double kHeight = 300.0;
constexpr double kLeft = 76.0;
constexpr double kRight = 16.0;
constexpr double kTop = 34.0;
constexpr double kBottom = 44.0;
constexpr Eigen::Index kMostPoints = 1200;  // a curve: more is not seen and makes pages heavy

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void take(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void widen() {
    if (!(low <= high)) {
      low = 0.0;
      high = 1.0;
    }
    if (high - low <= 1e-12 * std::max(std::abs(low), std::abs(high))) {
      const double half = std::max(1e-12, 0.05 * std::abs(high));
      low -= half;
      high += half;
    }
  }
};

// A tick as people write it: 0.001, 1e-07
std::string tick_text(double value) {
  return fmt::format("{:.4g}", value);
}

/// The name of a point to its right, or to its left where the right edge is near.
std::string label_beside(double x, double y, const std::string& label) {
  const bool is_near_edge = x > 0.75 * kWidth;
  return fmt::format("<text class=\"tick\" text-anchor=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
                     is_near_edge ? "end" : "start",
                     is_near_edge ? x - 6.0 : x + 6.0,
                     y + 4.0,
                     xml_escaped(label));
}

}  // namespace

std::vector<Eigen::Index> drawn_points(const Curve& curve) {
  std::vector<Eigen::Index> out;
  const Eigen::Index count = std::min(curve.x.size(), curve.y.size());
  const Eigen::Index stride = std::max<Eigen::Index>(1, (count + kMostPoints - 1) / kMostPoints);
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
  for (double tick = std::ceil(low / step) * step; tick <= high + 1e-9 * step; tick += step)
    out.push_back(std::abs(tick) < 1e-9 * step ? 0.0 : tick);
  return out;
}

std::vector<double> decade_ticks(double low, double high) {
  constexpr std::size_t kEnough = 3;
  constexpr std::size_t kMost = 8;
  std::vector<double> decades, parts;
  for (double power = std::floor(low); power <= high; power += 1.0) {
    for (const double times : {1.0, 2.0, 5.0}) {
      const double tick = power + std::log10(times);
      if (tick < low - 1e-9 || tick > high + 1e-9) continue;
      parts.push_back(tick);
      if (times == 1.0) decades.push_back(tick);
    }
  }
  if (decades.size() >= kEnough) {
    const std::size_t every = (decades.size() + kMost - 1) / kMost;
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

std::string svg_of(const Plot& plot) {
  Range x, y;
  const auto shown = [&](double value) { return plot.is_log_y ? std::log10(value) : value; };
  for (const Curve& curve : plot.curves) {
    for (Eigen::Index i = 0; i < curve.x.size(); ++i) {
      x.take(curve.x(i));
      if (!plot.is_log_y || curve.y(i) > 0.0) y.take(shown(curve.y(i)));
    }
  }
  x.widen();
  y.widen();
  const auto px = [&](double v) {
    return kLeft + (v - x.low) / (x.high - x.low) * (kWidth - kLeft - kRight);
  };
  const auto py = [&](double v) {
    return kHeight - kBottom - (v - y.low) / (y.high - y.low) * (kHeight - kTop - kBottom);
  };
  std::string out = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                                kWidth,
                                kHeight,
                                xml_escaped(plot.title));
  out += fmt::format("<text class=\"title\" x=\"{}\" y=\"16\">{}", kLeft, xml_escaped(plot.title));
  if (!plot.note.empty())
    out += fmt::format("<tspan class=\"note\" dx=\"10\">{}</tspan>", xml_escaped(plot.note));
  out += "</text>\n";
  for (const double tick : round_ticks(x.low, x.high, 8))
    out += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/><text "
        "class=\"tick\" text-anchor=\"middle\" x=\"{0:.1f}\" y=\"{3}\">{4:.5g}</text>\n",
        px(tick),
        kTop,
        kHeight - kBottom,
        kHeight - kBottom + 16,
        tick);
  for (const double tick :
       plot.is_log_y ? decade_ticks(y.low, y.high) : round_ticks(y.low, y.high, 5))
    out += fmt::format(
        "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/><text "
        "class=\"tick\" text-anchor=\"end\" x=\"{}\" y=\"{:.1f}\">{}</text>\n",
        kLeft,
        kWidth - kRight,
        py(tick),
        py(tick),
        kLeft - 6,
        py(tick) + 4,
        tick_text(plot.is_log_y ? std::pow(10.0, tick) : tick));
  out += fmt::format("<text class=\"label\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>\n",
                     (kLeft + kWidth - kRight) / 2,
                     kHeight - 8,
                     xml_escaped(plot.x_label));
  out += fmt::format(
      "<text class=\"label\" text-anchor=\"middle\" transform=\"translate(14 {}) "
      "rotate(-90)\">{}</text>\n",
      (kTop + kHeight - kBottom) / 2,
      xml_escaped(plot.y_label));
  double legend = kLeft;
  for (std::size_t c = 0; c < plot.curves.size(); ++c) {
    const Curve& curve = plot.curves[c];
    const char* colour = kColours[c % kColours.size()];
    std::string points;
    std::string marks;
    for (const Eigen::Index i : drawn_points(curve)) {
      if (plot.is_log_y && !(curve.y(i) > 0.0)) continue;
      const double v = shown(curve.y(i));
      if (!std::isfinite(v)) continue;
      points += fmt::format("{:.1f},{:.1f} ", px(curve.x(i)), py(v));
      if (curve.has_markers)
        marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>",
                             px(curve.x(i)),
                             py(v),
                             colour);
      if (static_cast<std::size_t>(i) < curve.labels.size())
        marks += label_beside(px(curve.x(i)), py(v), curve.labels[static_cast<std::size_t>(i)]);
    }
    if (curve.is_joined)
      out += fmt::format(
          "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{} points=\"{}\"/>",
          colour,
          curve.is_dashed ? " stroke-dasharray=\"6 4\"" : "",
          points);
    out += marks + "\n";
    if (curve.name.empty()) continue;
    out += fmt::format(
        "<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"26\" y2=\"26\" stroke=\"{}\" "
        "stroke-width=\"2\"{}/><text class=\"tick\" x=\"{:.1f}\" y=\"30\">{}</text>\n",
        legend,
        legend + 20,
        colour,
        curve.is_dashed ? " stroke-dasharray=\"6 4\"" : "",
        legend + 25,
        xml_escaped(curve.name));
    legend += 40.0 + 6.6 * static_cast<double>(curve.name.size());
  }
  return out + "</svg>\n";
}

std::string svg_heat_map(const Eigen::MatrixXd& values,
                         const std::string& row_label,
                         const std::string& column_label) {
  constexpr double kEdge = 56.0;
  constexpr double kHead = 12.0;
  const double cell =
      std::clamp(520.0 / static_cast<double>(std::max<Eigen::Index>(1, values.cols())), 8.0, 34.0);
  const bool has_numbers = cell >= 24.0;
  const double right = kEdge + cell * static_cast<double>(values.cols());
  const double bottom = kHead + cell * static_cast<double>(values.rows());
  const double width = right + 70.0;
  const double height = bottom + 44.0;
  const auto shade = [](double v) {
    // white to the blue of the curves
    const auto part = [&](double end) {
      return static_cast<int>(std::lround(255.0 + v * (end - 255.0)));
    };
    return fmt::format("rgb({},{},{})", part(27.0), part(84.0), part(148.0));
  };
  std::string out = fmt::format(
      "<svg class=\"map\" style=\"max-width:{0:.0f}px\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "role=\"img\" aria-label=\"{2} by {3}\">\n",
      width,
      height,
      xml_escaped(row_label),
      xml_escaped(column_label));
  for (Eigen::Index r = 0; r < values.rows(); ++r) {
    for (Eigen::Index c = 0; c < values.cols(); ++c) {
      const double v = std::isfinite(values(r, c)) ? std::clamp(values(r, c), 0.0, 1.0) : 0.0;
      const double x = kEdge + cell * static_cast<double>(c);
      const double y = kHead + cell * static_cast<double>(r);
      out += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
          "fill=\"{}\" stroke=\"#d5dbe2\"><title>{}, {}: {:.4f}</title></rect>",
          x,
          y,
          cell,
          cell,
          shade(v),
          r + 1,
          c + 1,
          v);
      if (has_numbers && v >= 0.005)
        out += fmt::format(
            "<text class=\"cell\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\" "
            "fill=\"{}\">{}</text>",
            x + 0.5 * cell,
            y + 0.5 * cell + 3.5,
            v > 0.55 ? "#fff" : "#333",
            v > 0.995 ? "1" : fmt::format("{:.2f}", v).substr(1));
    }
    out += "\n";
  }
  // every mode where there is room for its number, else every fifth
  const Eigen::Index every = cell >= 16.0 ? 1 : 5;
  const auto is_numbered = [&](Eigen::Index k) {
    return every == 1 || k == 0 || (k + 1) % every == 0;
  };
  for (Eigen::Index r = 0; r < values.rows(); ++r) {
    if (is_numbered(r))
      out += fmt::format("<text class=\"tick\" text-anchor=\"end\" x=\"{}\" y=\"{:.1f}\">{}</text>",
                         kEdge - 5.0,
                         kHead + cell * (static_cast<double>(r) + 0.5) + 4.0,
                         r + 1);
  }
  for (Eigen::Index c = 0; c < values.cols(); ++c) {
    if (is_numbered(c))
      out += fmt::format(
          "<text class=\"tick\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
          kEdge + cell * (static_cast<double>(c) + 0.5),
          bottom + 14.0,
          c + 1);
  }
  out += fmt::format(
      "\n<text class=\"label\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
      0.5 * (kEdge + right),
      bottom + 34.0,
      xml_escaped(column_label));
  out += fmt::format(
      "<text class=\"label\" text-anchor=\"middle\" transform=\"translate(16 {:.1f}) "
      "rotate(-90)\">{}</text>\n",
      0.5 * (kHead + bottom),
      xml_escaped(row_label));
  constexpr int kSteps = 5;
  for (int k = 0; k <= kSteps; ++k) {
    const double v = static_cast<double>(k) / kSteps;
    out += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"14\" fill=\"{}\" "
        "stroke=\"#d5dbe2\"/><text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\">{:.1f}</text>",
        right + 16.0,
        kHead + 14.0 * (kSteps - k),
        shade(v),
        right + 35.0,
        kHead + 14.0 * (kSteps - k) + 11.0,
        v);
  }
  return out + "</svg>\n";
}

}  // namespace femflex::report
