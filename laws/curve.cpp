// Evaluates curves through points (piecewise linear, or cubic by Akima), their derivatives and
// their integral. Piece k with d = x - x_k is y = y_k + slope_k d + c d^2 + e d^3.
#include "femflex/laws/curve.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "formula/switches.h"

namespace femflex::laws {
namespace {

// Points count as evenly spaced if they deviate by less than this fraction of the spacing.
constexpr double kSpacingTolerance = 1e-6;
// If the sum of Akima's weights is smaller, the plain mean of the secants replaces the weighted
// mean.
constexpr double kMinWeight = 1e-300;

}  // namespace

Curve::Curve(
    std::vector<double> x, std::vector<double> y, Kind kind, Beyond beyond, const std::string& name)
    : x_(std::move(x)), y_(std::move(y)), kind_(kind), beyond_(beyond) {
  if (x_.size() != y_.size() || x_.size() < 2)
    throw ModelError(
        "table-size",
        fmt::format("{}: the table has {} abscissae and {} values, expected two or more pairs",
                    name,
                    x_.size(),
                    y_.size()));
  for (std::size_t k = 0; k < x_.size(); ++k) {
    if (!std::isfinite(x_[k]) || !std::isfinite(y_[k]))
      throw ModelError("not-finite",
                       fmt::format("{}: row {} of the table is not finite", name, k + 1));
    if (k > 0 && x_[k] <= x_[k - 1])
      throw ModelError("table-order",
                       fmt::format("{}: x of the table does not increase at row {}", name, k + 1));
  }
  const std::size_t n = x_.size();
  const double step = (x_.back() - x_.front()) / static_cast<double>(n - 1);
  bool is_even = true;
  for (std::size_t k = 0; k < n && is_even; ++k)
    is_even =
        std::abs(x_[k] - x_.front() - static_cast<double>(k) * step) < kSpacingTolerance * step;
  if (is_even) per_step_ = 1.0 / step;
  if (kind_ == Kind::akima) set_slopes();
  area_.assign(n, 0.0);
  for (std::size_t k = 0; k + 1 < n; ++k) {
    const double h = x_[k + 1] - x_[k];
    area_[k + 1] = kind_ == Kind::linear ? area_[k] + 0.5 * (y_[k] + y_[k + 1]) * h
                                         : integral_from(area_[k], k, h);
  }
}

// Computes the slopes at the points by Akima's rule: the mean of the two neighbouring secants, each
// weighted with the difference of the two secants on the other side. Two secants beyond each end
// are extrapolated with constant differences.
void Curve::set_slopes() {
  const std::size_t n = x_.size();
  const auto secant = [&](std::ptrdiff_t k) {
    const auto last = static_cast<std::ptrdiff_t>(n) - 2;
    const auto inner = [&](std::ptrdiff_t i) {
      const auto u = static_cast<std::size_t>(i);
      return (y_[u + 1] - y_[u]) / (x_[u + 1] - x_[u]);
    };
    if (last == 0) return inner(0);
    if (k < 0) return inner(0) + static_cast<double>(-k) * (inner(0) - inner(1));
    if (k > last)
      return inner(last) + static_cast<double>(k - last) * (inner(last) - inner(last - 1));
    return inner(k);
  };
  slope_.assign(n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    const auto i = static_cast<std::ptrdiff_t>(k);
    const double w1 = std::abs(secant(i + 1) - secant(i));
    const double w2 = std::abs(secant(i - 1) - secant(i - 2));
    slope_[k] = w1 + w2 > kMinWeight ? (w1 * secant(i - 1) + w2 * secant(i)) / (w1 + w2)
                                     : 0.5 * (secant(i - 1) + secant(i));
  }
}

// Index of the piece that contains x. The first and the last piece extend beyond the ends.
std::size_t Curve::piece(double x) const {
  const std::size_t last = x_.size() - 2;
  if (per_step_ > 0.0) {
    const double at = (x - x_.front()) * per_step_;
    if (!(at > 0.0)) return 0;
    const std::size_t k = at < static_cast<double>(last) ? static_cast<std::size_t>(at) : last;
    // rounding may give the neighbouring piece if x is one of the points
    if (k > 0 && x < x_[k]) return k - 1;
    return k < last && x >= x_[k + 1] ? k + 1 : k;
  }
  const auto above = std::upper_bound(x_.begin(), x_.end(), x) - x_.begin();
  return std::clamp<std::size_t>(static_cast<std::size_t>(above), 1, last + 1) - 1;
}

ValueAndDerivative Curve::at(double x) const {
  if (x_.empty()) return {};
  if (beyond_ == Beyond::hold && (x < x_.front() || x >= x_.back()))
    return {x < x_.front() ? y_.front() : y_.back(), 0.0};
  const std::size_t k = piece(x);
  const double h = x_[k + 1] - x_[k];
  const double secant = (y_[k + 1] - y_[k]) / h;
  const double d = x - x_[k];
  if (kind_ == Kind::linear) return {y_[k] + secant * d, secant};
  if (x < x_.front() || x > x_.back()) {
    const std::size_t end = x < x_.front() ? 0 : x_.size() - 1;
    return {y_[end] + slope_[end] * (x - x_[end]), slope_[end]};
  }
  const double c = (3.0 * secant - 2.0 * slope_[k] - slope_[k + 1]) / h;
  const double e = (slope_[k] + slope_[k + 1] - 2.0 * secant) / (h * h);
  return {y_[k] + d * (slope_[k] + d * (c + d * e)), slope_[k] + d * (2.0 * c + 3.0 * d * e)};
}

double Curve::second_derivative(double x) const {
  if (x_.empty() || kind_ == Kind::linear || x < x_.front() || x >= x_.back()) return 0.0;
  const std::size_t k = piece(x);
  const double h = x_[k + 1] - x_[k];
  const double secant = (y_[k + 1] - y_[k]) / h;
  const double c = (3.0 * secant - 2.0 * slope_[k] - slope_[k + 1]) / h;
  const double e = (slope_[k] + slope_[k + 1] - 2.0 * secant) / (h * h);
  return 2.0 * c + 6.0 * e * (x - x_[k]);
}

std::vector<double> Curve::switches(double start, double end) const {
  const auto first = std::upper_bound(x_.begin(), x_.end(), start);
  const auto last = std::upper_bound(first, x_.end(), end);
  if (static_cast<std::size_t>(last - first) > formula::kTooManySwitches) return {};
  return {first, last};
}

/// Returns `start` plus the integral from point k over the length d.
double Curve::integral_from(double start, std::size_t k, double d) const {
  const double h = x_[k + 1] - x_[k];
  const double secant = (y_[k + 1] - y_[k]) / h;
  if (kind_ == Kind::linear) return start + y_[k] * d + 0.5 * secant * d * d;
  const double c = (3.0 * secant - 2.0 * slope_[k] - slope_[k + 1]) / h;
  const double e = (slope_[k] + slope_[k + 1] - 2.0 * secant) / (h * h);
  return start + d * (y_[k] + d * (slope_[k] / 2.0 + d * (c / 3.0 + d * e / 4.0)));
}

double Curve::integral(double x) const {
  if (x_.empty()) return 0.0;
  const bool is_outside = x < x_.front() || x > x_.back();
  if (is_outside && (beyond_ == Beyond::hold || kind_ == Kind::akima)) {
    const std::size_t end = x < x_.front() ? 0 : x_.size() - 1;
    const double d = x - x_[end];
    const double slope = beyond_ == Beyond::hold ? 0.0 : slope_[end];
    return area_[end] + y_[end] * d + 0.5 * slope * d * d;
  }
  const std::size_t k = piece(x);
  return integral_from(area_[k], k, x - x_[k]);
}

}  // namespace femflex::laws
