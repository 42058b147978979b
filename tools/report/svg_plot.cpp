#include "svg_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

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
constexpr Eigen::Index kMostPoints = 3000;  // a curve: more is not seen and makes pages heavy

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

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

}  // namespace

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
                                escaped(plot.title));
  out += fmt::format(
      "<text class=\"title\" x=\"{}\" y=\"16\">{}</text>\n", kLeft, escaped(plot.title));
  for (const double tick : round_ticks(x.low, x.high, 8))
    out += fmt::format(
        "<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/><text "
        "class=\"tick\" text-anchor=\"middle\" x=\"{0:.1f}\" y=\"{3}\">{4:.5g}</text>\n",
        px(tick),
        kTop,
        kHeight - kBottom,
        kHeight - kBottom + 16,
        tick);
  for (const double tick : round_ticks(y.low, y.high, 5))
    out += fmt::format(
        "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/><text "
        "class=\"tick\" text-anchor=\"end\" x=\"{}\" y=\"{:.1f}\">{:.4g}</text>\n",
        kLeft,
        kWidth - kRight,
        py(tick),
        py(tick),
        kLeft - 6,
        py(tick) + 4,
        plot.is_log_y ? std::pow(10.0, tick) : tick);
  out += fmt::format("<text class=\"label\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>\n",
                     (kLeft + kWidth - kRight) / 2,
                     kHeight - 8,
                     escaped(plot.x_label));
  out += fmt::format(
      "<text class=\"label\" text-anchor=\"middle\" transform=\"translate(14 {}) "
      "rotate(-90)\">{}</text>\n",
      (kTop + kHeight - kBottom) / 2,
      escaped(plot.y_label));
  double legend = kLeft;
  for (std::size_t c = 0; c < plot.curves.size(); ++c) {
    const Curve& curve = plot.curves[c];
    const char* colour = kColours[c % kColours.size()];
    std::string points;
    std::string marks;
    const Eigen::Index stride = std::max<Eigen::Index>(1, curve.x.size() / kMostPoints);
    for (Eigen::Index i = 0; i < curve.x.size(); i += stride) {
      if (plot.is_log_y && !(curve.y(i) > 0.0)) continue;
      const double v = shown(curve.y(i));
      if (!std::isfinite(v)) continue;
      points += fmt::format("{:.1f},{:.1f} ", px(curve.x(i)), py(v));
      if (curve.has_markers)
        marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>",
                             px(curve.x(i)),
                             py(v),
                             colour);
    }
    out += fmt::format(
        "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{} points=\"{}\"/>{}\n",
        colour,
        curve.is_dashed ? " stroke-dasharray=\"6 4\"" : "",
        points,
        marks);
    out += fmt::format(
        "<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"26\" y2=\"26\" stroke=\"{}\" "
        "stroke-width=\"2\"{}/><text class=\"tick\" x=\"{:.1f}\" y=\"30\">{}</text>\n",
        legend,
        legend + 20,
        colour,
        curve.is_dashed ? " stroke-dasharray=\"6 4\"" : "",
        legend + 25,
        escaped(curve.name));
    legend += 40.0 + 6.6 * static_cast<double>(curve.name.size());
  }
  return out + "</svg>\n";
}

std::string svg_heat_map(const Eigen::MatrixXd& values,
                         const std::string& row_label,
                         const std::string& column_label) {
  const double cell =
      std::clamp(400.0 / static_cast<double>(std::max<Eigen::Index>(1, values.cols())), 8.0, 36.0);
  const double width = 60.0 + cell * static_cast<double>(values.cols()) + 10.0;
  const double height = 30.0 + cell * static_cast<double>(values.rows()) + 34.0;
  std::string out = fmt::format(
      "<svg class=\"map\" style=\"max-width:{0:.0f}px\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "role=\"img\" aria-label=\"{2} by {3}\">\n",
      width,
      height,
      escaped(row_label),
      escaped(column_label));
  for (Eigen::Index r = 0; r < values.rows(); ++r) {
    for (Eigen::Index c = 0; c < values.cols(); ++c) {
      const double v = std::clamp(values(r, c), 0.0, 1.0);
      const int shade = static_cast<int>(std::lround(255.0 - 200.0 * v));
      out += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
          "fill=\"rgb({},{},255)\" stroke=\"#ddd\"><title>{}, {}: {:.3f}</title></rect>",
          50.0 + cell * static_cast<double>(c),
          20.0 + cell * static_cast<double>(r),
          cell,
          cell,
          shade,
          shade,
          r + 1,
          c + 1,
          v);
    }
    out += "\n";
  }
  out += fmt::format(
      "<text class=\"label\" x=\"50\" y=\"{:.0f}\">{}</text>", height - 14, escaped(column_label));
  out += fmt::format(
      "<text class=\"label\" transform=\"translate(30 {:.0f}) rotate(-90)\">{}</text>\n",
      height - 40,
      escaped(row_label));
  return out + "</svg>\n";
}

}  // namespace femflex::report
