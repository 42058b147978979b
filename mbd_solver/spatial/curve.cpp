#include "spatial/curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::mbd_solver {

Curve::Curve(const Table& table, const std::string& name)
    : x_(table.x), y_(table.y), cubic_(table.interpolation == Table::Interpolation::akima) {
  if (x_.size() != y_.size() || x_.size() < 2)
    throw ModelError(
        "table-size",
        fmt::format("{}: a table of {} abscissae and {} values; two or more pairs are needed",
                    name,
                    x_.size(),
                    y_.size()));
  for (std::size_t k = 0; k < x_.size(); ++k) {
    if (!std::isfinite(x_[k]) || !std::isfinite(y_[k]))
      throw ModelError("not-finite",
                       fmt::format("{}: row {} of the table is not finite", name, k + 1));
    if (k > 0 && x_[k] <= x_[k - 1])
      throw ModelError("table-order",
                       fmt::format("{}: the table's x does not rise at row {}", name, k + 1));
  }
  const std::size_t n = x_.size();
  const double step = (x_.back() - x_.front()) / static_cast<double>(n - 1);
  bool is_even = true;
  for (std::size_t k = 0; k < n && is_even; ++k)
    is_even = std::abs(x_[k] - x_.front() - static_cast<double>(k) * step) < 1e-6 * step;
  if (is_even) per_step_ = 1.0 / step;
  slope_.assign(n, 0.0);
  const auto secant = [&](std::ptrdiff_t k) {  // with Akima's extension beyond the ends
    const auto last = static_cast<std::ptrdiff_t>(n) - 2;
    const auto plain = [&](std::ptrdiff_t i) {
      const auto u = static_cast<std::size_t>(i);
      return (y_[u + 1] - y_[u]) / (x_[u + 1] - x_[u]);
    };
    if (last == 0) return plain(0);
    if (k < 0) return plain(0) + static_cast<double>(-k) * (plain(0) - plain(1));
    if (k > last)
      return plain(last) + static_cast<double>(k - last) * (plain(last) - plain(last - 1));
    return plain(k);
  };
  for (std::size_t k = 0; k < n; ++k) {
    const auto i = static_cast<std::ptrdiff_t>(k);
    const double w1 = std::abs(secant(i + 1) - secant(i));
    const double w2 = std::abs(secant(i - 1) - secant(i - 2));
    slope_[k] = w1 + w2 > 1e-300 ? (w1 * secant(i - 1) + w2 * secant(i)) / (w1 + w2)
                                 : 0.5 * (secant(i - 1) + secant(i));
  }
}

// The piece that holds x; the first and the last reach beyond the ends.
std::size_t Curve::piece(double x) const {
  const std::size_t last = x_.size() - 2;
  if (per_step_ > 0.0) {
    const double at = (x - x_.front()) * per_step_;
    if (!(at > 0.0)) return 0;
    const std::size_t k = at < static_cast<double>(last) ? static_cast<std::size_t>(at) : last;
    // the product may land a piece off where x is a corner
    if (k > 0 && x < x_[k]) return k - 1;
    return k < last && x >= x_[k + 1] ? k + 1 : k;
  }
  const auto above = std::upper_bound(x_.begin(), x_.end(), x) - x_.begin();
  return std::clamp<std::size_t>(static_cast<std::size_t>(above), 1, last + 1) - 1;
}

double Curve::value(double x, double* slope) const {
  if (x_.empty()) return 0.0;
  const std::size_t n = x_.size();
  const std::size_t k = piece(x);
  const double h = x_[k + 1] - x_[k];
  const double secant = (y_[k + 1] - y_[k]) / h;
  const double d = x - x_[k];
  if (!cubic_) {
    if (slope != nullptr) *slope = secant;
    return y_[k] + secant * d;
  }
  if (x < x_.front() || x > x_.back()) {
    const std::size_t end = x < x_.front() ? 0 : n - 1;
    if (slope != nullptr) *slope = slope_[end];
    return y_[end] + slope_[end] * (x - x_[end]);
  }
  const double c = (3.0 * secant - 2.0 * slope_[k] - slope_[k + 1]) / h;
  const double e = (slope_[k] + slope_[k + 1] - 2.0 * secant) / (h * h);
  if (slope != nullptr) *slope = slope_[k] + d * (2.0 * c + 3.0 * d * e);
  return y_[k] + d * (slope_[k] + d * (c + d * e));
}

Table iso8608_profile(char iso_class, std::uint64_t seed, double length) {
  if (iso_class < 'A' || iso_class > 'H')
    throw ModelError("road-class", fmt::format("'{}' is no ISO 8608 class (A to H)", iso_class));
  if (!(length > 0.0) || length > 1e5)
    throw ModelError("road-length",
                     fmt::format("a road of {} m; 0 to 100000 m can be made", length));
  // geometric mean of class A is Gd(n0) = 16e-6 m^3 at n0 = 0.1 cycles/m, times 4 a class; w = 2
  const double reference = 16e-6 * std::pow(4.0, iso_class - 'A');
  std::mt19937_64 engine(seed);
  constexpr int kWaves = 400;
  std::vector<double> number(kWaves), amplitude(kWaves), phase(kWaves);
  for (int k = 0; k < kWaves; ++k) {
    const auto u = static_cast<std::size_t>(k);
    const double low = 0.01 * std::pow(1000.0, static_cast<double>(k) / kWaves);
    const double high = 0.01 * std::pow(1000.0, static_cast<double>(k + 1) / kWaves);
    number[u] = std::sqrt(low * high);
    amplitude[u] = std::sqrt(2.0 * reference * std::pow(number[u] / 0.1, -2.0) * (high - low));
    // 53 bits, the same on every platform
    phase[u] = 2.0 * std::numbers::pi * static_cast<double>(engine() >> 11) * 0x1.0p-53;
  }
  Table table;
  table.interpolation = Table::Interpolation::akima;
  constexpr double kSpacing = 0.02;
  const auto points = static_cast<std::size_t>(length / kSpacing) + 2;
  table.x.resize(points);
  table.y.assign(points, 0.0);
  for (std::size_t p = 0; p < points; ++p)
    table.x[p] = kSpacing * static_cast<double>(p);
  // cos(a + b) = cos a cos b - sin a sin b: the angles within a block are the same in each block
  constexpr std::size_t kBlock = 128;
  std::array<double, kBlock> cosine{}, sine{};
  for (std::size_t k = 0; k < kWaves; ++k) {
    const double turn = 2.0 * std::numbers::pi * number[k];
    for (std::size_t p = 0; p < kBlock; ++p) {
      cosine[p] = std::cos(turn * kSpacing * static_cast<double>(p));
      sine[p] = std::sin(turn * kSpacing * static_cast<double>(p));
    }
    for (std::size_t from = 0; from < points; from += kBlock) {
      const double angle = turn * table.x[from] + phase[k];
      const double c = amplitude[k] * std::cos(angle), s = amplitude[k] * std::sin(angle);
      const std::size_t count = std::min(kBlock, points - from);
      double* y = table.y.data() + from;
      for (std::size_t p = 0; p < count; ++p)
        y[p] += c * cosine[p] - s * sine[p];
    }
  }
  return table;
}

}  // namespace femflex::mbd_solver
